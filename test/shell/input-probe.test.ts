/**
 * Tests real programs that wait for a person to type, and programs that only seem to: what the kernel reports about
 * them.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TerminalManager } from '../../src/contract/manager.js';
import type { WaitResult } from '../../src/contract/command.js';
import { probeInput } from '../../src/processes/input-probe.js';
import { BASH, readUntilText, run, startEngine, stopEngines } from '../engine/engine-under-test.js';
import { startSshServer } from './ssh-server.js';
import type { SshServer } from './ssh-server.js';
import { whereRoot } from '../where.js';
import { eventually } from '../eventually.js';

const run1 = promisify(execFile);
const { it: itAsRoot } = whereRoot();

afterEach(stopEngines);

type Program = readonly [command: string, ...args: string[]];

const PYTHON_INPUT = 'print("Hello"); name = input("Your name? ")';
const PYTHON_KEY = 'import sys,tty; tty.setcbreak(0); sys.stdin.read(1)';
const NODE_QUESTION =
  'require("readline").createInterface({ input: process.stdin, output: process.stdout }).question("Your name? ", () => {})';
const NODE_RAW = 'process.stdin.setRawMode(true); process.stdin.on("data", () => {}); setInterval(() => {}, 500)';
const THREADED = 'import threading,sys; threading.Thread(target=lambda: threading.Event().wait()).start(); input()';

function wait(manager: TerminalManager, id: string, timeoutMs = 60_000): Promise<WaitResult> {
  return manager.wait(id, { input: true, timeoutMs });
}

describe('a program that waits', () => {
  it.each<[kind: string, by: string, certain: boolean, ...Program]>([
    ['line', 'cat', true, 'cat'],
    ['line', 'bash', true, 'bash', '-c', 'read answer'],
    ['line', 'bash', true, 'bash', '-c', 'read -p "Go on? [Y/n] " answer | tail -1'],
    ['line', 'bash', true, 'bash', '-c', 'exec 7</dev/tty; sleep 0.2; read -u 7 answer'],
    ['line', 'python3', true, 'python3', '-c', PYTHON_INPUT],
    ['line', 'python3', true, 'python3', '-c', THREADED],
    ['line', 'node', false, 'node', '-e', 'process.stdin.on("data", () => {})'],
    ['line', 'dash', true, 'dash', '-i'],
    ['password', 'bash', true, 'bash', '-c', 'read -s secret'],
    ['password', 'python3', true, 'python3', '-c', 'import getpass; getpass.getpass()'],
    ['key', 'bash', true, 'bash', '-c', 'read -n 1 key'],
    ['key', 'bash', true, 'bash', '-c', 'read -s -n 1 key'],
    ['program', 'python3', true, 'python3', '-c', PYTHON_KEY],
    ['program', 'python3', false, 'python3', '-q'],
    ['program', 'node', false, 'node', '-e', NODE_QUESTION],
    ['program', 'node', false, 'node', '-e', NODE_RAW],
    ['program', 'node', false, 'node', '-i'],
    ['program', 'bash', false, 'bash', '--norc', '-i'],
    ['program', 'less', true, 'less', '/etc/passwd'],
    ['program', 'less', true, 'sh', '-c', 'seq 1000 | less'],
    ['program', 'vim', false, 'vim', '-u', 'NONE'],
    ['program', 'top', false, 'top'],
    ['program', 'whiptail', false, 'whiptail', '--yesno', 'Really?', '10', '40'],
  ])('for a %s: %s (blocked: %j), by %s %s %s', async (kind, by, certain, command, ...args) => {
    const manager = startEngine();
    const { id } = await run(manager, command, ...args);
    expect(await wait(manager, id)).toMatchObject({ reason: 'input', waiting: { kind, by, certain } });
  });

  it('is reported each time it asks, and not in between', async () => {
    const manager = startEngine();
    const { id } = await run(manager, 'bash', '-c', 'read name; sleep 1; read -s secret; exec sleep 1000');
    expect(await wait(manager, id)).toMatchObject({ waiting: { kind: 'line' } });
    await manager.write(id, { input: 'somebody' });
    expect(await wait(manager, id)).toMatchObject({ waiting: { kind: 'password' } });
    await manager.write(id, { input: 'something' });
    expect(await wait(manager, id, 2500)).toMatchObject({ reason: 'timeout', waiting: null });
  });
});

describe('a program that does not wait', () => {
  const SPIN = 'while :; do :; done';
  const ACCEPT = 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); s.accept()';
  const COLLECT = 'import time; print("collecting ... ", end="", flush=True); time.sleep(1000)';
  const KEYS_BESIDE_WORK =
    'import sys,threading; threading.Thread(target=sys.stdin.readline, daemon=True).start()\nwhile True: sum(range(9999))';

  it('is not reported, however silent it is', async () => {
    const manager = startEngine();
    const programs: Program[] = [
      ...([
        ['sleep', '1000'],
        ['tail', '-f', '/etc/passwd'],
        ['sh', '-c', 'sleep 1000 | cat'],
      ] as const),
      ...([
        ['bash', '-c', SPIN],
        ['watch', '-n', '1000', 'true'],
        ['python3', '-c', ACCEPT],
      ] as const),
      ...([
        ['python3', '-m', 'http.server', '--bind', '127.0.0.1', '0'],
        ['python3', '-c', COLLECT],
      ] as const),
      ...([
        ['node', '-e', 'setInterval(() => {}, 100)'],
        ['python3', '-c', KEYS_BESIDE_WORK],
      ] as const),
      ...([
        ['script', '-qc', 'sleep 1000', '/dev/null'],
        ['sh', '-c', 'cat < /dev/null; sleep 1000'],
      ] as const),
    ];
    const ids = await Promise.all(
      programs.map(async ([command, ...args]) => (await run(manager, command, ...args)).id),
    );
    const results = await Promise.all(ids.map((id) => wait(manager, id, 5000)));
    const told = results.map(({ reason, waiting }, index) => [programs[index]!.join(' '), reason, waiting]);
    expect(told).toEqual(programs.map((program) => [program.join(' '), 'timeout', null]));
  });
});

describe('a relay', () => {
  const NESTED = 'script -qc "read -s x" /dev/null';
  const SU_IN_SU = ['su', 'nobody', '-s', '/bin/sh', '-c', 'su root -c true'] as const;

  it('to an inner terminal is judged by the foreground process there', async () => {
    const manager = startEngine();
    const { id } = await run(manager, 'script', '-qc', 'cat', '/dev/null');
    expect(await wait(manager, id)).toMatchObject({ waiting: { kind: 'line', by: 'cat', certain: true } });
    // `script` uses the shell in SHELL, and not every shell reads without echo.
    const inner = await run(manager, 'env', 'SHELL=/bin/bash', 'script', '-qc', NESTED, '/dev/null');
    expect(await wait(manager, inner.id)).toMatchObject({ waiting: { kind: 'password', certain: true } });
  });

  itAsRoot.each<[what: string, kind: string | null, by: string, ...Program]>([
    ['su', 'line', 'cat', 'su', '-c', 'cat'],
    ['su', null, '', 'su', '-c', 'sleep 1000'],
    ['su that asks for a password', 'password', 'su', ...SU_IN_SU],
    ['sudo', 'line', 'cat', 'sudo', '-n', 'cat'],
    ['sudo', null, '', 'sudo', '-n', 'sleep', '1000'],
  ])('%s: %s by %s: %s %s %s', async (_what, kind, by, command, ...args) => {
    const manager = startEngine();
    const { id } = await run(manager, command, ...args);
    const told = await wait(manager, id, kind === null ? 3000 : undefined);
    if (kind === null) expect(told).toMatchObject({ reason: 'timeout', waiting: null });
    else expect(told).toMatchObject({ waiting: { kind, by, certain: true } });
  });

  itAsRoot('that works itself, such as apt, is judged by itself if no process is in the inner terminal', async () => {
    const manager = startEngine();
    const { id } = await run(manager, 'apt-get', 'remove', 'htop');
    expect(await wait(manager, id)).toMatchObject({ waiting: { kind: 'line', by: 'apt-get', certain: true } });
    await manager.write(id, { input: 'n' });
    expect(await wait(manager, id)).toMatchObject({ reason: 'exit' });
  });

  it('in the background says nothing about the shell at its prompt', async () => {
    const manager = startEngine();
    const { id, pid } = await manager.create(BASH);
    await manager.write(id, { input: "script -qc 'sleep 1000' /dev/null < /dev/null > /dev/null & echo started" });
    await readUntilText(manager, id, /^started/m);
    expect(await wait(manager, id)).toMatchObject({ waiting: { kind: 'program', by: 'bash', pid } });
  });
});

describe('a probe', () => {
  const programs = (pid: number) => probeInput({ pid }).foreground?.processes.map(({ name }) => name) ?? [];

  it('reports the foreground: the shell, or one of its commands', async () => {
    const manager = startEngine();
    const { id, pid } = await manager.create(BASH);
    await eventually(() => probeInput({ pid }).waiting !== null);
    const own = { group: pid, isOwn: true, processes: [{ pid, name: 'bash' }] };
    expect(probeInput({ pid })).toMatchObject({ isKnown: true, waiting: { by: 'bash', pid }, foreground: own });
    await manager.write(id, { input: 'sleep 999 | cat - /dev/tty | tail -1' });
    // A forked process is an image of the shell until it executes its program.
    await eventually(() => programs(pid).filter((name) => name !== 'bash').length === 3);
    const names = [{ name: 'sleep' }, { name: 'cat' }, { name: 'tail' }];
    expect(probeInput({ pid })).toMatchObject({ waiting: null, foreground: { isOwn: false, processes: names } });
  });

  it('reports nothing for a program that is gone', async () => {
    const manager = startEngine();
    const { id, pid } = await run(manager, 'true');
    expect(await wait(manager, id)).toMatchObject({ reason: 'exit' });
    expect(probeInput({ pid })).toMatchObject({ waiting: null, isKnown: false, foreground: null });
  });

  it('is cheap', async () => {
    const manager = startEngine();
    const { pid } = await manager.create(BASH);
    // If memory is short, the program's own pages may be read from disk again, but not every time.
    const reads = Array.from({ length: 10 }, () => {
      const before = process.resourceUsage().fsRead;
      for (let n = 0; n < 100; n++) probeInput({ pid });
      return process.resourceUsage().fsRead - before;
    });
    expect(Math.min(...reads)).toBe(0);
  });
});

describe('for a user without permission', () => {
  const MANAGER = join(import.meta.dirname, '..', '..', 'dist', 'index.js');
  const NOBODY = ['--reuid=65534', '--regid=65534', '--clear-groups'];

  /** Starts a program as the user nobody and waits for input as nobody. */
  async function waitAsNobody(program: Program, timeoutMs: number): Promise<WaitResult> {
    const text = `
      import { LocalTerminalManager } from ${JSON.stringify(MANAGER)};
      const [timeoutMs, command, ...args] = process.argv.slice(1);
      const manager = new LocalTerminalManager();
      const { id } = await manager.create({ command, args, cwd: '/' });
      console.log(JSON.stringify(await manager.wait(id, { input: true, timeoutMs: Number(timeoutMs) })));
      await manager.shutdown(0);`;
    const node = [process.execPath, '--input-type=module', '-e', text, '--', String(timeoutMs), ...program];
    const { stdout } = await run1('setpriv', [...NOBODY, ...node], { cwd: '/', env: { PATH: process.env.PATH } });
    return JSON.parse(stdout) as WaitResult;
  }

  itAsRoot('own processes are reported as for any user', async () => {
    const told = await waitAsNobody(['sh', '-c', 'read x'], 60_000);
    expect(told).toMatchObject({ waiting: { kind: 'line', by: 'sh', certain: true } });
  });

  itAsRoot('a password is recognized by the modes of the terminal', async () => {
    const told = await waitAsNobody(['su', 'root', '-c', 'true'], 60_000);
    expect(told).toMatchObject({ waiting: { kind: 'password', by: 'su', certain: false } });
  });
});

describe('a remote program', () => {
  let server: SshServer;
  afterEach(() => server.stop());

  itAsRoot('is unknown, but a question of ssh itself is reported', async () => {
    server = await startSshServer();
    const manager = startEngine();
    const isNew = await run(manager, 'ssh', ...server.to);
    expect(await wait(manager, isNew.id)).toMatchObject({ waiting: { kind: 'line', by: 'ssh', certain: true } });
    const trusting = ['-o', 'StrictHostKeyChecking=no'];
    const asking = await run(manager, 'ssh', ...trusting, '-o', 'PubkeyAuthentication=no', ...server.to);
    expect(await wait(manager, asking.id)).toMatchObject({ waiting: { kind: 'password', by: 'ssh', certain: true } });
    const far = ['-t', ...trusting, '-i', server.key, ...server.to, 'echo there; read -s x; exec sleep 1000'];
    const { id, pid } = await run(manager, 'ssh', ...far);
    await readUntilText(manager, id, 'there');
    expect(await wait(manager, id, 3000)).toMatchObject({ reason: 'timeout', waiting: null });
    expect(probeInput({ pid })).toMatchObject({ isKnown: false, waiting: null });
  });
});
