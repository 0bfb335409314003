/** Tests recordings of real programs, wherever the terminals are held: what is recorded when, and what it shows. */
import { join } from 'node:path';
import type { TerminalManager } from '../../src/contract/manager.js';
import type { TerminalScreen } from '../../src/contract/output.js';
import { stripSgr } from '../../src/history/line-text.js';
import { recordingOf } from '../../src/recording/open-recording.js';
import { eventsUntil, MANAGERS, readUntilExit, run, stopEngines } from '../engine/engine-under-test.js';
import { castOf, exportOf, played, printed } from '../engine/played.js';

afterEach(stopEngines);

/** Reached only if the test fails. */
const LONG = { timeoutMs: 60_000 };
/** Odd, because the middle is where the size changes. */
const CUTS = 11;
const CAPTURES = join(import.meta.dirname, '..', 'captures');

/** Prints half of a capture, waits for a line, and prints the other half. */
function halves(name: string): string {
  const file = join(CAPTURES, `${name}.raw`);
  return `stty -echo -opost; n=$(( $(wc -c < ${file}) / 2 )); head -c $n ${file}; read line; tail -c +$((n + 1)) ${file}`;
}

/** A screen that was made narrower keeps the cells beyond its margin, in case it is made wider again. */
function visible({ cols, lines }: Pick<TerminalScreen, 'cols' | 'lines'>): string[] {
  return lines.map((line) => stripSgr(line).slice(0, cols).trimEnd());
}

async function ofHalves(manager: TerminalManager, name: string): Promise<string> {
  const { id } = await manager.create({ command: 'bash', args: ['-c', halves(name)], cols: 80, rows: 24 });
  await manager.wait(id, { idleMs: 200, fromOffset: 0, ...LONG });
  await manager.resize(id, { cols: 70, rows: 20 });
  await manager.write(id, { input: '\n' });
  await manager.wait(id, LONG);
  return id;
}

describe.each(MANAGERS)('a recording of a terminal %s', (_where, startManager) => {
  it('says when each part of the output was written', async () => {
    const manager = startManager();
    const { id, created } = await run(manager, 'sh', '-c', 'stty -echo; echo one; read line; echo two; read line');
    await manager.wait(id, { text: 'one\n', fromOffset: 0, ...LONG });
    const between = Date.now();
    await manager.wait(id, { idleMs: 50, ...LONG });
    await manager.write(id, { input: '\n' });
    await manager.wait(id, { text: 'two\n', fromOffset: 0, ...LONG });
    const page = await manager.track(id);
    expect(page).toMatchObject({ timing: 'reads', fromOffset: 0, heldFrom: 0, nextOffset: null });
    const one = page.points.findLast(([offset]) => offset === 0)!;
    const two = page.points.findLast(([offset]) => offset <= 5)!;
    expect(one[1]).toBeGreaterThanOrEqual(Date.parse(created));
    expect(one[1]).toBeLessThanOrEqual(between);
    expect(two[1]).toBeGreaterThanOrEqual(between);
    expect(await manager.track(id, { fromTime: between })).toMatchObject({ fromOffset: 5 });
    const toTime = new Date(between).toISOString();
    expect(printed(await castOf(manager, id, { toTime }))).toBe('one\r\n');
    expect(printed(await castOf(manager, id, { fromTime: toTime }))).toContain('two\r\n');
    const { events } = await castOf(manager, id);
    expect(events[0]!.time).toBe(0);
    expect(Math.round(events.find(({ data }) => data.includes('two'))!.time)).toBe(two[1] - one[1]);
    expect((await castOf(manager, id, { idleLimitMs: 3 })).events.at(-1)!.time).toBeLessThan(50);
  });

  it.each(['vim', 'htop', 'npm-install'])('shows the same screen for %s, resized in the middle', async (name) => {
    const manager = startManager();
    const id = await ofHalves(manager, name);
    const { totalBytes } = await manager.get(id);
    const whole = await castOf(manager, id);
    const { offset: _offset, ...screen } = await manager.screen(id, 'ansi');
    expect(played(whole)).toEqual(screen);
    expect(whole.events.filter(({ code }) => code === 'r').map(({ data }) => data)).toEqual(['70x20']);
    expect(whole.events.at(-1)).toMatchObject({ code: 'x', data: '0' });
    for (let cut = 1; cut < CUTS; cut++) {
      const fromOffset = Math.floor((totalBytes * cut) / CUTS);
      const rest = await castOf(manager, id, { fromOffset });
      expect(played(rest)).toEqual(screen);
      const before = await castOf(manager, id, { toOffset: fromOffset });
      const after = { ...rest, events: rest.events.slice(0, 1) };
      expect(visible(played(after))).toEqual(visible(played(before)));
    }
    const raw = await exportOf(manager, id, { format: 'raw', fromOffset: 100, toOffset: 200 });
    expect(printed(whole)).toContain(raw.replaceAll('\ufffd', ''));
  });

  it('contains one command, if that is requested, and marks all of them otherwise', async () => {
    const manager = startManager();
    const { id } = await manager.create({ shell: '/bin/bash', env: { HOME: '/nonexistent' } });
    await manager.exec(id, { command: 'echo first', ...LONG });
    await manager.exec(id, { command: 'echo second; (exit 3)', ...LONG });
    const second = await castOf(manager, id, { command: 2 });
    const [snapshot, ...events] = second.events;
    expect(snapshot!.data).toContain('first');
    expect(printed({ ...second, events })).toMatch(/^[^]{0,20}second\r\n/);
    expect(second.events.filter(({ code }) => code === 'm' || code === 'x')).toMatchObject([
      { data: 'echo second; (exit 3) → exit 3' },
      { data: '3' },
    ]);
    expect(await exportOf(manager, id, { command: 2, format: 'text' })).toContain('second\n');
    const markers = (await castOf(manager, id)).events.filter(({ code }) => code === 'm');
    expect(markers.map(({ data }) => data)).toEqual(['echo first → exit 0', 'echo second; (exit 3) → exit 3']);
    await expect(exportOf(manager, id, { command: 7 })).rejects.toMatchObject({ code: 'COMMAND_NOT_FOUND' });
  });

  it('says how much of its beginning was dropped, and begins with a whole line', async () => {
    const manager = startManager({ historyPlace: 'memory', maxBufferLines: 100, maxBufferBytes: 64 << 10 });
    const { id } = await run(manager, 'seq', '-f', 'line %07.0f', '20000');
    await manager.wait(id, LONG);
    const cast = await castOf(manager, id);
    const { totalBytes } = await manager.get(id);
    expect(cast.header.tenacitty.dropped).toBeGreaterThan(totalBytes / 2);
    expect(cast.events[0]!.data.slice(0, 7)).toBe('line 00');
    expect(played(cast)).toEqual({ ...(await manager.screen(id, 'ansi')), offset: undefined });
    expect(cast.header.tenacitty.timing).toBe('reads');
  });

  it('has the same lines as the history', async () => {
    const manager = startManager();
    const { id } = await run(
      manager,
      'sh',
      '-c',
      'seq 1 200; printf "\\033[31mred\\033[m "; seq -s " " 1 100; printf "a\\rb\\n"',
    );
    const lines = await readUntilExit(manager, id);
    expect(await exportOf(manager, id, { format: 'text' })).toBe(`${lines}\n`);
    const { totalBytes } = await manager.get(id);
    expect(await exportOf(manager, id, { format: 'text', fromOffset: 0, toOffset: totalBytes })).toBe(`${lines}\n`);
    const ansi = await exportOf(manager, id, { format: 'ansi', fromOffset: 0 });
    expect(ansi).toContain('\x1b[31mred');
    expect(ansi.split('\n')).toHaveLength(lines.split('\n').length + 1);
  });

  it('is empty for a program that prints nothing, and refused outside of the output', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'true');
    await manager.wait(id, LONG);
    expect((await castOf(manager, id)).events).toEqual([{ time: expect.any(Number), code: 'x', data: '0' }]);
    const { head, events } = await recordingOf(manager, id);
    expect(head).toMatchObject({ terminalId: id, cols: 80, rows: 24, dropped: 0 });
    expect(await eventsUntil(events, () => false)).toEqual([{ type: 'exit', time: expect.any(Number), status: 0 }]);
    await expect(manager.track(id, { fromOffset: 1 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    for (const [request, field] of [
      [{ fromOffset: 1 }, 'fromOffset'],
      [{ toOffset: 1 }, 'toOffset'],
      [{ format: 'text', idleLimitMs: 1 }, 'idleLimitMs'],
      [{ command: 1, fromOffset: 0 }, 'command'],
      [{ fromTime: '2026-01-01T00:00:00Z', fromOffset: 0 }, 'fromTime'],
    ] as const) {
      const issues = [expect.objectContaining({ field })];
      await expect(exportOf(manager, id, request)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { issues },
      });
    }
  });
});
