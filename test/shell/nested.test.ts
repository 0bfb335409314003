/**
 * Tests nested shells: detected, integrated, and left again. Real ones: directly nested, of another user, in their own
 * namespaces, and on another machine as far as ssh shows it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult, IntegrateShell, NestedShell } from '../../src/contract/command.js';
import type { TerminalError } from '../../src/errors.js';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { expectEnd, ShellAtWork } from './shell-at-work.js';
import { startSshServer } from './ssh-server.js';
import type { SshServer } from './ssh-server.js';
import { whereRoot } from '../where.js';

const { describe: describeAsRoot } = whereRoot();

let at: ShellAtWork;
beforeEach(async () => {
  at = new ShellAtWork(startEngine(), 'bash');
});
afterEach(async () => {
  await at.end();
  await stopEngines();
});

/** Starts a command that leads to another shell, and integrates that. */
async function into(command: string, request: IntegrateShell = {}): Promise<NestedShell> {
  const outer = await at.exec(command, { detach: true });
  const shell = await at.manager.integrate(at.id, { timeoutMs: 20_000, ...request });
  expect(shell).toMatchObject({ terminalId: at.id, within: outer.commandId });
  expect(await at.manager.command(at.id, outer.commandId)).toMatchObject({ state: 'nested', ended: null });
  return shell;
}

/** Checks what must work in any integrated nested shell. */
async function expectWorks(within: number, prefix = ''): Promise<void> {
  const first = await at.exec('cd /usr/lib; false');
  expectEnd(first, 1, '');
  expect(first).toMatchObject({ cwd: '/usr/lib', via: 'marker', within });
  expectEnd(await at.exec('pwd; echo "hi!there"; (exit 9)'), 9, '/usr/lib\nhi!there');
  expectEnd(await at.exec('for i in 1 2\ndo echo "$i"\ndone'), 0, '1\n2');
  const open = await at.exec('echo "open');
  expect(open).toMatchObject({ completed: true, shellExited: false });
  expect(open.exitCode).not.toBe(0);
  expectEnd(await at.exec(`echo '${prefix}漢字 é \\ % !!'`), 0, `${prefix}漢字 é \\ % !!`);
  const long = 'x'.repeat(20_000);
  expectEnd(await at.exec(`v='${long}'; echo \${#v}`), 0, '20000');
  expectEnd(await at.exec('echo .'), 0, '.');
}

/** Leaves it; checks that the command that led there has ended with `exitCode`, and that commands run outside again. */
async function out(within: number, exitCode: number, told: number = exitCode): Promise<CommandResult> {
  const last = await at.exec(`exit ${exitCode}`);
  expect(last).toMatchObject({ completed: true, exitCode: null, via: 'exit', shellExited: false, within });
  const outer = await at.collect(within);
  expect(outer).toMatchObject({ completed: true, exitCode: told });
  return outer;
}

describe('a bash in a bash', () => {
  beforeEach(() => at.start());

  it('is integrated through files, and left again', async () => {
    const { within, kind, version } = await into('bash --norc');
    expect({ kind, version }).toEqual({ kind: 'bash', version: expect.stringMatching(/^\d+\./) as string });
    await expectWorks(within);
    await out(within, 4);
    expectEnd(await at.exec('pwd'), 0, at.directory);
    expect(await at.manager.command(at.id, within)).toMatchObject({
      via: 'marker',
      within: null,
      cwd: at.directory,
    });
  });

  it('is integrated three levels deep, and each level is left separately', async () => {
    const one = await into('bash --norc');
    const two = await into('bash --norc');
    const three = await into('dash');
    expect(three.kind).toBe('sh');
    expectEnd(await at.exec('cd /usr; pwd'), 0, '/usr');
    expect((await at.manager.commands(at.id)).map(({ within }) => within)).toEqual([
      null,
      one.within,
      two.within,
      three.within,
    ]);
    await out(three.within, 3);
    expectEnd(await at.exec('pwd'), 0, at.directory);
    await out(two.within, 2);
    await out(one.within, 1);
    expectEnd(await at.exec('echo home'), 0, 'home');
  });

  it('takes one command at a time, reports what waits, and can be interrupted', async () => {
    const { within } = await into('bash --norc');
    const asked = await at.exec('read -p "name? " name');
    expect(asked).toMatchObject({ completed: false, state: 'waiting', waiting: { kind: 'line', by: 'bash' }, within });
    await expect(at.exec('echo no')).rejects.toMatchObject({
      code: 'TERMINAL_BUSY',
      details: { commandId: asked.commandId },
    });
    await at.type('Bob\r');
    expectEnd(await at.collect(asked.commandId, { untilInput: false }), 0);
    expectEnd(await at.exec('echo "$name"'), 0, 'Bob');
    const sleeper = await at.begin('echo begun; sleep 1000', 'begun');
    await at.manager.interrupt(at.id, within);
    await at.manager.interrupt(at.id, sleeper.commandId);
    expectEnd(await at.collect(sleeper.commandId), 130);
  });

  it('that is killed ends its command, and what ran in it', async () => {
    const { within } = await into('bash --norc');
    const dead = await at.exec('kill -9 $$');
    expect(dead).toMatchObject({ completed: true, exitCode: null, via: 'exit', shellExited: false, within });
    expectEnd(await at.collect(within), 137);
    expectEnd(await at.exec('echo on'), 0, 'on');
  });

  it('is reported again if it is integrated already', async () => {
    const shell = await into('bash --norc');
    expect(await at.manager.integrate(at.id)).toEqual(shell);
  });

  it('is integrated once, for all concurrent callers', async () => {
    const { commandId } = await at.exec('bash --norc', { detach: true });
    const shells = await Promise.all([1, 2, 3].map(() => at.manager.integrate(at.id, { timeoutMs: 20_000 })));
    expect(shells.map(({ within }) => within)).toEqual([commandId, commandId, commandId]);
    await out(commandId, 2);
    expectEnd(await at.exec('pwd'), 0, at.directory);
  });

  it('recognizes typed commands, and keeps its history clean', async () => {
    const { within } = await into('HISTFILE= bash --norc');
    await at.screenShows((lines) => /[#$] ?$/.test(lines.findLast((line) => line !== '') ?? ''));
    await at.type('echo by hand\r');
    const typed = await at.record(({ ended, origin }) => ended !== null && origin === 'typed');
    expect(typed).toMatchObject({ text: 'echo by hand', origin: 'typed', within, exitCode: 0 });
    const { output } = await at.exec('history');
    expect(output).toMatch(/echo by hand/);
    expect(output).not.toMatch(/tenacitty/);
  });

  it('shows viewers the commands and their output, and nothing of the integration', async () => {
    await into('bash --norc');
    expectEnd(await at.exec('echo one'), 0, 'one');
    const { output } = await at.manager.read(at.id);
    expect(output).not.toMatch(/__tenacitty|7717/);
    expect(output).toMatch(/echo one\none$/m);
  });
});

describe('no shell is integrated', () => {
  beforeEach(() => at.start());

  const refusal = (problem: RegExp): object => ({
    code: 'NOT_INTEGRATED',
    message: expect.stringMatching(problem) as string,
  });

  it('if no command runs', async () => {
    await expect(at.manager.integrate(at.id)).rejects.toMatchObject(refusal(/No command is running/));
  });

  it('if the waiting program is not a shell', async () => {
    await at.begin('echo begun; cat', 'begun');
    await expect(at.manager.integrate(at.id)).rejects.toMatchObject(refusal(/cat is not a supported shell/));
  });

  it('if a password is requested', async () => {
    await at.begin('echo begun; read -s secret', 'begun');
    await expect(at.manager.integrate(at.id)).rejects.toMatchObject(refusal(/is asking for a password/));
  });

  it('if a script reads its input', async () => {
    await at.begin(`echo begun; sh -c 'read line; echo "got $line"'`, 'begun');
    await expect(at.manager.integrate(at.id)).rejects.toMatchObject(refusal(/sh is running a script/));
  });

  it('if a program works, and none waits', async () => {
    await at.begin('echo begun; sleep 1000', 'begun');
    await expect(at.manager.integrate(at.id, { timeoutMs: 500 })).rejects.toMatchObject(
      refusal(/no program there is waiting/),
    );
  });

  it('if the typed integration is not understood, and the command continues', async () => {
    const { commandId } = await at.begin('echo begun; cat', 'begun');
    await expect(at.manager.integrate(at.id, { as: 'sh', timeoutMs: 1000 })).rejects.toMatchObject(refusal(/./));
    await at.type('\x04');
    expectEnd(await at.collect(commandId, { untilInput: false }), 0);
  });
});

describe('zsh, fish and dash in each other', () => {
  it.each([
    ['zsh -f', 'zsh'],
    ['fish --no-config', 'fish'],
    ['dash', 'sh'],
    ['mksh', 'sh'],
    ['busybox sh', 'sh'],
  ])('%s', async (command, kind) => {
    await at.start();
    const shell = await into(command);
    expect(shell.kind).toBe(kind);
    expectEnd(await at.exec('cd /usr; pwd'), 0, '/usr');
    expectEnd(await at.exec('echo one\necho "two words"'), 0, 'one\ntwo words');
    const bad = await at.exec('echo "open');
    expect(bad.completed && bad.exitCode !== 0).toBe(true);
    await out(shell.within, 3);
  });
});

describeAsRoot('a shell without shared files', () => {
  beforeEach(() => at.start());

  it('may be in other namespaces', async () => {
    const { within, kind } = await into('unshare -pmf --mount-proc sh -i');
    expect(kind).toBe('sh');
    await expectWorks(within);
    // As the first process of its namespace, it cannot give the terminal back, and reports that.
    await out(within, 5, 2);
  });

  it.each([
    ['printf', 'dash -i'],
    ['read', 'dash -i'],
    ['break', 'bash --norc'],
  ])('gets its commands even if a function has the name %s, as %s', async (name, shell) => {
    await into(`unshare -m ${shell}`);
    await at.exec(`${name}() { true; }`);
    expectEnd(await at.exec('echo x; (exit 3)'), 3, 'x');
  });

  it('may belong to another user', async () => {
    const { within, kind } = await into('setpriv --reuid=65534 --regid=65534 --clear-groups bash --norc');
    expect(kind).toBe('bash');
    await expectWorks(within);
    expectEnd(await at.exec('id -u'), 0, '65534');
    await out(within, 6);
  });

  it('cannot make the shell around it run a command that was meant for the nested one', async () => {
    await into('setpriv --reuid=65534 --regid=65534 --clear-groups bash --norc');
    const ran = join(at.home, 'ran');
    // It requests the command, exits, and leaves the command to whoever reads the terminal next.
    await at.exec('__tenacitty_take() { __tenacitty_mark "N;$1;$$"; kill -9 $$; }');
    const answer = await at.exec(`id -u >> '${ran}'`);
    expect(answer.within).not.toBeNull();
    // What the nested shell left unread may still be shown.
    expectEnd(await at.exec('id -u'), 0, new RegExp(`^${process.getuid!()}$`, 'm'));
    expect(existsSync(ran)).toBe(false);
  });

  it('may be behind sudo', async () => {
    const { within, kind } = await into('sudo bash --norc');
    expect(kind).toBe('bash');
    await expectWorks(within);
    await out(within, 7);
  });
});

describeAsRoot('a shell behind ssh', () => {
  let server: SshServer;
  beforeEach(async () => {
    server = await startSshServer();
    await at.start();
  });
  afterEach(() => server.stop());

  const ssh = (command: string): string =>
    [
      'ssh',
      '-tt',
      '-i',
      server.key,
      '-o',
      'StrictHostKeyChecking=no',
      '-o',
      'LogLevel=ERROR',
      ...server.to,
      command,
    ].join(' ');

  it.each([
    ['bash --norc', 'bash'],
    ['zsh -f', 'zsh'],
    ['dash -i', 'sh'],
  ])('is %s', async (command, kind) => {
    const shell = await into(ssh(`'PS1="far$ " ${command}'`));
    expect(shell.kind).toBe(kind);
    await expectWorks(shell.within);
    const { cwd } = await at.manager.command(at.id, shell.within + 1);
    expect(cwd).toBe('/usr/lib');
    await out(shell.within, 8);
    expectEnd(await at.exec('pwd'), 0, at.directory);
  });

  it('is not integrated while a password is requested there', async () => {
    await at.begin(ssh(`'printf "Password for you: "; stty -echo; read secret'`), /^Password for you:/m);
    const { code, message } = (await at.manager
      .integrate(at.id, { timeoutMs: 2000 })
      .catch((error) => error)) as TerminalError;
    expect({ code, message }).toEqual({ code: 'NOT_INTEGRATED', message: expect.stringMatching(/password/) as string });
    const { output } = await at.manager.read(at.id);
    expect(output).toMatch(/Password for you: ?$/);
  });

  it('needs nothing there but the shell itself', async () => {
    const { within } = await into(ssh(`'PATH=/nonexistent PS1="far$ " /bin/bash --norc'`));
    expectEnd(await at.exec('echo "é $PATH"'), 0, 'é /nonexistent');
    await out(within, 1);
  });

  it('leads to another user, and back', async () => {
    const far = await into(ssh(`'PS1="far$ " bash --norc'`));
    const further = await into('sudo bash --norc');
    expect(further.within).toBeGreaterThan(far.within);
    await expectWorks(further.within);
    await out(further.within, 2);
    expectEnd(await at.exec('echo far'), 0, 'far');
    await out(far.within, 3);
  });

  it('ends when the connection is lost', async () => {
    const far = await into(ssh(`'PS1="far$ " bash --norc'`));
    const running = await at.begin('echo begun; sleep 1000', 'begun');
    const { foreground } = await at.manager.get(at.id);
    process.kill(foreground!.pid, 'SIGKILL');
    expect(await at.collect(running.commandId)).toMatchObject({
      completed: true,
      exitCode: null,
      via: 'exit',
      within: far.within,
    });
    expectEnd(await at.collect(far.within), 137);
    expectEnd(await at.exec('echo near'), 0, 'near');
  });

  it('has a command that cuts the connection immediately: its result is unknown, and the terminal continues', async () => {
    const far = await into(ssh(`'PS1="far$ " bash --norc'`));
    const cut = await at.exec('kill -9 $PPID; sleep 5');
    expect(cut).toMatchObject({ completed: true, exitCode: null, via: 'exit', shellExited: false, within: far.within });
    expect(cut.output).not.toContain('__tenacitty');
    expectEnd(await at.collect(far.within), 255);
    expectEnd(await at.exec('echo near'), 0, 'near');
  });

  it('gets no line of the integration in its history, and no file', async () => {
    const file = `${at.directory}/far-history`;
    const { within } = await into(ssh(`'HISTFILE=${file} PS1="far$ " bash --norc'`));
    expectEnd(await at.exec('echo mine'), 0, 'mine');
    await at.type('echo typed\r');
    await at.record(({ origin, ended }) => origin === 'typed' && ended !== null);
    await at.type('exit 3\r');
    expectEnd(await at.collect(within, { untilInput: false }), 3);
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe('echo typed\nexit 3\n');
  });
});
