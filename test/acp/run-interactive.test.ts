/** Tests `tenacitty acp run` with a person: a real pseudo-terminal, keys, questions, Ctrl-C. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import type { Program } from '../pty/program.js';
import { AGENT, isAlive } from './scripted.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const CTRL_C = '\x03';
const CTRL_D = '\x04';
const UP = '\x1b[A';

/** The text on the terminal, without escape sequences. */
const plain = ({ output }: Program) => plainOf(output);
const plainOf = (output: string) => output.replace(/\x1b\[[\d;?]*[A-Za-z]/g, '').replaceAll('\r', '');

/** Typed text is echoed in pieces. */
async function untilSeen(program: Program, pattern: RegExp): Promise<void> {
  while (!pattern.test(plain(program))) await program.nextOutput();
}

function talk(...flags: string[]): Program {
  return place.inTerminal(['acp', 'run', '--cwd', place.directory, ...flags, '--', ...AGENT]);
}

/** Types a line once there is a prompt. */
async function say(program: Program, line: string): Promise<void> {
  await program.until(/> [^>]*$/);
  program.type(`${line}\r`);
}

/** Matches output that ends where an answer is expected. */
const ASKS = /1–3, then Enter: \x1b\[\d+G$/;
const ASKS_AGAIN = /1, 2 or 3, then Enter: \x1b\[\d+G$/;

const script = (...steps: object[]) => JSON.stringify(steps);

it('takes turn after turn, and keeps a history of what was typed', async () => {
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

it('treats several pasted lines as one prompt, and turns paste marking off again', async () => {
  const program = talk();
  await program.until(/> [^>]*$/);
  expect(program.output).toMatch(/\x1b\[\?2004h/);
  program.type('\x1b[20');
  program.type('0~one\rtwo\x03\r\tthree\r\x1b[20');
  program.type('1~ four');
  await untilSeen(program, / four$/);
  expect(plain(program)).not.toContain('You said');
  program.type('\r');
  await untilSeen(program, /You said: one\ntwo\n\tthree\n four\n/);
  await say(program, '/quit');
  await program.exited;
  expect(program.output.lastIndexOf('\x1b[?2004l')).toBeGreaterThan(program.output.lastIndexOf('\x1b[?2004h'));
});

it('clears the typed text with Ctrl-C, and ends with Ctrl-C if there is none', async () => {
  const program = talk();
  await program.until(/> [^>]*$/);
  program.type('not this');
  await untilSeen(program, /> not this$/);
  program.type(`${CTRL_C}this\r`);
  await untilSeen(program, /You said: this\n[^\n]*> $/);
  program.type(CTRL_C);
  expect(await program.exited).toMatchObject({ exitCode: 130 });
});

it('shows the agent’s mode, and sends commands to the agent', async () => {
  const program = talk();
  await say(program, '/help');
  await untilSeen(program, /You said: \/help\n/);
  await say(program, script({ update: { sessionUpdate: 'current_mode_update', currentModeId: 'plan' } }));
  await untilSeen(program, /\nmode: plan\n/);
});

it('asks for permission, answered by a number and Enter', async () => {
  const program = talk();
  await say(program, script({ ask: { title: 'Run make' } }));
  await program.until(ASKS);
  program.type('2\r');
  await program.until(/<once>/);
  expect(plain(program)).toContain('? Run make\n  1 Always\n  2 Once\n  3 No\n  1–3, then Enter: 2\n  → Once\n');
  await say(program, 'after');
  await program.until(/You said: after/);
  await say(program, '/quit');
  expect(await program.exited).toMatchObject({ exitCode: 0 });
});

it('shows what a tool is going to do, as the agent has reported it step by step', async () => {
  const program = talk();
  const call = { sessionUpdate: 'tool_call', toolCallId: 'asked', title: 'Bash', kind: 'execute' };
  const rawInput = { command: 'rm -rf /srv/data' };
  const diff = { type: 'diff', path: '/srv/data/a', oldText: 'a', newText: 'b' };
  const ask = { title: 'Bash', locations: [{ path: '/srv/data' }], content: [diff] };
  await say(program, script({ update: { ...call, rawInput } }, { ask }));
  await program.until(ASKS);
  expect(plain(program)).toContain(
    '? Bash\n  │ rm -rf /srv/data\n  at /srv/data\n  ± /srv/data/a  +1 −1\n  - a\n  + b\n  1 Always\n',
  );
});

it('reports the input of a tool as JSON', async () => {
  const told = { rawInput: { command: 'rm' }, locations: [{ path: '/srv', line: 3 }] };
  const content = [{ type: 'content', content: { type: 'text', text: 'more' } }];
  const call = { sessionUpdate: 'tool_call', toolCallId: 'asked', title: 'Bash', ...told };
  const prompt = script({ update: call }, { ask: { title: 'Bash', content } });
  const { stdout } = await place.run('acp', 'run', '--json', '--prompt', prompt, '--', ...AGENT);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool', ...told }));
  expect(events).toContainEqual(expect.objectContaining({ type: 'question', ...told, texts: ['more'] }));
});

it('shows what a program asks while it waits for input, and how to answer it', async () => {
  const program = talk();
  await say(program, script({ run: { command: 'printf "Proceed? [y/N] "; read -r answer; echo "<$answer>"' } }));
  await untilSeen(program, /1│ Proceed\? \[y\/N\] *\n[^]*1│ waiting for input: node \S+ attach \w{8} --data-dir=\S+\n/);
  const [terminal] = await place.manager.list();
  await place.manager.write(terminal!.id, { input: 'yes' });
  await untilSeen(program, /1│ Proceed\? \[y\/N\] yes\n {2}1│ <yes>\n[^]*\[0 /);
});

it('submits later what is typed while the agent works, and never takes it for an answer', async () => {
  const program = talk();
  const gate = join(place.directory, 'gate');
  await say(program, script({ say: 'begun\n' }, { until: gate }, { ask: { title: 'Run make' } }));
  await program.until(/\nbegun/);
  program.type('next\r1\r2');
  writeFileSync(gate, '');
  await program.until(ASKS);
  program.type('bug 1\r');
  await program.until(ASKS_AGAIN);
  expect(program.output).not.toMatch(/→/);
  program.type('3\r');
  await untilSeen(program, /<no>[^]*> next\nYou said: next\n[^]*> 1\nYou said: 1\n[^\n]*> 2$/);
});

it('drops typed-ahead text when the turn is cancelled', async () => {
  const program = talk();
  await say(program, script({ say: 'begun\n' }, { wait: 1 }, { stop: 'cancelled' }));
  await program.until(/\nbegun/);
  program.type('one\rtwo');
  program.type(CTRL_C);
  await untilSeen(program, /Cancelled\.\n[^\n]*> $/);
  program.type('three\r');
  await untilSeen(program, /You said: three/);
  expect(plain(program)).not.toMatch(/You said: (one|two)|> (one|two)/);
});

it('restores half-typed text after a question', async () => {
  const program = talk();
  const gate = join(place.directory, 'gate');
  const later = { later: [{ until: gate }, { ask: { title: 'Run make' } }] };
  await say(program, script(later));
  program.type('fix bug');
  await untilSeen(program, /> fix bug$/);
  writeFileSync(gate, '');
  await program.until(ASKS);
  program.type('2\r');
  await untilSeen(program, /<once>[^]*> fix bug$/);
  program.type(' 1\r');
  await untilSeen(program, /You said: fix bug 1/);
});

it('asks again if input arrives together with the question', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const program = talk();
    await program.until(/> [^>]*$/);
    program.type(`${script({ ask: { title: 'Run make' } })}\r1\r1`);
    await program.until(ASKS);
    program.type('3\r');
    await program.until(/<no>/);
    expect(program.output).not.toMatch(/<always>/);
  }
});

it('accepts only a valid answer, and keeps no other input for later', async () => {
  const program = talk();
  await say(program, script({ ask: { title: 'Run make' } }));
  await program.until(ASKS);
  for (const line of ['no', '0', '4', '', '2x']) {
    const before = program.output.length;
    program.type(`${line}\r`);
    while (!ASKS_AGAIN.test(program.output.slice(before))) await program.nextOutput();
  }
  program.type('1\r');
  await program.until(/<always>/);
  await say(program, UP);
  // The last output is the prompt, not an answer.
  await untilSeen(program, /<always>[^]*\? Run make/);
  expect(plain(program)).not.toMatch(/You said: /);
});

it('cancels the turn with Ctrl-C, and continues', async () => {
  const program = talk();
  const waits = script({ say: 'begun\n' }, { wait: 1 }, { stop: 'cancelled' });
  await say(program, waits);
  await program.until(/\nbegun/);
  program.type(CTRL_C);
  await program.until(/Cancelled\./);
  await say(program, 'still there');
  await program.until(/You said: still there/);
});

it('withdraws a question when the turn is cancelled', async () => {
  const program = talk();
  await say(program, script({ ask: { title: 'Run make' } }));
  await program.until(ASKS);
  program.type(CTRL_C);
  await program.until(/<cancelled>/);
});

it('ends with a second Ctrl-C, and leaves nothing running', async () => {
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

it('shows output between two turns above the typed text', async () => {
  const program = talk();
  const gate = join(place.directory, 'gate');
  const command = `until [ -e '${gate}' ]; do sleep 0.05; done; echo late`;
  await say(program, script({ run: { command, keep: true } }));
  await untilSeen(program, /1┌[^]*> $/);
  program.type('half ');
  await untilSeen(program, /> half $/);
  writeFileSync(gate, '');
  await untilSeen(program, /1│ late\n[^]*exit code 0\n[^\n]*> half $/);
  program.type('typed\r');
  await untilSeen(program, /You said: half typed/);
});

it('continues after an error of the agent, and ends when the agent is gone', async () => {
  const program = talk();
  await say(program, script({ error: { code: -32603, message: 'no model' } }));
  await program.until(/no model/);
  await say(program, script({ die: 7 }));
  await program.until(/The agent ended: exit code 7/);
  expect(await program.exited).toMatchObject({ exitCode: 14 });
});

it('uses colours unless NO_COLOR is set', async () => {
  const program = talk();
  await say(program, script({ run: { command: 'printf "\\033[31mred\\033[0m\\n"' } }));
  await program.until(/\[0 \d+\]/);
  expect(program.output).toMatch(/\x1b\[31mred/);
  const [bare] = [place.inTerminal(['acp', 'run', '--prompt', 'x', '--', ...AGENT], { NO_COLOR: '1' })];
  await bare.exited;
  expect(bare.output).not.toContain('\x1b');
});

it('takes each line of a pipe as a turn if stdin is not a terminal', async () => {
  const lines = ['one', '', script({ ask: { title: 'x' } }), ''].join('\n');
  const { code, stdout } = await place.start(['acp', 'run', '--', ...AGENT], { stdin: lines }).ended();
  expect(code).toBe(125);
  expect(stdout).toMatch(/You said: one\n[^]*<no>/);
});
