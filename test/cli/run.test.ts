/** Tests `tenacitty run`: what it passes on, and what is left if it ends before its program. */
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { sharedPlace, shortlyNamed } from './place.js';
import type { Place } from './place.js';
import { eventually } from '../eventually.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const onlyId = async () => (await place.manager.list()).map(({ id }) => id)[0]!;

describe('tenacitty run', () => {
  it('passes on exactly the output, and removes the terminal', async () => {
    const script = "printf 'a\\033[1mb\\377'; seq 1 20000; printf end";
    const command = place.start(['run', '--', 'sh', '-c', script]);
    const bytes: Buffer[] = [];
    command.child.stdout!.on('data', (piece: Buffer) => bytes.push(piece));
    expect(await command.ended()).toMatchObject({ code: 0, stderr: '' });
    const numbers = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\r\n`).join('');
    expect(Buffer.concat(bytes).toString('latin1')).toBe(`a\x1b[1mb\xff${numbers}end`);
    expect(await place.manager.list()).toEqual([]);
  });

  it.each([
    [['run', '--', 'sh', '-c', 'exit 42'], 42],
    [['run', 'sh', '-c', 'kill -TERM $$'], 143],
    [['run', 'true'], 0],
  ])('passes on how the program ended: %j', async (args, code) => {
    expect((await place.run(...args)).code).toBe(code);
  });

  it('reports that a time limit ended the program, with the exit code of the signal', async () => {
    const { code, stderr } = await place.run('run', '--time-limit', '100ms', '--', 'sleep', '1000');
    expect(code).toBe(143);
    expect(stderr).toContain('the program has ended: SIGTERM (it reached its time limit: timeLimitMs)');
  });

  it('reports a missing program, with exit code 127', async () => {
    const { code, stdout, stderr } = await place.run('run', '--', 'no-such-program');
    expect({ code, stdout }).toEqual({ code: 127, stdout: '' });
    expect(stderr).toContain('no-such-program');
    expect((await place.run('run', '--', '/no/such/program')).code).toBe(127);
  });

  it.each(['/etc/passwd', '/etc'])('reports %s, which cannot be executed, with exit code 126', async (file) => {
    expect(await place.run('run', '--', file)).toMatchObject({
      ...{ code: 126, stdout: '', stderr: expect.stringContaining(file) },
    });
  });

  it('types the input from a pipe, and then Ctrl-D', async () => {
    const whole = await place.start(['run', '--', 'cat'], { stdin: 'one\ntwo\n' }).ended();
    expect(whole).toMatchObject({ code: 0 });
    expect(whole.stdout.match(/one\r\n/g)).toHaveLength(2);
    const cut = await place.start(['run', '--', 'cat'], { stdin: 'half' }).ended();
    expect(cut).toMatchObject({ code: 0, stdout: 'halfhalf' });
  });

  it('does not echo input with --no-echo, nor convert the ends of lines with --raw', async () => {
    const outputOf = async (...flags: string[]) => {
      const command = place.start(['run', ...flags, '--', 'sort', '-r'], { stdin: 'a\nb\n' });
      return (await command.ended()).stdout;
    };
    expect(await outputOf('--no-echo')).toBe('b\r\na\r\n');
    expect(await outputOf('--raw')).toBe('b\na\n');
    expect(await place.run('run', '--raw', '--', 'sh', '-c', 'exit 6')).toMatchObject({ code: 6, stdout: '' });
  });

  it('keeps the ended terminal readable with --keep', async () => {
    await place.run('run', '--keep', '--', 'echo', 'kept');
    expect(await place.stdout('logs', await onlyId())).toBe('kept\n');
  });

  describe('with --json', () => {
    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await place.run('run', '--json', ...args);
      return { code, stderr, result: JSON.parse(stdout) as Record<string, unknown> };
    };

    it('prints one object at the end: how the program ended, and its rendered output', async () => {
      const { code, stderr, result } = await json('--', 'sh', '-c', "printf '\\033[1mone\\033[m\\ntwo'; exit 3");
      const totalBytes = '\x1b[1mone\x1b[m\r\ntwo'.length;
      expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
      expect(result).toEqual({
        ...{ id: result['terminalId'], terminalId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        ...{ status: 'exited', exitCode: 3, signal: null, endedBy: { reason: 'exit', at: expect.any(String) } },
        ...{ durationMs: expect.any(Number), output: 'one\ntwo', truncated: false, totalLines: 2, totalBytes },
      });
      expect(result['durationMs']).toBeGreaterThanOrEqual(0);
      expect(await place.manager.list()).toEqual([]);
    });

    it('reports the signal, contains all of long output, and types stdin', async () => {
      expect(await json('sh', '-c', 'kill -TERM $$')).toMatchObject({
        code: 143,
        result: { exitCode: null, signal: 'SIGTERM' },
      });
      const { result } = await json('seq', '1', '5000');
      expect(result).toMatchObject({ truncated: false, totalLines: 5000 });
      expect((result['output'] as string).split('\n').at(-1)).toBe('5000');
      const typed = await place.start(['run', '--json', 'cat'], { stdin: 'one\n' }).ended();
      expect(JSON.parse(typed.stdout)).toMatchObject({ exitCode: 0, output: 'one\none' });
    });

    it('keeps the terminal, which it names, with --keep', async () => {
      const { result } = await json('--keep', '--', 'echo', 'kept');
      expect(await onlyId()).toBe(result['terminalId']);
    });

    it('reports the state so far of a program that continues', async () => {
      const command = place.start(['run', '--json', '--', 'sh', '-c', 'stty -echo; echo begun; exec cat'], {
        stdin: null,
      });
      const id = await eventually(onlyId);
      await place.until(id, /begun/);
      // Once it passes typed text on, it also handles signals.
      command.child.stdin!.write('typed\n');
      await place.until(id, /typed/);
      command.child.kill('SIGTERM');
      const { code, stdout, stderr } = await command.ended();
      expect(code).toBe(143);
      expect(stderr).toContain('keeps running');
      expect(JSON.parse(stdout)).toMatchObject({
        terminalId: id,
        status: 'active',
        exitCode: null,
        output: 'begun\ntyped',
      });
    });

    it('reports a program that a time limit ended', async () => {
      const { code, result } = await json('--time-limit', '100ms', '--', 'sleep', '1000');
      expect({ code, result }).toMatchObject({
        code: 143,
        result: { signal: 'SIGTERM', endedBy: { reason: 'time_limit' } },
      });
    });

    it('prints nothing if the program does not exist', async () => {
      expect(await place.run('run', '--json', 'no-such-program')).toMatchObject({ code: 127, stdout: '' });
    });
  });

  it('exits with -d and prints the whole description with --json, as in the REST API', async () => {
    const { id, terminalId } = JSON.parse(await place.stdout('run', '-d', '--json', 'cat')) as Record<string, unknown>;
    expect({ id, terminalId }).toEqual({ id: await onlyId(), terminalId: id });
  });

  it.each([
    [[], '\x1c'],
    [['--detach-key', 'ctrl-p,ctrl-q'], '\x10\x11'],
  ])('leaves the program running when a person presses the detach key: %j', async (flags, keys) => {
    const person = place.inTerminal([
      'run',
      ...flags,
      '--',
      'sh',
      '-c',
      'echo ready; read line; echo "got $line"; cat',
    ]);
    await person.until(/ready/);
    person.type(`typed\r`);
    await person.until(/got typed/);
    person.type(keys);
    expect(await person.exited).toMatchObject({ exitCode: 0 });
    expect(shortlyNamed(person.output)).toMatch(/keeps running; to attach to it: tenacitty attach \w{8}/);
    expect(await place.manager.list()).toMatchObject([{ status: 'active' }]);
  });

  it('types every key if no key detaches, and everything that a pipe contains', async () => {
    const quits = [
      'run',
      '--detach-key',
      'none',
      '--',
      'sh',
      '-c',
      `trap 'echo quit; exit 5' QUIT; echo ready; read line`,
    ];
    const person = place.inTerminal(quits);
    await person.until(/ready/);
    person.type('\x1c');
    await person.until(/quit/);
    expect(await person.exited).toMatchObject({ exitCode: 5 });
    const piped = await place.start(['run', '--', 'sh', '-c', 'stty -isig; cat -v'], { stdin: 'a\x1cb\n' }).ended();
    expect(piped.stdout).toContain('a^\\b\r\n');
  });

  it.each([['-d'], ['--detach']])('prints the id and exits with %s', async (flag) => {
    const id = (await place.stdout('run', flag, '--', 'cat')).trim();
    expect(await place.manager.get(id)).toMatchObject({ status: 'active' });
  });

  it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('ended by %s leaves the program running', async (signal) => {
    const command = place.start(['run', '--', 'sh', '-c', 'echo begun; exec cat'], { stdin: null });
    await command.says(/begun/);
    command.child.kill(signal);
    const { code, stderr } = await command.ended();
    const id = await onlyId();
    expect((await place.manager.get(id)).status).toBe('active');
    if (signal === 'SIGKILL') return;
    expect(code).toBe(signal === 'SIGTERM' ? 143 : 129);
    expect(shortlyNamed(stderr)).toContain(`tenacitty attach ${id.slice(0, 8)}`);
  });

  it('reports that the host process of the terminal is gone, and keeps what was printed', async () => {
    const command = place.start(['run', '--', 'sh', '-c', 'echo begun; exec sleep 1000']);
    await command.says(/begun/);
    const id = await onlyId();
    const { pid } = await place.manager.get(id);
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    process.kill(Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]), 'SIGKILL');
    const { code, stderr } = await command.ended();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/terminal .* is lost: its host process has ended/),
    });
    expect((await place.manager.get(id)).status).toBe('lost');
  });

  it('passes Ctrl-C on to the program if stdin is not a terminal', async () => {
    const script = "trap 'echo caught; exit 9' INT; echo begun; while :; do sleep 0.1; done";
    const command = place.start(['run', '--', 'sh', '-c', script], { stdin: null });
    await command.says(/begun/);
    command.child.kill('SIGINT');
    expect(await command.ended()).toMatchObject({ code: 9, stdout: expect.stringContaining('caught') });
  });

  it('ends quietly, with its program, if stdout is closed', async () => {
    const command = place.start(['run', '--', 'yes'], { stdin: null });
    await once(command.child.stdout!, 'data');
    command.child.stdout!.destroy();
    expect(await command.ended()).toMatchObject({ code: 141, stderr: '' });
    expect(await place.manager.list()).toEqual([]);
  });

  it('gives the program the size and the input of its own terminal', async () => {
    const person = place.inTerminal(['run', '--', 'sh', '-c', 'stty size; read line; echo "<$line>"; exec cat']);
    await person.until(/24 80/);
    person.type('typed\r');
    await person.until(/<typed>/);
    person.pty.resize(100, 30);
    const id = await onlyId();
    for await (const event of await place.manager.subscribe(id, 0)) if (event.type === 'resize') break;
    expect(await place.manager.get(id)).toMatchObject({ cols: 100, rows: 30 });
    person.type('\x03');
    expect(await person.exited).toMatchObject({ exitCode: 130 });
  });
});
