/** Tests event streams, wherever the terminals are held: complete, in order, and with gaps reported. */
import type { GapEvent, OutputEvent } from '../../src/contract/event.js';
import { allBytes, eventsUntil, MANAGERS, readUntilExit, run, stopEngines } from '../engine/engine-under-test.js';
import { error } from './error.js';

afterEach(stopEngines);

describe.each(MANAGERS)('a subscription %s', (_where, startManager) => {
  it('delivers every byte once, in order, then the exit, then the end', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'seq', '1', '20000');
    const events = await eventsUntil(await manager.subscribe(id, 0), ({ type }) => type === 'end');
    let offset = 0;
    for (const event of events) {
      if (event.type !== 'output') continue;
      expect(event.offset).toBe(offset);
      offset += event.bytes.length;
    }
    expect(events.slice(-2)).toEqual([
      { type: 'exit', exitCode: 0, signal: null },
      { type: 'end', offset },
    ]);
    expect((await allBytes(manager, id)).toString()).toBe(
      Array.from({ length: 20_000 }, (_, i) => `${i + 1}\r\n`).join(''),
    );
  });

  it('reports what a slow subscriber has missed', async () => {
    const manager = startManager({ maxBufferLines: 100, maxBufferBytes: 64 << 10, historyPlace: 'memory' });
    const { id } = await run(manager, 'seq', '1', '100000');
    await readUntilExit(manager, id);
    const [first, second] = await eventsUntil(await manager.subscribe(id, 0), ({ type }) => type === 'output');
    expect(first).toMatchObject({ type: 'gap', offset: 0 });
    expect(second).toMatchObject({ type: 'output', offset: first!.type === 'gap' ? first.resumeAt : -1 });
  });

  it('continues after each gap, and reports everything that was missed', async () => {
    const manager = startManager({ maxBufferLines: 100, maxBufferBytes: 64 << 10, historyPlace: 'memory' });
    const flood = 'stty -echo; for i in 1 2 3; do read go; seq -f %010.0f 150000; echo done-$i; done';
    const { id } = await run(manager, 'sh', '-c', flood);
    const events = (await manager.subscribe(id, 0))[Symbol.asyncIterator]();
    let offset = 0;
    for (let round = 1; round <= 3; round++) {
      await manager.write(id, { keys: ['enter'] });
      await manager.wait(id, { text: `done-${round}\n`, fromOffset: offset, timeoutMs: 60_000 });
      const { totalBytes } = await manager.get(id);
      let gaps = 0;
      while (offset < totalBytes) {
        const { value: event } = (await events.next()) as IteratorYieldResult<OutputEvent | GapEvent>;
        expect(event.offset).toBe(offset);
        if (event.type === 'gap') gaps++;
        offset = event.type === 'gap' ? event.resumeAt : event.offset + event.bytes.length;
      }
      expect({ offset, isMissing: gaps > 0 }).toEqual({ offset: totalBytes, isMissing: true });
    }
  });

  it('ends when it is closed, from inside and from outside', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    const subscription = await manager.subscribe(id);
    const waiting = eventsUntil(subscription, () => false);
    subscription.close();
    subscription.close();
    expect(await waiting).toEqual([]);
    await expect(manager.subscribe(id, 5)).rejects.toEqual(error('INVALID_INPUT', /fromOffset/));
  });

  it('reports the exit immediately even if a background child keeps the terminal, and then that child’s output', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'sh', '-c', '(trap "" HUP; read line < /dev/tty; echo "late $line") & exit 4');
    const subscription = await manager.subscribe(id, 0);
    const events = await eventsUntil(subscription, ({ type }) => type === 'exit');
    expect(events.at(-1)).toEqual({ type: 'exit', exitCode: 4, signal: null });
    expect(await manager.get(id)).toMatchObject({ status: 'exited' });
    await manager.remove(id);
  });
});
