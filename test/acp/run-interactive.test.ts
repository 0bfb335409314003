/** `tenacitty acp run` with a person: a real pseudo-terminal, keys, questions, Ctrl-C. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Place } from '../cli/place.js';
import type { Program } from '../pty/program.js';
import { AGENT, isAlive } from './scripted.js';

let place: Place;
beforeEach(async () => (place = await new Place().ready()));
afterEach(() => place.close());

const CTRL_C = '\x03';
const CTRL_D = '\x04';
const UP = '\x1b[A';

/** What stands on the terminal, without what makes it stand there. */
const plain = ({ output }: Program) => output.replace(/\x1b\[[\d;?]*[A-Za-z]/g, '').replaceAll('\r', '');

function talk(...flags: string[]): Program {
  return place.inTerminal(['acp', 'run', '--cwd', place.directory, ...flags, '--', ...AGENT]);
}

/** Types a line, when there is a prompt for it. */
async function say(program: Program, line: string): Promise<void> {
  await program.until(/> [^>]*$/);
  program.type(`${line}\r`);
}

const script = (...steps: object[]) => JSON.stringify(steps);

it('takes turn after turn, and remembers what was typed', async () => {
  const program = talk();
  await say(program, 'one');
  await program.until(/You said: one/);
  await say(program, 'two');
  await program.until(/You said: two[^]*> [^>]*$/);
  program.type(`${UP}${UP}\r`);
  await program.until(/You said: one[^]*You said: one/);
  await say(program, '/quit');
  expect(await program.exited).toMatchObject({ exitCode: 0 });
});

it('ends with Ctrl-D, and with Ctrl-C at the prompt', async () => {
  const first = talk();
  await first.until(/> [^>]*$/);
  first.type(CTRL_D);
  expect(await first.exited).toMatchObject({ exitCode: 0 });
  const second = talk();
  await second.until(/> [^>]*$/);
  second.type(CTRL_C);
  expect(await second.exited).toMatchObject({ exitCode: 130 });
});

it('asks for permission, and one key answers', async () => {
  const program = talk();
  await say(program, script({ ask: { title: 'Run make' } }));
  await program.until(/3[^\n]* No\r?\n/);
  program.type('9');
  program.type('2');
  await program.until(/<once>/);
  expect(plain(program)).toContain('? Run make\n  1 Always\n  2 Once\n  3 No\n');
  await say(program, 'after');
  await program.until(/You said: after/);
  await say(program, '/quit');
  expect(await program.exited).toMatchObject({ exitCode: 0 });
});

it('cancels the turn with Ctrl-C or /cancel, and goes on', async () => {
  const program = talk();
  const waits = script({ say: 'begun\n' }, { wait: 1 }, { stop: 'cancelled' });
  await say(program, waits);
  await program.until(/\nbegun/);
  program.type(CTRL_C);
  await program.until(/Cancelled\./);
  await say(program, waits.replace('begun', 'again'));
  await program.until(/\nagain/);
  program.type('/cancel\r');
  await program.until(/Cancelled\.[^]*Cancelled\./);
  await say(program, 'still there');
  await program.until(/You said: still there/);
});

it('takes back a question when the turn is cancelled', async () => {
  const program = talk();
  await say(program, script({ ask: { title: 'Run make' } }));
  await program.until(/3[^\n]* No\r?\n/);
  program.type(CTRL_C);
  await program.until(/<cancelled>/);
});

it('ends with a second Ctrl-C, and leaves nothing behind', async () => {
  const program = talk();
  const file = join(place.directory, 'pid');
  await say(program, script({ leave: file }, { say: 'begun\n' }, { wait: 1 }, { say: 'heard\n' }, { hang: 1 }));
  await program.until(/\nbegun/);
  program.type(CTRL_C);
  await program.until(/\nheard/);
  program.type(CTRL_C);
  expect(await program.exited).toMatchObject({ exitCode: 130 });
  expect(isAlive(Number(readFileSync(file, 'utf8')))).toBe(false);
});

it('lists the terminals there are, which stay as long as the agent keeps them', async () => {
  const program = talk();
  await say(program, '/terminals');
  await program.until(/No terminals yet/);
  await say(program, script({ run: { command: 'sleep 1000', keep: true } }, { run: { command: 'exit 3' } }));
  await program.until(/\[3 0\]/);
  await say(program, '/terminals');
  await program.until(/2 {2}[^\n]*exit code 3/);
  expect(plain(program)).toMatch(
    /1 {2}running {2}sleep 1000 {2}tenacitty attach \w{8}\n {2}2 {2}exit code 3 {2}exit 3\n/,
  );
  expect(await place.manager.list()).toHaveLength(1);
  await say(program, '/quit');
  await program.exited;
  expect(await place.manager.list()).toEqual([]);
});

it('goes on after an error of the agent, and ends when it is gone', async () => {
  const program = talk();
  await say(program, script({ error: { code: -32603, message: 'no model' } }));
  await program.until(/no model/);
  await say(program, script({ die: 7 }));
  await program.until(/The agent has ended: exit code 7/);
  expect(await program.exited).toMatchObject({ exitCode: 14 });
});

it('has colours, unless NO_COLOR says otherwise', async () => {
  const program = talk();
  await say(program, script({ run: { command: 'printf "\\033[31mred\\033[0m\\n"' } }));
  await program.until(/\[0 \d+\]/);
  expect(program.output).toMatch(/\x1b\[31mred/);
  const [bare] = [place.inTerminal(['acp', 'run', '--prompt', 'x', '--', ...AGENT], { NO_COLOR: '1' })];
  await bare.exited;
  expect(bare.output).not.toContain('\x1b');
});

it('takes a line of a pipe for a turn, where there is nobody to ask', async () => {
  const lines = ['one', '', script({ ask: { title: 'x' } }), '/terminals', ''].join('\n');
  const { code, stdout } = await place.start(['acp', 'run', '--', ...AGENT], { stdin: lines }).ended();
  expect(code).toBe(125);
  expect(stdout).toMatch(/You said: one\n[^]*<no>/);
});
