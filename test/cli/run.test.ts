/** `tenacitty run`: what passes through it, and what is left when it ends before its program. */
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await new Place().ready()));
afterEach(() => place.close());

const onlyId = async () => (await place.manager.list()).map(({ id }) => id)[0]!;

describe('tenacitty run', () => {
  it('passes on the output byte for byte and nothing else, and removes the terminal', async () => {
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

  it('says that there is no such program, with exit code 127', async () => {
    const { code, stdout, stderr } = await place.run('run', '--', 'no-such-program');
    expect({ code, stdout }).toEqual({ code: 127, stdout: '' });
    expect(stderr).toContain('no-such-program');
  });

  it('types what a pipe gives, and then Ctrl-D', async () => {
    const whole = await place.start(['run', '--', 'cat'], { stdin: 'one\ntwo\n' }).ended();
    expect(whole).toMatchObject({ code: 0 });
    expect(whole.stdout.match(/one\r\n/g)).toHaveLength(2);
    const cut = await place.start(['run', '--', 'cat'], { stdin: 'half' }).ended();
    expect(cut).toMatchObject({ code: 0, stdout: 'halfhalf' });
  });

  it('leaves the ended terminal readable with --keep', async () => {
    await place.run('run', '--keep', '--', 'echo', 'kept');
    expect(await place.stdout('logs', await onlyId())).toBe('kept\n');
  });

  it.each([['-d'], ['--detach']])('prints the id and leaves with %s', async (flag) => {
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
    expect(stderr).toContain(`tenacitty attach ${id.slice(0, 8)}`);
  });

  it('says that the process that held the terminal is gone, and leaves what was printed', async () => {
    const command = place.start(['run', '--', 'sh', '-c', 'echo begun; exec sleep 1000']);
    await command.says(/begun/);
    const id = await onlyId();
    const { pid } = await place.manager.get(id);
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    process.kill(Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]), 'SIGKILL');
    const { code, stderr } = await command.ended();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/process that held terminal .* is gone/),
    });
    expect((await place.manager.get(id)).status).toBe('lost');
  });

  it('passes Ctrl-C on to the program where stdin is no terminal', async () => {
    const script = "trap 'echo caught; exit 9' INT; echo begun; while :; do sleep 0.1; done";
    const command = place.start(['run', '--', 'sh', '-c', script], { stdin: null });
    await command.says(/begun/);
    command.child.kill('SIGINT');
    expect(await command.ended()).toMatchObject({ code: 9, stdout: expect.stringContaining('caught') });
  });

  it('ends quietly, and its program too, when stdout is closed', async () => {
    const command = place.start(['run', '--', 'yes'], { stdin: null });
    await once(command.child.stdout!, 'data');
    command.child.stdout!.destroy();
    expect(await command.ended()).toMatchObject({ code: 141, stderr: '' });
    expect(await place.manager.list()).toEqual([]);
  });

  it('gives the program the size and the keys of the terminal it is called in', async () => {
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
