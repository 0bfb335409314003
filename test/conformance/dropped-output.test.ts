/** What a wait and a command say of output that was gone before anybody asked, wherever the terminals are held. */
import { MANAGERS, run, stopEngines } from '../engine/engine-under-test.js';

/** Only a failure uses it up. */
const LONG = { timeoutMs: 60_000 };
const SMALL = { historyPlace: 'memory', maxBufferLines: 100, maxBufferBytes: 64 << 10 } as const;

afterEach(stopEngines);

describe.each(MANAGERS)('output that is gone, %s', (_where, startManager) => {
  it('is told by a wait, byte by byte', async () => {
    const manager = startManager(SMALL);
    const { id } = await run(manager, 'sh', '-c', 'seq 1 100000; echo NEEDLE; exec cat');
    const kept = await manager.wait(id, { text: 'NEEDLE', ...LONG, fromOffset: 0 });
    expect(kept).toMatchObject({ reason: 'text', match: { text: 'NEEDLE' } });
    const { skippedBytes: gone } = await manager.wait(id, { text: 'NEEDLE', fromOffset: 0 });
    expect(gone).toBeGreaterThan(100_000);
    const asks = [gone, gone - 1, gone - 1000].map((fromOffset) => manager.wait(id, { text: 'NEEDLE', fromOffset }));
    expect((await Promise.all(asks)).map(({ skippedBytes }) => skippedBytes)).toEqual([0, 1, 1000]);
    expect(await manager.wait(id, { text: 'nowhere', fromOffset: 0, timeoutMs: 0 })).toMatchObject({
      reason: 'timeout',
      skippedBytes: gone,
    });
    expect(await manager.wait(id, { input: true, fromOffset: 0, ...LONG })).toMatchObject({ skippedBytes: 0 });
  });
});
