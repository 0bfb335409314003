/**
 * Tests that a command that asks for input is reported as waiting, whatever it is written in, and as `nested` only if
 * another shell or a REPL really takes commands.
 */
import type { InputWait } from '../../src/contract/command.js';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { ShellAtWork } from './shell-at-work.js';
import { whereRoot } from '../where.js';

const { it: itAsRoot } = whereRoot();

afterEach(stopEngines);

/** Returns what was reported about a command, and how it ended after it was answered. */
async function ask(files: Readonly<Record<string, string>>, command: string, answer: string): Promise<unknown> {
  const at = new ShellAtWork(startEngine(), 'bash');
  try {
    for (const [name, text] of Object.entries(files)) at.put(`../${name}`, text);
    await at.start({ env: { TERM: 'xterm-256color', SHELL: '/bin/bash', NODE_REPL_HISTORY: '' } });
    const { commandId, state, waiting, completed } = await at.exec(command);
    if (completed) return { command, state };
    await at.type(answer);
    const { exitCode, output } = await at.collect(commandId, { untilInput: false });
    return { command, state, kind: waiting?.kind, by: waiting?.by, exitCode, got: /got y\s*$/.test(output) };
  } finally {
    await at.end();
  }
}

const QUESTION = `
  const talk = require('node:readline').createInterface({ input: process.stdin, output: process.stdout });
  talk.question('Overwrite? ', (answer) => { console.log('got', answer); talk.close(); process.exitCode = 3; });`;
const MENU = `
  process.stdout.write('> a\\r\\n  b');
  process.stdin.setRawMode(true).on('data', (key) => { console.log('got', String(key)); process.exit(3); });`;
const EDITED_INPUT = `import readline, sys; print('got', input('Overwrite? ')); sys.exit(3)`;
const KEY = `import os, sys, tty; tty.setcbreak(0); print('got', os.read(0, 1).decode()); sys.exit(3)`;
/** Asks as an installer does that is piped into a shell. */
const PIPED = `printf 'Overwrite? '; read x </dev/tty; echo got $x; exit 3`;
const PERL = `$| = 1; print "Overwrite? "; $x = <STDIN>; print "got $x"; exit 3`;
/** Draws its own screen, and runs a shell in a terminal that it creates and does not read from now. */
const FILE_MANAGER = `
import os, pty, select, sys, time, tty
shell, inner = pty.fork()
if shell == 0: os.execlp('bash', 'bash', '--norc')
while b'\\x1b[?2004h' not in os.read(inner, 4096): pass
tty.setraw(0)
sys.stdout.write('files'); sys.stdout.flush()
select.select([0], [], [])
print('got', os.read(0, 1).decode()); os._exit(3)
`;

const FILES = {
  ...{ 'ask.js': QUESTION, 'menu.js': MENU, 'edited.py': EDITED_INPUT, 'key.py': KEY, 'ask.pl': PERL },
  ...{ 'edited.sh': 'read -e -p "Overwrite? " x; echo got $x; exit 3', 'piped.sh': PIPED, 'files.py': FILE_MANAGER },
  'package.json': JSON.stringify({ scripts: { ask: 'node ask.js' } }),
};

const ASKING: readonly [kind: InputWait['kind'], by: string, command: string, answer: string][] = [
  ['program', 'node', 'node ask.js', 'y\r'],
  ['program', 'node', 'node -e "$(cat ask.js)"', 'y\r'],
  ['program', 'node', 'npm run --silent ask', 'y\r'],
  ['program', 'node', 'node menu.js', 'y'],
  ['program', 'python3', 'python3 edited.py', 'y\r'],
  ['program', 'python3', 'python3 key.py', 'y'],
  ['line', 'perl', 'perl ask.pl', 'y\r'],
  ['program', 'bash', 'bash edited.sh', 'y\r'],
  ['program', 'bash', '(read -e -p "Overwrite? " x; echo got $x; exit 3)', 'y\r'],
  ['line', 'sh', 'cat piped.sh | sh', 'y\r'],
  ['program', 'python3', 'python3 files.py', 'y'],
];

const LEADING: readonly [by: string, command: string, leave: string][] = [
  ['bash', 'bash --rcfile /dev/null', 'exit 3\r'],
  ['dash', 'dash -i', 'exit 3\r'],
  ['sh', 'sh', 'exit 3\r'],
  ['busybox', 'busybox sh', 'exit 3\r'],
  ['mksh', 'mksh', 'exit 3\r'],
  ['bash', 'script -qe /dev/null', 'exit 3\r'],
  ['python3', 'python3 -q', 'exit(3)\r'],
  ['python3', 'python3 -q -i empty.py', 'exit(3)\r'],
  ['node', 'node', 'process.exit(3)\r'],
  ['sqlite3', 'sqlite3 -interactive :memory:', '.exit 3\r'],
];

const AS_ROOT: readonly [by: string, command: string, leave: string][] = [
  ['bash', 'sudo -s', 'exit 3\r'],
  ['bash', 'su', 'exit 3\r'],
  ['dash', 'sudo -u nobody dash -i', 'exit 3\r'],
];

async function allLeading(cases: typeof LEADING): Promise<void> {
  const told = await Promise.all(cases.map(([, command, leave]) => ask({ 'empty.py': '' }, command, leave)));
  const expected = cases.map(([by, command]) => ({ command, state: 'nested', by, exitCode: 3 }));
  expect(told).toMatchObject(expected);
}

describe('a command that waits for input', () => {
  it('is waiting, whatever language it is written in', async () => {
    const told = await Promise.all(ASKING.map(([, , command, answer]) => ask(FILES, command, answer)));
    const expected = ASKING.map(([kind, by, command]) => ({
      command,
      state: 'waiting',
      kind,
      by,
      exitCode: 3,
      got: true,
    }));
    expect(told).toEqual(expected);
  });

  it('is waiting if it is an editor that shows a shell', async () => {
    const command = 'vim -u NONE -i NONE -c "terminal bash --norc"';
    expect(await ask({}, command, '\x17N:qa!\r')).toMatchObject({ state: 'waiting', exitCode: 0 });
  });
});

describe('a command that leads to another shell or a REPL', () => {
  it('is nested', () => allLeading(LEADING));

  itAsRoot('is nested if the shell belongs to another user', () => allLeading(AS_ROOT));
});
