/**
 * Tests REPLs: code is run in them as commands are in a shell. Each installed Python, and the Node that runs the tests.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { expectEnd, ShellAtWork } from './shell-at-work.js';
import { startSshServer } from './ssh-server.js';
import { whereRoot } from '../where.js';

const { it: itAsRoot } = whereRoot();

/** The system's Python and, where several versions are installed, the oldest and the newest. */
function pythons(): string[] {
  const versions = join(process.env['PYENV_ROOT'] ?? '/root/.pyenv', 'versions');
  const kept = existsSync(versions) ? readdirSync(versions).filter((name) => /^3\.(?:[89]|\d\d)\.\d+$/.test(name)) : [];
  kept.sort((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1]));
  const ends = [...new Set([kept.at(0), kept.at(-1)])].filter((name) => name !== undefined);
  return ['/usr/bin/python3', ...ends.map((name) => join(versions, name, 'bin', 'python3'))].filter(existsSync);
}

let at: ShellAtWork;
beforeEach(async () => {
  at = new ShellAtWork(startEngine(), 'bash');
  await at.start({ env: { TERM: 'xterm-256color', PYTHON_COLORS: '0', NODE_REPL_HISTORY: '' } });
});
afterEach(async () => {
  await at.end();
  await stopEngines();
});

async function into(command: string, as: 'auto' | 'python' | 'node' = 'auto') {
  await at.exec(command, { detach: true });
  return at.manager.integrate(at.id, { timeoutMs: 20_000, as });
}

/** Leaves it by its own command; checks that the command that led there has ended with `exitCode`. */
async function out(within: number, word: string, exitCode: number | RegExp): Promise<void> {
  expect(await at.exec(word)).toMatchObject({
    completed: true,
    exitCode: null,
    via: 'exit',
    shellExited: false,
    within,
  });
  const end = await at.collect(within);
  if (typeof exitCode === 'number') expectEnd(end, exitCode);
  else expect(String(end.exitCode)).toMatch(exitCode);
  expectEnd(await at.exec('pwd'), 0, at.directory);
}

describe.each(pythons())('a REPL of %s', (python) => {
  it('takes code after its prompt was replaced', async () => {
    await into(`${python} -q`);
    expectEnd(await at.exec("import sys; sys.ps1 = '?? '"), 0, '');
    expectEnd(await at.exec('6 * 7'), 0, '42');
  });

  it('runs code, shows the last value, and reports errors', async () => {
    const { within, kind, version } = await into(`${python} -q`);
    expect(kind).toBe('python');
    expect(version).toMatch(/^3\.\d+\.\d+$/);
    const first = await at.exec('6 * 7');
    expectEnd(first, 0, '42');
    expect(first).toMatchObject({ via: 'marker', within, cwd: at.directory });
    expectEnd(await at.exec('def double(x):\n    y = x * 2\n\n    return y\n\ndouble(21)'), 0, '42');
    expectEnd(await at.exec('x = 1\ny = "é漢"'), 0, '');
    expectEnd(await at.exec('print(x, y)\n_'), 0, '1 é漢\n42');
    expectEnd(await at.exec('double(None)'), 1, /line 2, in double\n[^]*TypeError: /);
    expectEnd(await at.exec('x = ('), 1, /SyntaxError: /);
    expectEnd(await at.exec(`long = '${'x'.repeat(20_000)}'; len(long)`), 0, '20000');
    const moved = await at.exec('import os; os.chdir("/usr")');
    expect(moved.cwd).toBe('/usr');
    // The line editor of 3.13.0 turns every exit code into 1.
    await out(within, 'exit(3)', /^[13]$/);
  });

  it('continues if names of the language are redefined', async () => {
    await at.exec(`${python} -q`, { detach: true });
    await at.shows(/^>>> $/m);
    const names =
      'str int len open isinstance getattr eval exec compile print type repr globals range object super'.split(' ');
    await at.type(`${names.join(' = ')} = 7\r`);
    await at.shows(/= 7\s*>>> $/);
    const { within } = await at.manager.integrate(at.id, { timeoutMs: 20_000 });
    expectEnd(await at.exec('str + open'), 0, '14');
    expectEnd(await at.exec('import os; BaseException = bytes = OSError = SystemExit = Exception = 7'), 0, '');
    expectEnd(await at.exec('missing'), 1, /NameError/);
    expectEnd(await at.exec('[str, len, exec, type, Exception]'), 0, '[7, 7, 7, 7, 7]');
    const asked = await at.exec('name = input("name? ")');
    await at.type('Bob\r');
    expectEnd(await at.collect(asked.commandId, { untilInput: false }), 0);
    expect((await at.exec('os.chdir("/usr")')).cwd).toBe('/usr');
    await out(within, 'exit()', 0);
  });

  it('continues without the standard streams', async () => {
    const { within } = await into(`${python} -q`);
    expectEnd(await at.exec('import sys; sys.stdout = None'), 0, '');
    expectEnd(await at.exec('sys.stdout = sys.__stdout__'), 0, '');
    expectEnd(await at.exec('6 * 7'), 0, '42');
    await out(within, 'exit()', 0);
  });

  it('waits for input, is interrupted, and continues', async () => {
    const { within } = await into(`${python} -q`);
    const asked = await at.exec("name = input('name? ')");
    expect(asked).toMatchObject({ completed: false, state: 'waiting', within });
    expect(asked.output).toMatch(/^\n?name\? $/);
    await at.type('Bob\r');
    expectEnd(await at.collect(asked.commandId, { untilInput: false }), 0);
    expectEnd(await at.exec('name'), 0, "'Bob'");
    const { commandId } = await at.begin('import time; print("be" "gun", flush=True); time.sleep(1000)', 'begun');
    await at.manager.interrupt(at.id, commandId);
    expectEnd(await at.collect(commandId), 1, /KeyboardInterrupt$/);
    await out(within, 'raise SystemExit(4)', /^[14]$/);
  });

  it('keeps its history clean', async () => {
    const { within } = await into(`${python} -q`);
    expectEnd(await at.exec('1 + 1'), 0, '2');
    const listed = await at.exec(
      'try:\n  import readline\n  n = readline.get_current_history_length()\n' +
        '  print([readline.get_history_item(i + 1) for i in range(n)])\nexcept ImportError:\n  print([])',
    );
    expect(listed.output).not.toMatch(/tenacitty/);
    await out(within, 'exit()', 0);
  });

  it('runs in shells within it, and they in it', async () => {
    const repl = await into(`${python} -q`);
    await at.exec('import subprocess; subprocess.run(["bash", "--norc"])', { detach: true });
    const shell = await at.manager.integrate(at.id, { timeoutMs: 20_000 });
    expect(shell.kind).toBe('bash');
    expectEnd(await at.exec('echo $((6 * 7))'), 0, '42');
    await at.exec('exit');
    expectEnd(await at.exec('6 * 7'), 0, '42');
    await out(repl.within, 'exit()', 0);
  });
});

describe('a REPL of node', () => {
  const node = process.execPath;

  it('runs code, shows the value, and reports errors', async () => {
    const { within, kind, version } = await into(node);
    expect({ kind, version }).toEqual({ kind: 'node', version: process.versions.node });
    const first = await at.exec('6 * 7');
    expectEnd(first, 0, '42');
    expect(first).toMatchObject({ via: 'marker', within, cwd: at.directory });
    expectEnd(await at.exec('function double(x) {\n  return x * 2;\n}\ndouble(21)'), 0, '42');
    expectEnd(await at.exec('const y = "é漢"; y'), 0, "'é漢'");
    expectEnd(await at.exec('await new Promise((resolve) => setTimeout(() => resolve(y), 20))'), 0, "'é漢'");
    expectEnd(await at.exec('null.x'), 1, /TypeError: /);
    expectEnd(await at.exec('await Promise.reject(new Error("no"))'), 1, /Error: no/);
    expectEnd(await at.exec('x = ('), 1, /SyntaxError: /);
    expectEnd(await at.exec(`'${'x'.repeat(20_000)}'.length`), 0, '20000');
    expect((await at.exec('process.chdir("/usr")')).cwd).toBe('/usr');
    await out(within, 'process.exit(3)', 3);
  });

  it('continues if names of the language are redefined', async () => {
    const leave = 'const leave = process.exit; const go = process.chdir;';
    await at.exec(node, { detach: true });
    await at.shows(/^> $/m);
    await at.type(`${leave} Object = process = Buffer = JSON = Promise = 7\r`);
    await at.shows(/^7$/m);
    const { within } = await at.manager.integrate(at.id, { timeoutMs: 20_000 });
    expectEnd(await at.exec('JSON + Buffer'), 0, '14');
    const names = [
      'Array',
      'String',
      'Number',
      'Error',
      'Symbol',
      'RegExp',
      'Function',
      'Math',
      'require',
      'globalThis',
    ];
    expectEnd(await at.exec(`${names.join(' = ')} = 7`), 0, '7');
    expectEnd(await at.exec('missing.x'), 1, /ReferenceError/);
    expectEnd(await at.exec('2 ** 3'), 0, '8');
    expect((await at.exec('go("/usr")')).cwd).toBe('/usr');
    await out(within, 'leave(3)', 3);
  });

  it('is interrupted, and continues', async () => {
    const { within } = await into(node);
    const { commandId } = await at.begin('console.log("be" + "gun"); for (;;);', 'begun');
    await at.manager.interrupt(at.id, commandId);
    expectEnd(await at.collect(commandId), 1, /interrupted/i);
    // Printed when nothing runs any more: Node loses an interrupt that arrives while it stops watching for one.
    const waiter = await at.begin('await new Promise(() => setTimeout(() => console.log("wai" + "ts")))', 'waits');
    await at.manager.interrupt(at.id, waiter.commandId);
    expectEnd(await at.collect(waiter.commandId), 1, /interrupted/i);
    expectEnd(await at.exec('1 + 1'), 0, '2');
    await out(within, 'process.exit()', 0);
  });

  it('is interrupted while it still parses the text', async () => {
    await into(node);
    // A text with `await` in it is parsed by acorn, which takes long.
    const { commandId } = await at.exec(`[${'1,'.repeat(100_000)}]; /* await */ for (;;);`, { detach: true });
    await at.manager.interrupt(at.id, commandId);
    expectEnd(await at.collect(commandId), 1, /interrupted/i);
    expectEnd(await at.exec('1 + 1'), 0, '2');
  });

  it('shows the next output after it was interrupted while it printed', async () => {
    await into(node);
    for (let round = 0; round < 10; round++) {
      const printer = await at.begin('for (;;) console.log("again")', /^again$/m);
      await at.manager.interrupt(at.id, printer.commandId);
      expectEnd(await at.collect(printer.commandId), 1);
      expectEnd(await at.exec(`${round} + 1`), 0, String(round + 1));
    }
  });
});

describe('a REPL that is integrated by name', () => {
  itAsRoot.each([
    ['python', '/usr/bin/python3 -q', 'print("é")', 'é', 'exit()'],
    ['node', process.execPath, 'console.log("é")', 'é\nundefined', 'process.exit(0)'],
  ] as const)('is integrated behind ssh: %s', async (as, command, code, output, leave) => {
    const server = await startSshServer();
    try {
      const options = `-tt -i ${server.key} -o StrictHostKeyChecking=no -o LogLevel=ERROR`;
      const { within, kind } = await into(`ssh ${options} ${server.to.join(' ')} ${command}`, as);
      expect(kind).toBe(as);
      expectEnd(await at.exec(code), 0, output);
      expectEnd(
        await at.exec(`long = '${'x'.repeat(20_000)}'; ${as === 'node' ? 'long.length' : 'len(long)'}`),
        0,
        '20000',
      );
      await out(within, leave, 0);
    } finally {
      server.stop();
    }
  });
});
