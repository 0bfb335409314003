/**
 * Tests what waits and commands report about output that was dropped before it was requested, wherever the terminals
 * are held.
 */
import { MANAGERS, run, stopEngines } from '../engine/engine-under-test.js';

/** Reached only if the test fails. */
const LONG = { timeoutMs: 60_000 };
const SMALL = { historyPlace: 'memory', maxBufferLines: 100, maxBufferBytes: 64 << 10 } as const;

afterEach(stopEngines);

describe.each(MANAGERS)('dropped output, %s', (_where, startManager) => {
  it('is reported by a wait, byte by byte', async () => {
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

  it('is reported for a command, in its result and when it is read', async () => {
    const manager = startManager(SMALL);
    const { id } = await manager.create({ shell: '/bin/bash', env: { HOME: '/nonexistent' } });
    const whole = await manager.exec(id, { command: 'seq 1 100', ...LONG });
    expect(whole).toMatchObject({ truncated: false, totalLines: 100 });
    const cut = await manager.exec(id, { command: 'seq 1 100000', mode: 'tail', tailLines: 1, ...LONG });
    expect(cut).toMatchObject({ truncated: true, output: '100000' });
    expect(await manager.readCommand(id, 2, { mode: 'tail', tailLines: 1 })).toMatchObject({ truncated: true });
    expect(await manager.readCommand(id, 2, { format: 'raw' })).toMatchObject({ truncated: true });
    // After other commands were read, nothing is left of the one before.
    for (let others = 0; others < 4; others++) await manager.exec(id, { command: 'true', ...LONG });
    expect(await manager.readCommand(id, 1)).toMatchObject({ truncated: true, output: '' });
    expect(await manager.collect(id, 1)).toMatchObject({ truncated: true, output: '' });
  });

  it('is reported for a command that has printed more than is rendered', async () => {
    const manager = startManager({ historyPlace: 'memory', maxBufferLines: 4_000_000, maxBufferBytes: 48 << 20 });
    const { id } = await manager.create({ shell: '/bin/bash', env: { HOME: '/nonexistent' } });
    const command = 'yes "$(printf %1000s | tr " " x)" | head -20000; echo end';
    const result = await manager.exec(id, { command, mode: 'tail', tailLines: 2, ...LONG });
    expect(result).toMatchObject({ truncated: true, completed: true, totalBytes: 20_000 * 1002 + 5 });
    expect(result.output).toBe(`${'x'.repeat(1000)}\nend`);
    expect(result.totalLines).toBeLessThan(20_000);
    expect(await manager.readCommand(id, 1, { since: 0, maxLines: 1 })).toMatchObject({ truncated: true });
    expect(await manager.readCommand(id, 1, { mode: 'tail', tailLines: 1 })).toMatchObject({
      truncated: true,
      output: 'end',
    });
    expect((await manager.command(id, 1)).toOffset).toBeGreaterThan(20_000_000);
  });
});
