/**
 * Tests why terminals end, wherever they are held: which are never ended for being idle, which are, and what is
 * reported.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EndedBy } from '../../src/contract/ending.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import type { CreateTerminal } from '../../src/contract/terminal.js';
import { eventually } from '../eventually.js';
import { NO_OUTPUT } from '../../src/contract/output.js';
import { MANAGERS, readUntilExit, run, stopEngines } from '../engine/engine-under-test.js';
import { error } from './error.js';

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'tenacitty-'))));
afterEach(async () => {
  await stopEngines();
  rmSync(home, { recursive: true, force: true });
});

const QUIET_MS = 400;

/** A shell with shell integration, at its prompt after a command. */
async function shellAfter(manager: TerminalManager, command: string, more: CreateTerminal = {}): Promise<string> {
  const { id } = await manager.create({ shell: '/bin/bash', env: { HOME: home }, ...more });
  expect((await manager.exec(id, { command })).completed).toBe(true);
  return id;
}

async function untilEnded(manager: TerminalManager, id: string): Promise<EndedBy> {
  let endedBy: EndedBy | null = null;
  await eventually(async () => (endedBy = (await manager.get(id)).endedBy) !== null);
  return endedBy!;
}

describe.each(MANAGERS)('the end of a terminal %s', (_where, startManager) => {
  it('is never caused by silence, except for an idle shell without viewers', async () => {
    const manager = startManager({ sessionTimeoutMs: QUIET_MS });
    const quiet = (await run(manager, 'sleep', '1000')).id;
    const working = (await manager.create({ shell: '/bin/bash', env: { HOME: home } })).id;
    await manager.exec(working, { command: 'sleep 1000', detach: true });
    const job = await shellAfter(manager, 'sleep 1000 &');
    const left = await shellAfter(manager, '(setsid sleep 1000 &)');
    const typed = await shellAfter(manager, 'true');
    await manager.write(typed, { input: 'half a line', enter: false });
    const watched = await shellAfter(manager, 'true');
    const subscription = await manager.subscribe(watched);
    const asked = await shellAfter(manager, 'true', { sessionTimeoutMs: 0 });
    // It is checked after all the others, which have been idle for longer.
    const idle = await shellAfter(manager, 'true');
    expect(await untilEnded(manager, idle)).toMatchObject({
      reason: 'session_timeout',
      setting: 'TENACITTY_SESSION_TIMEOUT',
    });
    for (const id of [quiet, working, job, left, typed, watched, asked]) {
      expect(await manager.get(id)).toMatchObject({ status: 'active', endedBy: null });
    }
    subscription.close();
  });

  it('is caused by silence for any program, if configured', async () => {
    const manager = startManager({ sessionTimeoutMs: 0, runningTimeoutMs: QUIET_MS });
    const idle = await shellAfter(manager, 'true');
    const { id, pid } = await run(manager, 'sleep', '1000');
    const { reason, setting, at } = await untilEnded(manager, id);
    expect({ reason, setting }).toEqual({ reason: 'running_timeout', setting: 'TENACITTY_RUNNING_TIMEOUT' });
    expect((await manager.get(id)).ended).toBe(at);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect((await manager.get(idle)).status).toBe('active');
  });

  it('comes at its time limit, in any state', async () => {
    const manager = startManager();
    const { id, timeLimitMs } = await manager.create({
      ...{ command: 'sh', args: ['-c', 'while :; do echo on; sleep 0.05; done'] },
      timeLimitMs: QUIET_MS,
    });
    expect(timeLimitMs).toBe(QUIET_MS);
    expect(await untilEnded(manager, id)).toMatchObject({ reason: 'time_limit', setting: 'timeLimitMs' });
    expect((await run(manager, 'cat')).timeLimitMs).toBeNull();
    const refused = manager.create({ timeLimitMs: 0 });
    await expect(refused).rejects.toEqual(error('INVALID_INPUT', /timeLimitMs/));
  });

  it('comes after its client has disconnected: for its idle shell, or for all, unless a client has returned', async () => {
    const manager = startManager();
    const connection = { timeoutMs: QUIET_MS };
    const all = { timeoutMs: QUIET_MS, ends: 'all' } as const;
    const running = await shellAfter(manager, 'true', { connection });
    await manager.exec(running, { command: 'while :; do echo on; sleep 0.05; done', detach: true });
    const noisy = await shellAfter(manager, 'true', { connection: all });
    await manager.exec(noisy, { command: 'while :; do echo on; sleep 0.05; done', detach: true });
    const idle = await shellAfter(manager, 'true', { connection });
    // From now on, it receives requests continuously.
    const renewed = await shellAfter(manager, 'true', { connection });
    for (const id of [noisy, idle]) {
      await eventually(async () => {
        await manager.read(renewed, NO_OUTPUT);
        return (await manager.get(id)).endedBy?.reason === 'connection_closed';
      });
    }
    for (const id of [running, renewed]) expect(await manager.get(id)).toMatchObject({ status: 'active' });
    expect(await untilEnded(manager, renewed)).toMatchObject({ reason: 'connection_closed' });
    await expect(manager.create({ connection: { timeoutMs: 0 } })).rejects.toEqual(error('INVALID_INPUT', /timeoutMs/));
  });

  it('is reported with its reason: by itself, by a signal, by a caller, by a closed connection', async () => {
    const manager = startManager();
    const [exited, signalled, deleted, closed] = await Promise.all([
      run(manager, 'sh', '-c', 'exit 7'),
      run(manager, 'sh', '-c', 'kill -TERM $$'),
      run(manager, 'cat'),
      run(manager, 'cat'),
    ]);
    await readUntilExit(manager, exited.id);
    // The reason for an earlier end is not overwritten by a later call.
    await manager.kill(exited.id);
    await manager.kill(deleted.id);
    await manager.kill(closed.id, { reason: 'connection_closed' });
    const reasons = await Promise.all([exited, signalled, deleted, closed].map(({ id }) => untilEnded(manager, id)));
    expect(reasons.map(({ reason }) => reason)).toEqual(['exit', 'signal', 'deleted', 'connection_closed']);
    expect(deleted.endedBy).toBeNull();
  });
});
