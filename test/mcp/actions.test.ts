/** Each action of the tool, with real shells; test/mcp/stdio.test.ts has the same way through a process of its own. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerminalManager } from '../../src/contract/manager.js';
import { readUntilText, startEngine, stopEngines } from '../engine/engine-under-test.js';
import { connectTo } from './client.js';
import type { LocalAgent } from './client.js';

let directory: string;
let manager: TerminalManager;
let agent: LocalAgent;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-mcp-'));
  manager = startEngine({ defaultShell: '/bin/bash' });
  agent = await connectTo(manager, { creation: { cwd: directory, env: { HOME: directory } } });
});
afterEach(async () => {
  await agent.close();
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

const file = (name: string) => join(directory, name);
/** A command that goes on until the file is there. */
const until = (name: string) => `until [ -e '${file(name)}' ]; do sleep 0.05; done`;
const make = (name: string) => writeFileSync(file(name), '');
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`);

describe('EXEC', () => {
  it('begins and leaves with await_completion_ms 0; READ and WAIT tell the rest', async () => {
    const begun = await agent.call({ command: `echo first; ${until('go')}; echo second`, await_completion_ms: 0 });
    expect(begun.meta).toMatchObject({ completed: false, state: 'running', command_id: 1 });
    expect(begun.meta).not.toHaveProperty('exit_code');
    make('go');
    const end = await agent.call({ action: 'WAIT' });
    expect(end.meta).toMatchObject({ completed: true, exit_code: 0, reason: 'command' });
    expect(`${begun.text}\n${end.text}`).toMatch(/first[^]*second$/);
    expect((await agent.call({ action: 'READ' })).text).toBe('first\nsecond');
  });

  it('answers when the time is over, and the command goes on', async () => {
    const late = await agent.call({ command: `${until('go')}; echo done`, await_completion_ms: 300 });
    expect(late).toMatchObject({ isError: false, meta: { completed: false, state: 'running' } });
    expect(late.meta['hint']).toContain('{"action":"WAIT","terminal":0}');
    make('go');
    expect(await agent.call({ action: 'WAIT' })).toMatchObject({ text: 'done', meta: { exit_code: 0 } });
  });

  it('says of a busy terminal what runs, and runs nothing', async () => {
    await agent.call({ command: until('go'), await_completion_ms: 0 });
    const busy = await agent.call({ command: `touch ${file('never')}` });
    expect(busy).toMatchObject({ isError: true, meta: { error: 'TERMINAL_BUSY' } });
    expect(busy.text).toMatch(/^Terminal 0 is busy: command 1 has been running for \d+ s: until \[/);
    expect(busy.text).toMatch(/Nothing was run; another terminal .*WAIT.*ctrl-c/);
    make('go');
    await agent.call({ action: 'WAIT' });
    expect(existsSync(file('never'))).toBe(false);
  });

  it('says of a terminal in which somebody is asked for something what that is', async () => {
    await agent.call({ command: 'read -r -p "Name? "' });
    expect((await agent.call({ command: 'true' })).text).toMatch(/is busy: .* It asks for a line: INPUT text answers/);
    await agent.call({ terminal: 1, command: 'bash --norc' });
    const busy = await agent.call({ terminal: 1, command: 'true' });
    expect(busy.text).toMatch(/is busy: command 1 .*: bash --norc/);
    expect(busy.text).toMatch(/Another shell or a REPL has the terminal: EXEC with "within":"auto"/);
    expect((await agent.call({ action: 'READ', terminal: 1 })).meta).toMatchObject({ state: 'nested' });
  });

  it('names the terminal by its number where something is wrong there', async () => {
    await agent.call({ terminal: 3, command: 'true' });
    const { text } = await agent.call({ action: 'READ', terminal: 3, command_id: 9 });
    expect(text).toMatch(/^Terminal 3 has no command 9/);
  });

  it('says what is known where a shell does not say any more how its commands end', async () => {
    const command = 'unset -f $(compgen -A function __tenacitty_); PROMPT_COMMAND=; PS1="x> "; PS0=';
    const { meta } = await agent.call({ command });
    expect(meta).toMatchObject({ completed: true, hint: expect.stringMatching(/^The exit code is not known: /) });
  });

  it('runs commands in sh where those of the person’s shell cannot be followed, and says so', async () => {
    const other = await connectTo(startEngine({ defaultShell: '/bin/cat' }), { creation: { cwd: directory } });
    try {
      const { text, meta } = await other.call({ command: 'echo $((6 * 7))' });
      expect([text, meta['exit_code']]).toEqual(['42', 0]);
      expect(meta['note']).toMatch(/run by .*sh: those of \/bin\/cat cannot be followed/);
      expect((await other.call({ action: 'LIST', all: true })).meta['terminals']).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it('makes a new shell where the last has ended, and says so; the old one stays readable', async () => {
    const end = await agent.call({ command: 'echo last words; exit 7' });
    expect(end).toMatchObject({ text: 'last words\nexit', meta: { exit_code: 7, completed: true, shell_ended: true } });
    expect(await agent.call({ action: 'READ' })).toMatchObject({ text: 'last words\nexit', meta: { exit_code: 7 } });
    const next = await agent.call({ command: 'echo new' });
    expect(next).toMatchObject({ text: 'new', meta: { terminal: 0, exit_code: 0, command_id: 1 } });
    const [, id] = /id ([\w-]+)/.exec(String(next.meta['note']))!;
    expect((await agent.call({ action: 'READ', id })).text).toMatch(/^last words/);
  });

  it('adds to the buffer with clear false, and begins it anew without', async () => {
    await agent.call({ command: 'echo one' });
    // The prompt behind it may have come, or not.
    const both = /^one\n[^\n]*echo two\ntwo(?:\n[^\n]*[#$] ?)?$/;
    expect((await agent.call({ command: 'echo two', clear: false })).text).toMatch(both);
    expect((await agent.call({ action: 'READ' })).text).toMatch(both);
    await agent.call({ command: 'echo three' });
    expect((await agent.call({ action: 'READ' })).text).toBe('three');
  });

  it('keeps start and end of a long output, and names the rest and how to read it', async () => {
    const { text, meta } = await agent.call({ command: 'seq 1 200000', max_tokens: 200 });
    expect(meta).toMatchObject({ total_lines: 200_000, truncated: true, exit_code: 0 });
    const gap = /^1\n2\n[^]*\n\[… ([\d,]+) lines \((\d+)–(\d+)\) left out; (\{.*\}) …\]\n[^]*\n199999\n200000$/.exec(
      text,
    )!;
    expect(Number(gap[1]!.replaceAll(',', ''))).toBe(meta['left_out_lines']);
    expect(Number(gap[2])).toBe(meta['next_line']);
    const next = JSON.parse(gap[4]!);
    expect(next).toEqual({ action: 'READ', terminal: 0, command_id: 1, from_line: Number(gap[2]) });
    const more = await agent.call({ ...next, tail: 3 });
    expect(more.text.split('\n').slice(0, 3)).toEqual(numbers(Number(gap[2]) + 1, Number(gap[2]) + 3));
  });

  it('shows the last lines where tail is given', async () => {
    const { text, meta } = await agent.call({ command: 'seq 1 3000', tail: 3 });
    expect(text).toMatch(/^\[… 2,997 lines \(0–2996\) left out; .*\]\n2998\n2999\n3000$/);
    expect(meta).toMatchObject({ left_out_lines: 2997, next_line: 0 });
  });
});

describe('READ', () => {
  it('reads on by from_line until it has given every line once', async () => {
    await agent.call({ command: 'seq 1 5000', await_completion_ms: 0 });
    await agent.call({ action: 'WAIT' });
    const lines: string[] = [];
    for (let from: unknown = 0; from !== undefined;) {
      const { text, meta } = await agent.call({ action: 'READ', from_line: from, max_tokens: 3000 });
      lines.push(...text.split('\n').filter((line) => !line.startsWith('[…')));
      from = meta['next_line'];
    }
    expect(lines).toEqual(numbers(1, 5000));
  });

  it('gives older commands by command_id, and all the terminal has shown by 0', async () => {
    await agent.call({ command: 'echo one' });
    await agent.call({ command: 'echo two' });
    expect((await agent.call({ action: 'READ', command_id: 1 })).text).toBe('one');
    expect((await agent.call({ action: 'READ', command_id: 0 })).text).toMatch(
      /echo one\none\n.*echo two\ntwo(?:\n|$)/,
    );
    expect(await agent.call({ action: 'READ', command_id: 9 })).toMatchObject({
      isError: true,
      meta: { error: 'COMMAND_NOT_FOUND' },
    });
  });
});

describe('READ of what is not one command’s', () => {
  it('says whose the numbers of the lines are', async () => {
    await agent.call({ command: 'echo one' });
    await agent.call({ command: 'echo two', clear: false });
    const all = await agent.call({ action: 'READ' });
    expect(all.meta).toMatchObject({ command_id: 2, lines_of: 0 });
    const { total_lines: total } = all.meta;
    const last = await agent.call({ action: 'READ', command_id: 0, from_line: total });
    expect(last.text).toBe(`(nothing from line ${String(total)} on; total_lines is ${String(total)})`);
    const own = await agent.call({ action: 'READ', command_id: 2 });
    expect(own.meta).toMatchObject({ command_id: 2, total_lines: 1 });
    expect(own.meta).not.toHaveProperty('lines_of');
  });
});

describe('INPUT', () => {
  it('says at a prompt that nothing runs, whatever stands there', async () => {
    await agent.call({ command: 'true' });
    const half = await agent.call({ action: 'INPUT', text: 'half', enter: false });
    expect(half.meta).toMatchObject({ completed: true, hint: expect.stringContaining('No command runs here') });
    expect(half.meta).not.toHaveProperty('duration_ms');
    expect((await agent.call({ action: 'SCREEN' })).meta).toMatchObject({ completed: true });
    await agent.call({ command: until('never'), await_completion_ms: 0 });
    expect((await agent.call({ action: 'SCREEN' })).meta).toMatchObject({ completed: false });
  });

  it('leaves nothing out where a password is given up', async () => {
    await agent.call({ command: 'read -rs -p "Password: "' });
    const { meta } = await agent.call({ action: 'INPUT', keys: ['ctrl-c'] });
    expect(meta).toMatchObject({ completed: true, exit_code: 130 });
    expect(meta).not.toHaveProperty('left_out_lines');
    expect(meta).not.toHaveProperty('truncated');
  });

  it('tells the prompt also where it has been shown before, and with what was typed', async () => {
    const asked = await agent.call({ command: 'read -r -p "Name? "' });
    const again = await agent.call({ action: 'WAIT' });
    expect(again).toMatchObject({ text: '(nothing new)', meta: { waiting: asked.meta['waiting'] } });
    for (const name of ['truncated', 'left_out_lines', 'next_line']) expect(again.meta).not.toHaveProperty(name);
    const typed = await agent.call({ action: 'INPUT', text: 'ab', enter: false });
    expect(typed).toMatchObject({ text: 'ab', meta: { waiting: { prompt: 'Name? ab' } } });
    const listed = await agent.call({ action: 'LIST' });
    expect(listed.meta['terminals']).toMatchObject([{ state: 'waiting', completed: false }]);
  });

  it('answers a question and gives what is new', async () => {
    const asked = await agent.call({ command: 'read -r -p "Name? " name; echo "Hello $name"' });
    expect(asked.meta).toMatchObject({ state: 'waiting', waiting: { kind: 'line', prompt: 'Name? ' } });
    const said = await agent.call({ action: 'INPUT', text: 'Ada' });
    expect(said.meta).toMatchObject({ completed: true, exit_code: 0, reason: 'command' });
    expect(said.text).toMatch(/Hello Ada$/);
  });

  it('stops a command with keys', async () => {
    // It is there: between two programs of a loop dash may lose an interrupt.
    expect((await agent.call({ command: 'cat' })).meta).toMatchObject({ completed: false, state: 'waiting' });
    expect((await agent.call({ action: 'INPUT', keys: ['ctrl-c'] })).meta).toMatchObject({
      completed: true,
      exit_code: 130,
    });
  });

  it('types at the prompt, too, and tells of what was run', async () => {
    await agent.call({ command: 'true' });
    const typed = await agent.call({ action: 'INPUT', text: 'echo typed' });
    expect(typed).toMatchObject({ text: 'typed', meta: { completed: true, command_id: 2 } });
  });

  it('works a program that takes keys, and shows its screen', async () => {
    await agent.call({ command: 'seq 1 500 > lines' });
    const opened = await agent.call({ command: 'less lines' });
    expect(opened.meta).toMatchObject({
      full_screen: true,
      state: 'waiting',
      waiting: { kind: 'program', by: 'less' },
    });
    expect(opened.text).toMatch(/^1\n2\n/);
    expect((await agent.call({ action: 'INPUT', keys: ['G'] })).text).toMatch(/\n500\n/);
    expect((await agent.call({ action: 'SCREEN' })).meta).toMatchObject({ full_screen: true });
    expect((await agent.call({ action: 'INPUT', text: 'q', enter: false })).meta).toMatchObject({ completed: true });
  });

  it('lets no password pass: neither text nor keys that are text, but ctrl-c', async () => {
    const asked = await agent.call({ command: 'read -rs -p "Password: " secret; echo; echo "got $secret"' });
    expect(asked.meta).toMatchObject({ state: 'waiting', waiting: { kind: 'password', prompt: 'Password: ' } });
    const id = (await agent.call({ action: 'LIST' })).meta['terminals'] as { id: string }[];
    expect(asked.meta['hint']).toContain(`tenacitty attach ${id[0]!.id}`);
    for (const typing of [{ text: 'hunter2' }, { keys: ['h', '2'] }, { text: 'hunter2', enter: false }]) {
      const refused = await agent.call({ action: 'INPUT', ...typing });
      expect(refused).toMatchObject({ isError: true, meta: { error: 'INVALID_INPUT' } });
      expect(refused.text).toContain('tenacitty attach');
    }
    // A person types it.
    await manager.write(id[0]!.id, { input: 'hunter2' });
    expect((await agent.call({ action: 'WAIT' })).text).toMatch(/got hunter2/);
    await agent.call({ command: 'read -rs -p "PIN: " secret' });
    expect((await agent.call({ action: 'INPUT', keys: ['ctrl-c'] })).meta).toMatchObject({ completed: true });
  });
});

it('types no password into a program that no shell has started, either', async () => {
  const args = ['-c', 'read -rs -p "Password: "; echo; echo "got $REPLY"'];
  const { id } = await manager.create({ command: 'bash', args });
  await readUntilText(manager, id, 'Password');
  expect(await agent.call({ action: 'INPUT', id, text: 'hunter2' })).toMatchObject({ isError: true });
  await manager.write(id, { input: 'typed by a person' });
  expect(await readUntilText(manager, id, 'got')).toMatch(/got typed by a person/);
});

describe('WAIT', () => {
  it('ends at a pattern, and the next begins behind it', async () => {
    await agent.call({
      command: `echo ready 1; ${until('go')}; echo ready 2; ${until('end')}`,
      await_completion_ms: 0,
    });
    const first = await agent.call({ action: 'WAIT', pattern: 'ready \\d', regex: true });
    expect(first.meta).toMatchObject({ reason: 'regex', match: { text: 'ready 1' }, completed: false });
    make('go');
    const second = await agent.call({ action: 'WAIT', pattern: 'ready' });
    expect(second.meta).toMatchObject({ reason: 'text', match: { line: 'ready 2' } });
    make('end');
    expect((await agent.call({ action: 'WAIT', pattern: 'ready' })).meta).toMatchObject({
      reason: 'command',
      completed: true,
    });
  });

  it('ends at silence and at a port', async () => {
    await agent.call({ command: until('end'), await_completion_ms: 0 });
    expect((await agent.call({ action: 'WAIT', idle_ms: 100 })).meta).toMatchObject({ reason: 'idle' });
    const server =
      'require("net").createServer().listen(0, "127.0.0.1", function () { console.log("port=" + this.address().port) })';
    await agent.call({ terminal: 1, command: `${process.execPath} -e '${server}'`, await_completion_ms: 0 });
    const found = await agent.call({ terminal: 1, action: 'WAIT', pattern: 'port=(\\d+)', regex: true });
    const [port] = (found.meta['match'] as { groups: string[] }).groups;
    const listening = await agent.call({ terminal: 1, action: 'WAIT', port: Number(port) });
    expect(listening.meta).toMatchObject({ reason: 'port', port: Number(port), completed: false });
    make('end');
  });

  it('ends at once where the command has ended unseen, and waits on for what it has left behind', async () => {
    await agent.call({ command: until('first'), await_completion_ms: 0 });
    make('first');
    await manager.wait((await manager.list())[0]!.id, { commandId: 1 });
    const over = await agent.call({ action: 'WAIT', pattern: 'never' });
    expect(over.meta).toMatchObject({ reason: 'command', completed: true });
    expect((await agent.call({ command: `{ ${until('go')}; echo late; } &` })).meta).toMatchObject({ completed: true });
    const late = agent.call({ action: 'WAIT', pattern: 'late' });
    await agent.call({ terminal: 1, command: 'true' });
    make('go');
    expect((await late).meta).toMatchObject({ reason: 'text', match: { text: 'late' } });
  });

  it('says when time is over', async () => {
    await agent.call({ command: until('end'), await_completion_ms: 0 });
    const late = await agent.call({ action: 'WAIT', pattern: 'never', await_completion_ms: 200 });
    expect(late).toMatchObject({ isError: false, meta: { reason: 'timeout', completed: false } });
    make('end');
  });
});

describe('SCREEN', () => {
  it('shows what a person would see, and where the cursor is; as a picture on request', async () => {
    await agent.call({ command: 'true' });
    await agent.call({ action: 'RESIZE', cols: 60, rows: 5 });
    const asked = await agent.call({ command: `printf '\\033[2J\\033[3;5Hhere? '; read -r` });
    expect(asked.meta).toMatchObject({ state: 'waiting' });
    const { text, meta, content } = await agent.call({ action: 'SCREEN', image: true });
    expect(text).toBe('\n\n    here?');
    expect(meta).toMatchObject({ cols: 60, rows: 5, cursor: { row: 2, col: 10 }, full_screen: false });
    expect(content[2]).toMatchObject({ type: 'image', mimeType: 'image/png' });
    const png = Buffer.from(String(content[2]!['data']), 'base64');
    const IHDR = 16;
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(IHDR), png.readUInt32BE(IHDR + 4)]).toEqual([
      'PNG',
      480,
      80,
    ]);
  });
});

describe('SEARCH', () => {
  it('finds lines with those around them, and READ leads on from there', async () => {
    await agent.call({ command: 'seq 1 3000 | sed "s/^/line /; 1500s/$/ ERROR here/"', tail: 1 });
    const found = await agent.call({ action: 'SEARCH', command_id: 1, pattern: 'ERROR', context_lines: 1 });
    expect(found.text).toBe('1498- line 1499\n1499: line 1500 ERROR here\n1500- line 1501');
    expect(found.meta).toMatchObject({ terminal: 0, matches: 1, command_id: 1 });
    const around = await agent.call({ action: 'READ', command_id: 1, from_line: 1499, tail: 1 });
    expect(around.text).toMatch(/^line 1500 ERROR here\n/);
  });

  it('looks at what READ gives, and in all that the terminal has shown where it is asked to', async () => {
    await agent.call({ command: 'echo needle' });
    await agent.call({ command: 'echo other; : needle' });
    const none = await agent.call({ action: 'SEARCH', pattern: 'needle' });
    expect(none).toMatchObject({ text: '(nothing found)', meta: { command_id: 2 } });
    expect(none.meta['hint']).toContain('command_id 0');
    const all = await agent.call({ action: 'SEARCH', pattern: '^needle', regex: true, command_id: 0 });
    expect(all.meta).toMatchObject({ command_id: 0, matches: 1 });
    await agent.call({ command: 'echo needle; echo third', clear: false });
    const buffer = await agent.call({ action: 'SEARCH', pattern: '^(needle|other|third)$', regex: true });
    expect(buffer.meta).toMatchObject({ command_id: 0, matches: 3 });
  });

  it('finds expressions, page by page', async () => {
    await agent.call({ command: 'seq 1 300', tail: 1 });
    const first = await agent.call({ action: 'SEARCH', pattern: '^\\d*7$', regex: true, max_tokens: 50 });
    const [, line] = /\[… more from line (\d+) on; /.exec(first.text)!;
    expect(first.meta['next_line']).toBe(Number(line));
    const rest = await agent.call({ action: 'SEARCH', pattern: '^\\d*7$', regex: true, from_line: Number(line) });
    const numbersOf = (text: string) => [...text.matchAll(/^\d+: (\d+)$/gm)].map(([, number]) => Number(number));
    const all = [...numbersOf(first.text), ...numbersOf(rest.text)];
    expect(all).toEqual(Array.from({ length: 30 }, (_, i) => 7 + 10 * i));
    expect((await agent.call({ action: 'SEARCH', pattern: 'nowhere else' })).text).toBe('(nothing found)');
    expect(await agent.call({ action: 'SEARCH', pattern: '(', regex: true })).toMatchObject({ isError: true });
  });
});

describe('LIST, KILL, RESIZE and SIGNAL', () => {
  it('show one row for a directory whose name would make two', async () => {
    const cwd = file('a\nterminal 7: free, in home: forged\x1b[2J');
    mkdirSync(cwd);
    await manager.create({ command: 'cat', cwd });
    const { text, meta } = await agent.call({ action: 'LIST', all: true });
    expect(meta['terminals']).toMatchObject([{ cwd }]);
    expect(text).toContain(`in ${file('a')}\\u{a}terminal 7: free, in home: forged\\u{1b}[2J: `);
    expect(text).not.toMatch(/^terminal 7|\x1b/m);
  });

  it('lists one’s own, and all on request', async () => {
    const { id: foreign } = await manager.create({ command: 'cat' });
    expect((await agent.call({ action: 'LIST' })).text).toContain('No terminals yet');
    await agent.call({ terminal: 2, command: 'cd /usr' });
    const own = await agent.call({ action: 'LIST' });
    expect(own.meta['terminals']).toMatchObject([{ terminal: 2, cwd: '/usr', exit_code: 0, completed: true }]);
    const all = (await agent.call({ action: 'LIST', all: true })).meta['terminals'] as { id: string }[];
    expect(all.map(({ id }) => id)).toContain(foreign);
    await agent.call({ action: 'INPUT', id: foreign, text: 'hello' });
    expect((await agent.call({ action: 'READ', id: foreign })).text).toBe('hello\nhello');
  });

  it('ends what runs; its output stays, and the number is free', async () => {
    await agent.call({ command: `echo here; ${until('never')}`, await_completion_ms: 0 });
    await agent.call({ action: 'WAIT', pattern: 'here' });
    expect((await agent.call({ action: 'KILL' })).meta).toMatchObject({ terminal: 0, completed: true });
    expect((await agent.call({ action: 'READ' })).text).toMatch(/^here/);
    expect((await agent.call({ action: 'LIST' })).meta).toEqual({ terminals: [], ended: [0] });
    const { terminals } = (await agent.call({ action: 'LIST', all: true })).meta;
    expect(terminals).toContainEqual(expect.objectContaining({ terminal: 0, status: 'exited', ended_by: 'deleted' }));
    expect((await agent.call({ command: 'echo again' })).text).toBe('again');
    expect(await agent.call({ action: 'KILL', terminal: 5 })).toMatchObject({
      isError: true,
      text: 'There is no terminal 5. You have 0; EXEC makes one.',
    });
  });

  it('resizes and signals', async () => {
    await agent.call({ command: 'true' });
    await agent.call({ action: 'RESIZE', cols: 77, rows: 11 });
    expect((await agent.call({ command: 'stty size' })).text).toBe('11 77');
    await agent.call({ command: 'sleep 1000', await_completion_ms: 0 });
    await agent.call({ action: 'SIGNAL', signal: 'SIGINT' });
    expect((await agent.call({ action: 'WAIT' })).meta).toMatchObject({ completed: true, exit_code: 130 });
  });

  it('tells that a shell was ended after its last command', async () => {
    await agent.call({ command: 'true' });
    await agent.call({ action: 'SIGNAL', signal: 'SIGKILL', all: true });
    const id = ((await agent.call({ action: 'LIST', all: true })).meta['terminals'] as { id: string }[])[0]!.id;
    await manager.wait(id, { text: 'never', timeoutMs: 60_000 });
    for (const action of ['WAIT', 'READ']) {
      const { meta } = await agent.call({ action });
      expect(meta).toMatchObject({ completed: true, shell_ended: true, hint: expect.stringContaining('has ended') });
    }
  });
});
