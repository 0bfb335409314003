/**
 * Tests joining a running terminal, wherever it is held: a snapshot, then the output from its offset, with resizes in
 * order.
 */
import type { TerminalEvent } from '../../src/contract/event.js';
import {
  BASH,
  eventsUntil,
  MANAGERS,
  readUntilExit,
  readUntilText,
  run,
  screenUntil,
  stopEngines,
} from '../engine/engine-under-test.js';
import { ScreenUnderTest } from '../screen/screen-under-test.js';
import { error } from './error.js';

afterEach(stopEngines);

const SIZE = { cols: 40, rows: 8 };

/** Prints a word at the top right and a coloured one at the cursor, and leaves a scroll region set. */
const PAINT = `printf '\\033[1;30Hcorner\\033[5;1H\\033[31mred\\033[m\\033[2;6r\\033[6;1H'`;

async function* outputOf(events: AsyncIterable<TerminalEvent>): AsyncGenerator<Uint8Array> {
  for await (const event of events) if (event.type === 'output') yield event.bytes;
}

/** Returns a stream's text until it ends or contains `marker`. */
async function textUntil(events: AsyncIterable<TerminalEvent>, marker: string): Promise<string> {
  let text = '';
  for await (const bytes of outputOf(events)) {
    text += Buffer.from(bytes).toString();
    if (text.includes(marker)) break;
  }
  return text;
}

/** Returns `size COLSxROWS` or text, in the order of the stream. */
function told(events: readonly TerminalEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'resize') return [`size ${event.cols}x${event.rows}`];
    return event.type === 'output'
      ? (Buffer.from(event.bytes)
          .toString()
          .match(/mark-\d/g) ?? [])
      : [];
  });
}

describe.each(MANAGERS)('a new subscriber %s', (_where, startManager) => {
  it('gets the current screen from a snapshot and the output after its offset', async () => {
    const manager = startManager();
    const { id } = await manager.create({ ...BASH, ...SIZE });
    await manager.write(id, { input: `${PAINT}; echo pain""ted` });
    await readUntilText(manager, id, 'painted');
    const { data, offset, cols, rows } = await manager.snapshot(id);
    const events = await manager.subscribe(id, offset);
    await manager.write(id, { input: 'seq 1 20; echo do""ne' });
    const screen = await screenUntil(manager, id, ({ lines }) => lines.includes('done') && lines.includes('$ '));

    const newcomer = new ScreenUnderTest(cols, rows);
    newcomer.write(Buffer.from(data));
    let seen = offset;
    for await (const bytes of outputOf(events)) {
      newcomer.write(bytes);
      seen += bytes.length;
      if (seen >= screen.offset) break;
    }
    expect({ cols, rows }).toEqual(SIZE);
    expect({ ...newcomer.screen.snapshot('text'), offset: screen.offset }).toEqual(screen);
    expect(screen.lines[0]!.slice(29, 35)).toBe('corner');
  });

  it('is told of each size between the outputs before and after it', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'sh', '-c', 'stty -echo; for i in 1 2 3; do echo mark-$i; read line; done');
    const follower = manager.subscribe(id, 0).then((stream) => eventsUntil(stream, ({ type }) => type === 'end'));
    await readUntilText(manager, id, 'mark-1');
    await manager.resize(id, { cols: 100, rows: 30 });
    await manager.write(id, { keys: ['enter'] });
    await readUntilText(manager, id, 'mark-2');
    await manager.resize(id, { cols: 50, rows: 10 });
    await manager.resize(id, { cols: 60, rows: 11 });
    await manager.write(id, { keys: ['enter'] });
    await readUntilText(manager, id, 'mark-3');
    await manager.write(id, { keys: ['enter'] });
    const expected = ['mark-1', 'size 100x30', 'mark-2', 'size 50x10', 'size 60x11', 'mark-3'];
    expect(told(await follower)).toEqual(expected);
    expect(told(await eventsUntil(await manager.subscribe(id, 0), ({ type }) => type === 'end'))).toEqual(expected);
    expect(await manager.get(id)).toMatchObject({ cols: 60, rows: 11, status: 'exited' });
  });

  it('starts at the current end of the output if no offset is given', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'sh', '-c', 'stty -echo; echo before; read line; echo after');
    await manager.wait(id, { text: 'before\n', fromOffset: 0 });
    const { totalBytes } = await manager.get(id);
    const events = await manager.subscribe(id);
    await manager.write(id, { keys: ['enter'] });
    const all = await eventsUntil(events, ({ type }) => type === 'end');
    expect(all[0]).toMatchObject({ type: 'output', offset: totalBytes });
    expect(all.map((event) => (event.type === 'output' ? Buffer.from(event.bytes).toString() : '')).join('')).toBe(
      'after\r\n',
    );
  });

  it('is counted as long as it is subscribed', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    const viewers = async (): Promise<number> => (await manager.get(id)).viewers;
    expect(await viewers()).toBe(0);
    const [first, second] = await Promise.all([manager.subscribe(id), manager.subscribe(id, 0)]);
    expect(await viewers()).toBe(2);
    first.close();
    expect(await viewers()).toBe(1);
    const reading = textUntil(second, 'enough');
    await manager.write(id, { input: 'enough' });
    expect(await reading).toContain('enough');
    expect(await viewers()).toBe(0);
  });

  it('of an ended terminal gets all output, the exit and the end', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'sh', '-c', 'echo all of it; exit 3');
    await readUntilExit(manager, id);
    const events = await eventsUntil(await manager.subscribe(id, 0), ({ type }) => type === 'end');
    expect(events.map(({ type }) => type)).toEqual(['output', 'exit', 'end']);
    expect(await eventsUntil(await manager.subscribe(id), () => false)).toEqual(events.slice(1));
    expect((await manager.snapshot(id)).data).toContain('all of it');
  });

  it('is told of the end when the terminal is removed', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    const events = eventsUntil(await manager.subscribe(id), () => false);
    await manager.remove(id, { graceMs: 0 });
    expect((await events).at(-1)).toEqual({ type: 'end', offset: 0 });
    await expect(manager.subscribe(id)).rejects.toEqual(error('TERMINAL_NOT_FOUND'));
  });
});
