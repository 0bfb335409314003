/** Tests `tenacitty kill-server`, and that hosts exit when asked to and leave no process behind. */
import { eventually } from '../eventually.js';
import { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await new Place().ready()));
afterEach(() => place.close());

interface Host {
  readonly what: string;
  readonly says: string;
}

/** The pids of running hosts. */
async function hosts(): Promise<number[]> {
  const found = JSON.parse((await place.run('doctor', '--json')).stdout) as Host[];
  return found.flatMap(({ what, says }) => (what.startsWith('host ') ? [Number(/pid (\d+)/.exec(says)![1])] : []));
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('tenacitty kill-server', () => {
  it('refuses without a terminal to ask on, and with --yes ends all hosts and terminals', async () => {
    const env = { TENACITTY_MAX_HOST_TERMINALS: '1' };
    const made = await Promise.all([0, 1].map(() => place.start(['new', '--', 'sleep', '1000'], { env }).ended()));
    expect(made.map(({ code }) => code)).toEqual([0, 0]);
    const pids = await hosts();
    expect(pids).toHaveLength(2);
    expect(await place.run('kill-server')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(pids.filter(runs)).toEqual(pids);
    expect(await place.run('kill-server', '--yes')).toMatchObject({
      code: 0,
      stderr: 'tenacitty: ended 2 host processes with 2 running terminals\n',
    });
    expect(pids.filter(runs)).toEqual([]);
    expect(await place.run('kill-server', '--yes')).toMatchObject({
      code: 0,
      stderr: 'tenacitty: no host process is running\n',
    });
  });

  it('asks on a terminal, and treats any answer but yes as no', async () => {
    await place.open('exec cat');
    const [pid] = await hosts();
    const doubter = place.inTerminal(['kill-server']);
    await doubter.until(/End 1 host process with 1 running terminal\? \[y\/N\]/);
    doubter.type('\r');
    await doubter.closed;
    expect(runs(pid!)).toBe(true);
    const decided = place.inTerminal(['kill-server']);
    await decided.until(/\[y\/N\]/);
    decided.type('y\r');
    await decided.closed;
    expect(runs(pid!)).toBe(false);
  });
});

describe('tenacitty kill --all', () => {
  it('soon ends all host processes, and leaves terminals readable', async () => {
    const id = await place.open('exec cat');
    const [pid] = await hosts();
    // An open connection keeps the host running.
    await place.manager.close();
    expect(await place.run('kill', '--all')).toMatchObject({ code: 0 });
    await eventually(() => !runs(pid!));
    expect(await place.stdout('logs', id)).toContain('ready');
  });
});
