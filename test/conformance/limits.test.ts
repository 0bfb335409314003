/** Tests limits, wherever the terminals are held: each error names its limit. */
import { MANAGERS, readUntilExit, readUntilText, run, stopEngines } from '../engine/engine-under-test.js';
import { error } from './error.js';

afterEach(stopEngines);

describe.each(MANAGERS)('limits %s', (_where, startManager) => {
  it('report their name: terminals', async () => {
    const manager = startManager({ maxTerminals: 2 });
    const first = await run(manager, 'cat');
    await run(manager, 'cat');
    await expect(run(manager, 'cat')).rejects.toEqual(error('LIMIT_REACHED', /TENACITTY_MAX_TERMINALS is 2/));
    await manager.remove(first.id);
    await run(manager, 'cat');
  });

  it('report their name: ended terminals, of which the oldest is removed', async () => {
    const manager = startManager({ maxExitedTerminals: 2 });
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) {
      const { id } = await run(manager, 'true');
      ids.push(id);
      await readUntilExit(manager, id);
    }
    expect((await manager.list()).map(({ id }) => id)).toEqual(ids.slice(2));
  });

  it('report their name: input', async () => {
    const manager = startManager({ maxInputBytes: 100, maxPendingInputBytes: 300 });
    const { id } = await run(manager, 'sleep', '1000');
    await expect(manager.write(id, { input: 'x'.repeat(100) })).rejects.toEqual(
      error('PAYLOAD_TOO_LARGE', /TENACITTY_MAX_INPUT_BYTES/),
    );
    const stalled = startManager({ maxPendingInputBytes: 300_000 });
    const { id: sleeper } = await run(stalled, 'sh', '-c', 'stty raw -echo; echo ready; exec sleep 1000');
    await readUntilText(stalled, sleeper, 'ready');
    const flood = async (): Promise<void> => {
      for (let i = 0; i < 20; i++) await stalled.write(sleeper, { input: 'x'.repeat(50_000), raw: true });
    };
    await expect(flood()).rejects.toEqual(error('LIMIT_REACHED', /TENACITTY_MAX_PENDING_INPUT_BYTES/));
  });

  it('refuse invalid arguments, naming each', async () => {
    const manager = startManager();
    await expect(manager.create({ cols: 0 })).rejects.toEqual(error('INVALID_INPUT', /cols/));
    await expect(manager.create({ shel: 'x' } as never)).rejects.toEqual(error('INVALID_INPUT', /shell/));
    await expect(manager.create({ shell: '/no/such/shell' })).rejects.toEqual(
      error('INVALID_INPUT', /shell.*\/no\/such\/shell/),
    );
    await expect(manager.create({ cwd: '/no/such/dir' })).rejects.toEqual(
      error('INVALID_INPUT', /cwd.*\/no\/such\/dir/),
    );
    await expect(manager.create({ shell: '/etc/passwd' })).rejects.toEqual(error('INVALID_INPUT', /shell/));
    expect(await manager.list()).toEqual([]);
  });
});
