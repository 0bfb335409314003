/** Tests setting the time of day while terminals run: no duration is measured by it. */
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { clearSharedPlaces, endHosts, HOST_MAIN, hostPids, newPlaces, openManager } from './host-under-test.js';

afterEach(async () => {
  await clearSharedPlaces();
  await endHosts();
});

const CLOCK = join(import.meta.dirname, '..', 'fixtures', 'jumping-clock.mjs');
const HOUR_MS = 3_600_000;

describe('a change of the time of day', () => {
  it.each([
    ['ahead', 'SIGUSR2'],
    ['back', 'SIGWINCH'],
  ] as const)('%s, ends nothing early, and keeps nothing beyond its time', async (_where, signal) => {
    const places = newPlaces();
    const hostProgram = ['--import', CLOCK, HOST_MAIN];
    const manager = openManager(places, { hostProgram, engine: { runningTimeoutMs: HOUR_MS } });
    const shell = { shell: '/bin/bash', env: { HOME: places.root } };
    const { id: idle } = await manager.create(shell);
    await manager.exec(idle, { command: 'true' });
    const { id: quiet } = await manager.create({ command: 'cat' });
    const { id: limited } = await manager.create({ command: 'cat', timeLimitMs: HOUR_MS });
    const { created } = await manager.create({ command: 'true' });
    for (const pid of hostPids(places)) process.kill(pid, signal);
    await eventually(async () => {
      const later = await manager.create({ command: 'true' });
      return Math.abs(Date.parse(later.created) - Date.parse(created)) > HOUR_MS;
    });
    // Its end shows that all have been checked, this one last.
    const { id: over } = await manager.create({ ...shell, sessionTimeoutMs: 400 });
    await manager.exec(over, { command: 'true' });
    await eventually(async () => (await manager.get(over)).endedBy?.reason === 'session_timeout');
    for (const id of [idle, quiet, limited]) expect((await manager.get(id)).status).toBe('active');
    expect(await manager.exec(idle, { command: 'echo on' })).toMatchObject({ output: 'on', exitCode: 0 });
  });
});
