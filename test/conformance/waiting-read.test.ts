/** Tests what ends reads that wait, wherever the terminals are held. */
import { MANAGERS, readUntilExit, run, stopEngines } from '../engine/engine-under-test.js';
import { error } from './error.js';
import { eventually } from '../eventually.js';

afterEach(stopEngines);

describe.each(MANAGERS)('a waiting read %s', (_where, startManager) => {
  it('answers as soon as there is new output', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    const { cursor } = await manager.read(id);
    const waiting = manager.read(id, { cursor, timeoutMs: 60_000 });
    await manager.write(id, { input: 'ping' });
    expect((await waiting).output).toContain('ping');
  });

  it('answers when the program ends, and immediately after it has ended', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'sh', '-c', 'read x; exit 3');
    const { cursor } = await manager.read(id);
    const waiting = manager
      .read(id, { cursor, timeoutMs: 60_000, format: 'raw' as const })
      .catch((cause: unknown) => cause);
    expect(await waiting).toMatchObject({ code: 'INVALID_INPUT' });
    const end = manager.read(id, { since: 0, timeoutMs: 60_000, mode: 'tail' });
    await manager.write(id, { keys: ['ctrl-d'] });
    await end;
    await readUntilExit(manager, id);
    const last = await manager.read(id);
    expect(await manager.read(id, { cursor: last.cursor, timeoutMs: 60_000 })).toMatchObject({
      output: '',
      exitCode: 3,
    });
  });

  it('ends when its caller gives up; the program continues', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    const giveUp = new AbortController();
    const waiting = manager.read(id, { timeoutMs: 60_000 }, { signal: giveUp.signal });
    giveUp.abort();
    expect(await waiting).toMatchObject({ output: '', isActive: true });
  });

  it('does not start for a caller that has given up already', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    const page = await manager.read(id, { timeoutMs: 60_000 }, { signal: AbortSignal.abort() });
    expect(page).toMatchObject({ output: '', isActive: true });
  });

  it('is no longer counted after its caller has given up; others continue to wait', async () => {
    const manager = startManager({ maxWaitingReads: 2 });
    const { id } = await run(manager, 'cat');
    const giveUp = new AbortController();
    const other = manager.read(id, { timeoutMs: 60_000 });
    const waiting = manager.read(id, { timeoutMs: 60_000 }, { signal: giveUp.signal });
    giveUp.abort();
    await waiting;
    expect(await manager.summary()).toMatchObject({ waitingReads: 1 });
    await manager.write(id, { input: 'ping' });
    expect((await other).output).toContain('ping');
  });

  it('answers, or is refused, when the manager is closed', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    const waiting = manager.read(id, { timeoutMs: 60_000 }).catch((cause: unknown) => cause);
    await eventually(async () => (await manager.summary()).waitingReads > 0);
    await manager.close();
    expect([expect.objectContaining({ output: '' }), error('SHUTTING_DOWN')]).toContainEqual(await waiting);
  });

  it('ends when the terminal is removed', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    const waiting = manager.read(id, { timeoutMs: 60_000 });
    await manager.remove(id);
    expect(await waiting).toMatchObject({ output: '' });
  });

  it('is refused if too many wait', async () => {
    const manager = startManager({ maxWaitingReads: 2 });
    const { id } = await run(manager, 'cat');
    // Four callers may have two each.
    const waiting = Array.from({ length: 8 }, () => manager.read(id, { timeoutMs: 60_000 }));
    await expect(manager.read(id, { timeoutMs: 1 })).rejects.toEqual(
      error('LIMIT_REACHED', /TENACITTY_MAX_WAITING_READS is 2/),
    );
    expect(await manager.summary()).toMatchObject({ waitingReads: 8 });
    await manager.write(id, { input: 'go' });
    await Promise.all(waiting);
    expect(await manager.summary()).toMatchObject({ waitingReads: 0 });
  });
});
