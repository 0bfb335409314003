/** Tests `tenacitty exec`, `commands` and `interrupt`, as installed, with a real bash in its own host. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestedShell } from '../../src/contract/command.js';
import { sharedPlace, shortlyNamed } from './place.js';
import type { Place } from './place.js';
import { eventually } from '../eventually.js';

let place: Place;
let id: string;
beforeEach(async () => {
  place = await sharedPlace();
  id = await place.create({ shell: 'bash', cwd: '/' });
});
afterEach(() => place.clear());

const records = async () => JSON.parse(await place.stdout('commands', '--json', id)) as Record<string, unknown>[];
const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const short = () => id.slice(0, 8);
/** A command that runs until the file exists. */
const until = (marker: string) => `until [ -e '${join(place.directory, marker)}' ]; do sleep 0.05; done`;
const make = (marker: string) => writeFileSync(join(place.directory, marker), '');

describe('tenacitty exec', () => {
  it('passes on only the output and the exit code', async () => {
    const first = await place.run('exec', id, 'cd /usr; printf "a\\nb\\n"; (exit 7)');
    expect(first).toEqual({ code: 7, stdout: 'a\nb\n', stderr: '' });
    expect(await place.run('exec', id, 'pwd')).toEqual({ code: 0, stdout: '/usr\n', stderr: '' });
    expect(await place.run('exec', id, 'true')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('passes several words unchanged, and one word as text', async () => {
    const words = ['$HOME', "it's", '"x"', 'a  b', '', '*', '\\n', 'new\nline', '-n', 'é'];
    const { stdout } = await place.run('exec', id, '--', 'printf', '<%s>', ...words);
    expect(stdout).toBe(`${words.map((word) => `<${word}>`).join('')}\n`);
    expect(await place.stdout('exec', id, '--', 'cd /; echo $PWD *bin')).toBe('/ bin sbin\n');
  });

  it('reads a script from stdin', async () => {
    const stdin = 'for n in 1 2; do\n  echo "line $n"\ndone\ncat <<END\n$PWD\nEND\n';
    expect(await place.start(['exec', id, '-'], { stdin }).ended()).toMatchObject({
      code: 0,
      stdout: 'line 1\nline 2\n/\n',
    });
  });

  it('creates no terminal before it has read the script', async () => {
    const command = place.start(['exec', '--', '-'], { stdin: null });
    // More than a pipe holds, so it is being read.
    await new Promise((resolve) => command.child.stdin!.write('#'.repeat(1 << 20), resolve));
    const ended = command.ended();
    command.child.kill('SIGKILL');
    await ended;
    expect(await place.stdout('ls', '--quiet')).toBe(`${id}\n`);
  });

  it('prints output as it arrives', async () => {
    const command = place.start(['exec', id, `echo first; ${until('go')}; echo second`]);
    await command.says(/first/);
    expect(command.stdout).toBe('first');
    make('go');
    expect(await command.ended()).toEqual({ code: 0, stdout: 'first\nsecond\n', stderr: '' });
  });

  it('passes on a flood completely', async () => {
    const { stdout } = await place.run('exec', id, 'seq 1 100000');
    expect(stdout === Array.from({ length: 100_000 }, (_, line) => `${line + 1}\n`).join('')).toBe(true);
  });

  it('creates a terminal if no ID is given, which ends with the command, and passes on its exit code', async () => {
    const { code, stdout, stderr } = await place.run('exec', '--shell', 'bash', '--', '(sleep 1000 & echo $!); exit 7');
    expect({ code, stderr: stderr.includes('stays') }).toEqual({ code: 7, stderr: false });
    await eventually(() => !isThere(parseInt(stdout, 10)));
    expect(await place.run('exec', '--shell', 'bash', '--', '(exit 6)')).toMatchObject({ code: 6, stderr: '' });
    const ended = (await place.manager.list()).filter(({ status }) => status === 'exited');
    expect(ended).toHaveLength(2);
    for (const { id: one } of ended) await place.manager.remove(one);
  });

  it('creates a terminal if no ID is given, and with --keep names it and keeps it', async () => {
    const { code, stdout, stderr } = await place.run(
      'exec',
      '--keep',
      '--shell',
      'bash',
      '--cwd',
      '/usr',
      '--env',
      'A=b',
      '--',
      'echo $A $PWD',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'b /usr\n' });
    const made = /opened terminal (\w+), which stays open/.exec(stderr)![1]!;
    expect(await place.stdout('exec', made, 'echo still $A')).toBe('still b\n');
  });

  it('exits after the timeout with 124, and explains how to continue', async () => {
    // The timeout starts with the call, so the shell must be ready by then.
    await place.stdout('wait', '--input', id);
    const late = await place.run('exec', '--timeout', '3s', id, `echo begun; ${until('go')}; echo late; (exit 9)`);
    expect(late).toMatchObject({ code: 124, stdout: 'begun\n' });
    expect(late.stderr).toContain(`command 1 of terminal ${short()} keeps running`);
    const busy = await place.run('exec', id, 'echo two');
    expect(busy).toMatchObject({ code: 125, stdout: '' });
    expect(busy.stderr).toContain('command 1 is running');
    expect(busy.stderr).toContain('running command: echo begun; until');
    for (const next of [`commands --output ${short()} 1`, `wait --command 1 ${short()}`, `interrupt ${short()}`])
      expect(shortlyNamed(busy.stderr)).toContain(`: tenacitty ${next}`);
    const [collect, end] = [...shortlyNamed(late.stderr).matchAll(/: tenacitty (.*)/g)].map(([, words]) =>
      words!.split(' '),
    );
    const waiting = place.run(...end!);
    make('go');
    expect(await waiting).toMatchObject({ code: 9, stderr: expect.stringContaining('has ended: exit code 9') });
    expect(await place.stdout(...collect!)).toBe('begun\nlate\n');
  });

  describe('in a shell that does not reach its prompt', () => {
    let HOME: string;
    beforeEach(() => {
      HOME = mkdtempSync(join(place.directory, 'home-'));
      writeFileSync(join(HOME, '.bashrc'), until('go'));
    });

    it('waits no longer than --timeout, exits with 124, and never runs the command', async () => {
      const slow = await place.create({ shell: 'bash', env: { HOME } });
      for (const isDetached of [[], ['-d']]) {
        const late = await place.run('exec', ...isDetached, '--timeout', '100ms', slow, 'echo never');
        expect(late).toMatchObject({ code: 124, stdout: '' });
        expect(late.stderr).toContain('the timeout expired before the command was started');
        expect(shortlyNamed(late.stderr)).toContain(`its prompt: tenacitty wait --input ${slow.slice(0, 8)}`);
      }
      make('go');
      expect(await place.stdout('exec', slow, 'echo after')).toBe('after\n');
      expect(await place.manager.commands(slow)).toHaveLength(1);
    });

    it('removes a new terminal after the timeout', async () => {
      const late = await place.run(
        'exec',
        '--timeout',
        '100ms',
        '--shell',
        'bash',
        '--env',
        `HOME=${HOME}`,
        '--',
        'true',
      );
      expect(late).toMatchObject({ code: 124, stdout: '' });
      expect(late.stderr).toMatch(/before the command was started.*\n.*terminal \w+ was removed again/);
      expect((await place.stdout('ls', '-q')).trim()).toBe(id);
    });
  });

  it('exits with 123 if the command waits for input, and shows the prompt', async () => {
    const asked = await place.run('exec', id, 'read -r -s -p "Secret? " secret; echo "got $secret"');
    expect(asked).toMatchObject({ code: 123, stdout: 'Secret? \n' });
    expect(shortlyNamed(asked.stderr)).toContain(`bash is reading a password; tenacitty send ${short()} TEXT`);
    await place.stdout('send', id, 'sesame');
    expect((await place.run('wait', '--command', '1', id)).code).toBe(0);
    expect(await place.stdout('commands', '--output', id, '1')).toBe('Secret? got sesame\n');
  });

  it('continues to wait at a prompt with --ignore-input', async () => {
    const command = place.start(['exec', '--ignore-input', id, 'read -r -p "Name? " name; echo "hello $name"']);
    await command.says(/Name/);
    await place.stdout('wait', '--input', id);
    await place.stdout('send', id, 'Ada');
    expect(await command.ended()).toEqual({ code: 0, stdout: 'Name? Ada\nhello Ada\n', stderr: '' });
    const late = await place.run('exec', '--ignore-input', '--timeout', '1s', id, 'read -r line');
    expect(late.code).toBe(124);
  });

  it('starts the command and exits with -d', async () => {
    const number = (await place.stdout('exec', '-d', id, `${until('go')}; echo done`)).trim();
    expect(number).toBe('1');
    expect(await records()).toMatchObject([{ commandId: 1, state: 'running', exitCode: null }]);
    make('go');
    expect((await place.run('wait', '--command', number, id)).code).toBe(0);
  });

  it('prints the whole result with --json', async () => {
    const { code, stdout } = await place.run('exec', '--json', id, 'echo hello; (exit 3)');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ terminalId: id, output: 'hello', exitCode: 3, cwd: '/', via: 'marker' });
  });

  it('interrupts the command at Ctrl-C, and passes on how it ended', async () => {
    const command = place.start(['exec', id, 'echo begun; sleep 1000']);
    await command.says(/begun/);
    command.child.kill('SIGINT');
    expect(await command.ended()).toMatchObject({ code: 130 });
    expect(await place.stdout('exec', id, 'echo fine')).toBe('fine\n');
  });

  it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('ended by %s lets the command continue', async (signal) => {
    const command = place.start(['exec', id, `echo begun; ${until('go')}; echo on`]);
    await command.says(/begun/);
    command.child.kill(signal);
    const { code, stderr } = await command.ended();
    if (signal !== 'SIGKILL') {
      expect(code).toBe(signal === 'SIGTERM' ? 143 : 129);
      expect(shortlyNamed(stderr)).toContain(`tenacitty wait --command 1 ${short()}`);
    }
    const waiting = place.run('wait', '--command', '1', id);
    make('go');
    expect((await waiting).code).toBe(0);
    expect(await place.stdout('commands', '--output', id, '1')).toBe('begun\non\n');
  });

  it('ends quietly, and stops the command, if stdout is closed', async () => {
    const command = place.start(['exec', id, 'seq 1 1000000000']);
    await once(command.child.stdout!, 'data');
    command.child.stdout!.destroy();
    expect(await command.ended()).toMatchObject({ code: 141, stderr: '' });
    expect((await place.run('wait', '--command', '1', id)).code).toBe(130);
  });

  it('passes on the end of a command that ended its shell, and of those before it', async () => {
    await place.run('exec', id, '(exit 3)');
    await place.stdout('exec', '-d', id, `${until('go')}; exit 4`);
    const waiting = place.run('wait', '--command', '2', id);
    make('go');
    await place.run('wait', id);
    expect((await waiting).code).toBe(4);
    const codes = await Promise.all(['1', '2'].map((number) => place.run('wait', '--command', number, id)));
    expect(codes.map(({ code }) => code)).toEqual([3, 4]);
  });

  it('reports that a new terminal was removed because no command could be started in it', async () => {
    const { code, stderr } = await place.run('exec', '--shell', 'cat', '--', 'echo never');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/terminal \w+ was removed again/) });
    expect((await place.stdout('ls', '-q')).trim()).toBe(id);
  });

  it('suggests nothing for a new terminal whose shell has ended and which was removed', async () => {
    const HOME = mkdtempSync(join(place.directory, 'home-'));
    writeFileSync(join(HOME, '.bashrc'), 'exit 5');
    const { code, stderr } = await place.run('exec', '--shell', 'bash', '--env', `HOME=${HOME}`, '--', 'echo never');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/was removed again.*\n.*has ended/) });
    expect(stderr).not.toContain('tenacitty logs');
  });

  it('passes on the end of the shell', async () => {
    const { code, stderr } = await place.run('exec', id, 'exit 5');
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('the shell of terminal') });
    for (const words of [
      ['exec', id, 'ls'],
      ['send', id, 'ls'],
      ['resize', id, '90x30'],
    ]) {
      const refused = await place.run(...words);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('has ended (exit code 5)') });
      expect(shortlyNamed(refused.stderr)).toContain(`its history: tenacitty logs ${short()}`);
      expect(shortlyNamed(refused.stderr)).toContain(`to start it again: tenacitty new --like ${short()}`);
    }
  });

  it.each([
    [['exec'], 'COMMAND is missing. See tenacitty help exec.'],
    [['exec', 'ID'], 'TEXT, the command to run in ID, is missing. For a command in a new terminal, give it after --.'],
    [['exec', 'ID', 'ls', 'more'], 'Unexpected argument "more".'],
    [['exec', 'ID', 'ls', '--', 'ls'], 'Give either TEXT or words after --.'],
    [['exec', '--cwd', '/', 'ID', 'ls'], '--name, --shell, --cwd, --env and --keep apply only to a new terminal'],
    [['commands', '--output', 'ID'], 'N is missing'],
    [['commands', 'ID', 'first'], 'N: expected the number of a command, given "first".'],
    [['interrupt', 'ID', '0'], 'N: expected the number of a command, given "0".'],
    [['wait', '--port', '70000', 'ID'], '--port: expected a port from 1 to 65535, or any, given "70000".'],
  ])('reports what is wrong with %j', async (words, told) => {
    const { code, stdout, stderr } = await place.run(...words.map((word) => (word === 'ID' ? id : word)));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(shortlyNamed(stderr)).toContain(told);
  });

  it('reports a terminal in which no command can run', async () => {
    const program = await place.open('exec cat');
    expect(await place.run('exec', program, 'ls')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no shell integration'),
    });
    expect((await place.run('exec', 'none', 'ls')).code).toBe(3);
    const before = (await place.manager.list()).length;
    expect((await place.run('exec', '--shell', 'cat', '--', 'ls')).code).toBe(1);
    expect(await place.manager.list()).toHaveLength(before);
  });
});

describe('tenacitty commands', () => {
  it('lists commands that were run and typed, and shows one by its number', async () => {
    await place.run('exec', id, 'cd /usr');
    await place.run('exec', id, 'false\ntrue; false');
    await place.stdout('send', id, 'echo by hand');
    await place.stdout('wait', '--from', '0', '--regex', '^by hand$', id);
    await place.stdout('wait', '--command', '3', id);
    const rows = (await place.stdout('commands', id)).trimEnd().split('\n');
    expect(rows.map((row) => row.replace(/\d+\.\d\ds/, 'TIME').split(/ {2,}/))).toEqual([
      ['N', 'STATE', 'EXIT', 'TIME', 'DIRECTORY', 'COMMAND'],
      ['1', 'completed', '0', 'TIME', '/', 'cd /usr'],
      ['2', 'completed', '1', 'TIME', '/usr', 'false; true; false'],
      ['3', 'completed', '0', 'TIME', '/usr', 'echo by hand'],
    ]);
    expect(JSON.parse(await place.stdout('commands', '--json', id, '3'))).toMatchObject({
      origin: 'typed',
      exitCode: 0,
    });
    expect(await place.stdout('commands', '--output', id, '3')).toBe('by hand\n');
    const page = JSON.parse(await place.stdout('commands', '--output', '--json', id, '3'));
    expect(page).toMatchObject({ output: 'by hand', isActive: false });
  });

  it('reports that there is none', async () => {
    expect(await place.run('commands', id)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('no recorded commands'),
    });
    expect(await place.run('commands', id, '9')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no command 9'),
    });
    expect(await place.run('commands', '--output', id, '9')).toMatchObject({ code: 1 });
  });
});

describe('tenacitty integrate', () => {
  it('makes commands run in a nested shell until it ends', async () => {
    await place.stdout('exec', '-d', id, 'bash --norc');
    const { within, kind } = JSON.parse(await place.stdout('integrate', '--json', id)) as NestedShell;
    expect({ within, kind }).toEqual({ within: 1, kind: 'bash' });
    expect((await place.run('integrate', id)).stderr).toMatch(/commands now run in bash .*, within command 1$/m);
    expect(await place.stdout('exec', id, 'echo $SHLVL')).toMatch(/^[2-9]\n$/);
    expect((await place.run('exec', id, 'exit 3')).code).not.toBe(0);
    expect((await place.run('wait', '--command', '1', id)).code).toBe(3);
    expect(await place.run('integrate', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No command is running'),
    });
  });
});

describe('tenacitty interrupt', () => {
  it('stops a running command, and leaves ended ones alone', async () => {
    await place.stdout('exec', '-d', id, 'sleep 1000');
    await place.stdout('interrupt', id);
    expect((await place.run('wait', '--command', '1', id)).code).toBe(130);
    expect((await place.run('interrupt', id)).stderr).toContain('no command is running');
    await place.stdout('exec', '-d', id, `${until('go')}; touch '${join(place.directory, 'whole')}'`);
    expect((await place.run('interrupt', id, '1')).stderr).toContain('command 1 of terminal');
    make('go');
    expect((await place.run('wait', '--command', '2', id)).code).toBe(0);
    expect(existsSync(join(place.directory, 'whole'))).toBe(true);
    expect((await place.run('interrupt', id, '7')).code).toBe(1);
  });
});
