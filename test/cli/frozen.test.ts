/**
 * Tests how the command line reports a stopped host: on stderr and by exit code; any loss of typed text is reported.
 */
import { ownerOf } from '../../src/host/ownership.js';
import { Place } from './place.js';
import { eventually } from '../eventually.js';

let place: Place;
let stopped: number | undefined;
beforeEach(async () => (place = await new Place().ready()));
afterEach(async () => {
  await goOn();
  await place.close();
});

const DETACH = '\x1c';

function hostPid(slot: number): number {
  const { TENACITTY_DATA_DIR: dataDir, TENACITTY_RUNTIME_DIR: runtimeDir } = place.env;
  return ownerOf({ dataDir: dataDir!, runtimeDir: runtimeDir! }, slot)!.pid;
}

function stop(): number {
  stopped = hostPid(0);
  process.kill(stopped, 'SIGSTOP');
  return stopped;
}

/** Resumes the host; resolves when this process, too, has noticed that it answers. */
async function goOn(): Promise<void> {
  if (stopped === undefined) return;
  process.kill(stopped, 'SIGCONT');
  stopped = undefined;
  await eventually(async () => !(await place.manager.summary()).isIncomplete);
}

it('is reported with an exit code by every command that lists, and terminals of other hosts are listed', async () => {
  const env = { TENACITTY_MAX_HOST_TERMINALS: '1' };
  const [frozen, well] = [await open(), await open()];
  expect(hostPid(1)).not.toBe(hostPid(0));
  const pid = stop();
  const says = expect.stringMatching(`host 0 \\(pid ${pid}\\) has not responded`) as string;
  const [table, json, stats, attach, doctor] = await Promise.all(
    [['ls'], ['ls', '--json'], ['stats', '--json'], ['logs', frozen], ['doctor', '--json']].map((args) =>
      place.run(...args),
    ),
  );
  expect(table).toMatchObject({ code: 1, stdout: expect.stringContaining(well.slice(0, 8)) as string, stderr: says });
  expect(json).toMatchObject({ code: 1, stderr: says });
  expect(JSON.parse(json!.stdout)).toMatchObject([{ id: well }]);
  expect(stats!.code).toBe(1);
  expect(JSON.parse(stats!.stdout)).toMatchObject({ activeTerminals: 1, problems: [says], isIncomplete: true });
  expect(attach).toMatchObject({ code: 1, stderr: expect.stringContaining('Cannot determine whether') as string });
  expect(doctor!.code).toBe(1);
  expect(JSON.parse(doctor!.stdout)).toContainEqual({
    what: 'host 0',
    state: 'wrong',
    says: expect.stringMatching(`not responded.*kill -CONT ${pid}`) as string,
  });

  async function open(): Promise<string> {
    return (await place.start(['new', '--', 'cat'], { env }).ended()).stdout.trim();
  }
});

it('makes a server’s health degraded until it continues, and reports why', async () => {
  const server = place.start(['serve'], { stdin: null });
  await server.says(/is at http[^]*Stop/, 'stderr');
  const url = /is at (http\S+)/.exec(server.stderr)![1]!;
  const health = async () => {
    const { data } = (await (await fetch(`${url}/api/health`)).json()) as {
      data: { status: string; problems: string[] };
    };
    return data;
  };
  await place.open('exec cat');
  expect(await health()).toMatchObject({ status: 'healthy', problems: [], activeTerminals: 1 });
  const pid = stop();
  await eventually(async () => (await health()).status === 'degraded');
  const problems = [expect.stringContaining(`host 0 (pid ${pid}) has not responded`)];
  expect(await health()).toMatchObject({ problems, activeTerminals: 1 });
  await goOn();
  await eventually(async () => (await health()).status === 'healthy');
});

it('is reported to an attached client, whose input is kept and typed once when the host continues', async () => {
  const id = await place.open('stty -echo; exec cat');
  const person = place.inTerminal(['attach', id]);
  await person.until(/ready/);
  stop();
  for (const key of ['one', 'two', 'three']) person.type(`${key}\r`);
  await person.until(/has not responded for \d+ s; your input is kept until it does; Ctrl-\\ detaches/);
  person.type('four\r');
  await goOn();
  const text = await place.until(id, /four/);
  expect(text.match(/one|two|three|four/g)).toEqual(['one', 'two', 'three', 'four']);
  await person.until(/four/);
  person.type(DETACH);
  expect(await person.exited).toMatchObject({ exitCode: 0 });
  expect(person.output).not.toContain('not sent');
});

it('lets an attached client detach, and reports how much input was not sent', async () => {
  const id = await place.open('exec cat');
  const person = place.inTerminal(['attach', id]);
  await person.until(/ready/);
  stop();
  person.type('x');
  await person.until(/has not responded/);
  person.type('12345');
  person.type(DETACH);
  await person.exited;
  expect(person.output).toMatch(/5 characters were not sent, because the terminal does not respond/);
});
