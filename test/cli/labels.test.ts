/** Tests `--label` in place of an ID: which terminals it selects, and what is rejected. */
import { labelsOf } from '../../src/contract/labels.js';
import { sharedPlace } from './place.js';
import type { EndedCommand, Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const WEB = ['--label', 'project=web'];

function open(labels: readonly string[], script: string): Promise<string> {
  return place.open(script, { labels: labelsOf(labels) });
}

/** Creates three terminals with the label, one of which has ended, and one with another label. */
async function four(): Promise<{ one: string; two: string; ended: string; other: string }> {
  const [one, two, other, ended] = await Promise.all([
    open(['project=web', 'task=one'], 'exec cat'),
    open(['project=web', 'task=two'], 'exec cat'),
    open(['project=api'], 'exec cat'),
    open(['project=web', 'task=old'], 'exit 3'),
  ]);
  await place.manager.wait(ended);
  return { one, two, ended, other };
}

function short(id: string): string {
  return id.slice(0, 8);
}

async function statusOf(id: string): Promise<string> {
  return (await place.manager.get(id)).status;
}

describe('--label', () => {
  it('types into all running terminals with the label, resizes them and presses keys in them', async () => {
    const { one, two, ended, other } = await four();
    expect(await place.run('send', ...WEB, 'hello')).toMatchObject({ code: 0, stderr: '' });
    for (const id of [one, two]) await place.until(id, /hello\nhello/);
    expect(await place.manager.get(other)).toMatchObject({ inputCount: 0 });
    await place.stdout('resize', ...WEB, '100x30');
    const cols = await Promise.all([one, two, other].map(async (id) => (await place.manager.get(id)).cols));
    expect(cols).toEqual([100, 100, 80]);
    await place.stdout('keys', ...WEB, '--label', 'task=one', 'ctrl-c');
    expect((await place.run('wait', one)).code).toBe(130);
    expect([await statusOf(two), await statusOf(ended)]).toEqual(['active', 'exited']);
  });

  it('ends the running ones, then removes the ended ones, then all', async () => {
    const { one, two, ended, other } = await four();
    const killed = await place.run('kill', ...WEB, '--label', 'task=one');
    expect(killed).toMatchObject({ code: 0, stderr: expect.stringContaining(`${short(one)} was ended`) });
    await place.stdout('rm', '--ended', ...WEB);
    const left = async () => (await place.manager.list()).map(({ id }) => id).sort();
    expect(await left()).toEqual([two, other].sort());
    await place.stdout('rm', ...WEB);
    expect(await left()).toEqual([other]);
    expect((await place.run('rm', ended)).code).toBe(3);
  });

  it('waits for each; the first exit code that is not 0 is passed on, and JSON is a list', async () => {
    const ids = await Promise.all([
      open(['job=1'], 'read line'),
      open(['job=1'], 'read line; exit 7'),
      open(['job=2'], 'exec cat'),
    ]);
    const waiting = place.start(['wait', '--label', 'job=1', '--json']);
    await place.stdout('send', '--label', 'job=1', 'go');
    const { code, stdout } = await waiting.ended();
    expect(code).toBe(7);
    const told = JSON.parse(stdout) as { terminalId: string; exitCode: number }[];
    const codes = Object.fromEntries(told.map(({ terminalId, exitCode }) => [terminalId, exitCode]));
    expect(codes).toEqual({ [ids[0]]: 0, [ids[1]]: 7 });
  });

  it('shows each one, below its id or as a list', async () => {
    const { one, two, ended } = await four();
    await place.stdout('send', one, 'needle');
    await place.until(one, /needle\nneedle/);
    const listed = (await place.stdout('ls', '-q', ...WEB)).trim().split('\n');
    expect([...listed].sort()).toEqual([one, two, ended].sort());
    const texts = listed.map((id) => `==> ${short(id)} <==\n${id === one ? 'ready\nneedle\nneedle' : 'ready'}\n`);
    expect(await place.stdout('logs', ...WEB)).toBe(texts.join('\n'));
    expect(await place.stdout('screen', ...WEB)).toBe(texts.join('\n'));
    for (const command of ['logs', 'screen', 'stats']) {
      const told = JSON.parse(await place.stdout(command, '--json', ...WEB)) as { terminalId: string }[];
      expect(told.map(({ terminalId }) => terminalId)).toEqual(listed);
    }
    expect(await place.stdout('search', ...WEB, 'needle')).toBe(`${short(one)}:1:needle\n${short(one)}:2:needle\n`);
    const matches = (await place.stdout('search', '--json', ...WEB, 'needle')).trim().split('\n');
    expect(matches.map((line) => JSON.parse(line))).toMatchObject([{ terminalId: one }, { terminalId: one }]);
  });

  it('selects the running terminal for a command that takes only one, and names it', async () => {
    const running = (await place.stdout('new', '--shell', 'bash', ...WEB)).trim();
    await open(['project=web'], 'exit 3').then((id) => place.run('wait', id));
    const named = expect.stringContaining(`terminal ${short(running)} has the label project=web`);
    expect(await place.run('exec', ...WEB, 'echo in $PWD')).toEqual({
      code: 0,
      stdout: `in ${place.directory}\n`,
      stderr: named,
    });
    expect(await place.run('exec', ...WEB, '--', 'echo', 'two words')).toMatchObject({ stdout: 'two words\n' });
    expect(await place.run('commands', ...WEB, '2')).toMatchObject({ code: 0, stderr: named });
    const following = place.start(['logs', '-f', ...WEB]);
    await following.says(new RegExp(short(running)), 'stderr');
  });

  it('names all candidates where only one is accepted', async () => {
    const { one, two } = await four();
    const { code, stdout, stderr } = await place.run('exec', ...WEB, 'true');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('2 terminals have the label project=web; give the ID of one:');
    for (const id of [one, two]) expect(stderr).toContain(`  ${id}  active`);
  });

  it('without a match exits with 3, and reports it', async () => {
    const ended = await open(['project=web'], 'exit 3');
    await place.run('wait', ended);
    const none = ['--label', 'project=none'];
    const commands = [['kill'], ['rm'], ['rm', '--ended'], ['send', 'x'], ['wait'], ['logs'], ['exec', 'x'], ['stats']];
    const tried = await Promise.all(commands.map(([name, ...words]) => place.run(name!, ...none, ...words)));
    const message = expect.stringContaining('No terminal has the label project=none.');
    expect(tried).toEqual(commands.map(() => ({ code: 3, stdout: '', stderr: message })));
    for (const command of [['kill'], ['send', 'x']]) {
      const { code, stderr } = await place.run(command[0]!, ...WEB, ...command.slice(1));
      expect(code).toBe(3);
      expect(stderr).toContain(
        'No terminal with the label project=web is running. Terminals with the label project=web:',
      );
      expect(stderr).toContain(`  ${ended}  exited`);
    }
  });

  it('is refused together with an ID, even where text is expected', async () => {
    const { one } = await four();
    const refused = (ended: EndedCommand) =>
      expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/[Gg]ive either /) });
    const both = [
      ['kill', one],
      ['rm', one],
      ['logs', one],
      ['wait', one],
      ['search', one, 'x'],
      ['send', short(one), 'x'],
      ['resize', one, '90x30'],
      ['exec', one, 'true'],
      ['kill', '--all'],
    ];
    for (const words of both) refused(await place.run(...words, ...WEB));
    expect(await place.manager.get(one)).toMatchObject({ status: 'active', inputCount: 0 });
  });
});
