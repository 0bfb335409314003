/**
 * Tests the actions that run and read, with real shells; those that type, show and manage terminals are in
 * actions-on-terminals.test.ts. test/mcp/stdio.test.ts tests the same through a separate process.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerminalManager } from '../../src/contract/manager.js';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { eventually } from '../eventually.js';
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
/** A command that runs until the file exists. */
const until = (name: string) => `until [ -e '${file(name)}' ]; do sleep 0.05; done`;
const make = (name: string) => writeFileSync(file(name), '');
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`);

describe('EXEC', () => {
  it('returns immediately with await_completion_ms 0; READ and WAIT return the rest', async () => {
    const begun = await agent.call({ command: `echo first; ${until('go')}; echo second`, await_completion_ms: 0 });
    expect(begun.meta).toMatchObject({ completed: false, state: 'running', command_id: 1 });
    expect(begun.meta).not.toHaveProperty('exit_code');
    make('go');
    const end = await agent.call({ action: 'WAIT' });
    expect(end.meta).toMatchObject({ completed: true, exit_code: 0, reason: 'command' });
    expect(`${begun.text}\n${end.text}`).toMatch(/first[^]*second$/);
    expect((await agent.call({ action: 'READ' })).text).toBe('first\nsecond');
  });

  it('answers at the timeout, and the command continues', async () => {
    const late = await agent.call({ command: `${until('go')}; echo done`, await_completion_ms: 300 });
    expect(late).toMatchObject({ isError: false, meta: { completed: false, state: 'running' } });
    expect(late.meta['hint']).toContain('{"action":"WAIT","terminal":0}');
    make('go');
    expect(await agent.call({ action: 'WAIT' })).toMatchObject({ text: 'done', meta: { exit_code: 0 } });
  });

  it('reports what runs in a busy terminal, and runs nothing', async () => {
    await agent.call({ command: until('go'), await_completion_ms: 0 });
    const busy = await agent.call({ command: `touch ${file('never')}` });
    expect(busy).toMatchObject({ isError: true, meta: { error: 'TERMINAL_BUSY' } });
    expect(busy.text).toMatch(/^Terminal 0 is busy: command 1 has been running for \d+ s: until \[/);
    expect(busy.text).toMatch(/Nothing was run\. Use another terminal .*WAIT.*ctrl-c/);
    make('go');
    await agent.call({ action: 'WAIT' });
    expect(existsSync(file('never'))).toBe(false);
  });

  it('reports the question in a terminal that waits for input', async () => {
    await agent.call({ command: 'read -r -p "Name? "' });
    expect((await agent.call({ command: 'true' })).text).toMatch(
      /is busy: .* It is waiting for a line: INPUT text answers/,
    );
    await agent.call({ terminal: 1, command: 'bash --norc' });
    const busy = await agent.call({ terminal: 1, command: 'true' });
    expect(busy.text).toMatch(/is busy: command 1 .*: bash --norc/);
    expect(busy.text).toMatch(/A nested shell or REPL is in the foreground: EXEC with "within":"auto"/);
    expect((await agent.call({ action: 'READ', terminal: 1 })).meta).toMatchObject({ state: 'nested' });
  });

  it('uses the terminal’s number in errors', async () => {
    await agent.call({ terminal: 3, command: 'true' });
    const { text } = await agent.call({ action: 'READ', terminal: 3, command_id: 9 });
    expect(text).toMatch(/^Terminal 3 has no command 9/);
  });

  it('reports what is known if a shell no longer reports the end of its commands', async () => {
    const command = 'unset -f $(compgen -A function __tenacitty_); PROMPT_COMMAND=; PS1="x> "; PS0=';
    const { meta } = await agent.call({ command });
    expect(meta).toMatchObject({ completed: true, hint: expect.stringMatching(/^The exit code is unknown, /) });
  });

  it('runs commands in sh if the person’s shell cannot be integrated, and reports it', async () => {
    const other = await connectTo(startEngine({ defaultShell: '/bin/cat' }), { creation: { cwd: directory } });
    try {
      const { text, meta } = await other.call({ command: 'echo $((6 * 7))' });
      expect([text, meta['exit_code']]).toEqual(['42', 0]);
      expect(meta['note']).toMatch(/run in .*sh, because \/bin\/cat does not support shell integration/);
      expect((await other.call({ action: 'LIST', all: true })).meta['terminals']).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it('leaves no terminal if there is no room for a shell that can be integrated', async () => {
    const engine = startEngine({ defaultShell: '/bin/cat', maxTerminals: 1 });
    const other = await connectTo(engine, { creation: { cwd: directory } });
    try {
      expect((await other.call({ command: 'true' })).meta['error']).toBe('LIMIT_REACHED');
      expect(await engine.list()).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('reports a command that has begun, even if no further request may wait', async () => {
    const engine = startEngine({ defaultShell: '/bin/bash', maxWaitingReads: 1 });
    const { id } = await engine.create({ command: 'sleep', args: ['1000'] });
    const left = new AbortController();
    const reads = Array.from({ length: 4 }, () => engine.read(id, { timeoutMs: 100_000 }, { signal: left.signal }));
    await eventually(async () => (await engine.summary()).waitingReads === 4);
    const other = await connectTo(engine, { creation: { cwd: directory } });
    try {
      const { isError, meta } = await other.call({ command: 'sleep 1000', await_completion_ms: 9000 });
      expect([isError, meta]).toMatchObject([false, { command_id: 1, completed: false, state: 'running' }]);
    } finally {
      left.abort();
      await Promise.all(reads);
      await other.close();
    }
  });

  it('creates a new shell if the last one has ended, and reports it; the old one stays readable', async () => {
    const end = await agent.call({ command: 'echo last words; exit 7' });
    expect(end).toMatchObject({ text: 'last words\nexit', meta: { exit_code: 7, completed: true, shell_ended: true } });
    expect(await agent.call({ action: 'READ' })).toMatchObject({ text: 'last words\nexit', meta: { exit_code: 7 } });
    const next = await agent.call({ command: 'echo new' });
    expect(next).toMatchObject({ text: 'new', meta: { terminal: 0, exit_code: 0, command_id: 1 } });
    const [, id] = /id ([\w-]+)/.exec(String(next.meta['note']))!;
    expect((await agent.call({ action: 'READ', id })).text).toMatch(/^last words/);
  });

  it('appends to the buffer with clear false, and starts a new one otherwise', async () => {
    await agent.call({ command: 'echo one' });
    // The prompt after it may have arrived or not.
    const both = /^one\n[^\n]*echo two\ntwo(?:\n[^\n]*[#$] ?)?$/;
    expect((await agent.call({ command: 'echo two', clear: false })).text).toMatch(both);
    expect((await agent.call({ action: 'READ' })).text).toMatch(both);
    await agent.call({ command: 'echo three' });
    expect((await agent.call({ action: 'READ' })).text).toBe('three');
  });

  it('keeps start and end of a long output, and explains how to read the rest', async () => {
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

  it('shows the last lines if tail is given', async () => {
    const { text, meta } = await agent.call({ command: 'seq 1 3000', tail: 3 });
    expect(text).toMatch(/^\[… 2,997 lines \(0–2996\) left out; .*\]\n2998\n2999\n3000$/);
    expect(meta).toMatchObject({ left_out_lines: 2997, next_line: 0 });
  });
});

describe('READ', () => {
  it('continues by from_line until it has returned every line once', async () => {
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

  it('returns older commands by command_id, and everything in the terminal by 0', async () => {
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

describe('READ of output that does not belong to one command', () => {
  it('reports what the line numbers refer to', async () => {
    await agent.call({ command: 'echo one' });
    await agent.call({ command: 'echo two', clear: false });
    const all = await agent.call({ action: 'READ' });
    expect(all.meta).toMatchObject({ command_id: 2, lines_of: 0 });
    const { total_lines: total } = all.meta;
    const last = await agent.call({ action: 'READ', command_id: 0, from_line: total });
    expect(last.text).toBe(`(no lines from ${String(total)} on; total_lines is ${String(total)})`);
    const own = await agent.call({ action: 'READ', command_id: 2 });
    expect(own.meta).toMatchObject({ command_id: 2, total_lines: 1 });
    expect(own.meta).not.toHaveProperty('lines_of');
  });
});

describe('WAIT', () => {
  it('ends at a pattern, and the next one starts after it', async () => {
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
    const any = await agent.call({ terminal: 1, action: 'WAIT', port: 'any' });
    expect(any.meta).toMatchObject({ reason: 'port', port: Number(port) });
    make('end');
  });

  it('ends at once if the command has ended unnoticed, and waits for processes that it left behind', async () => {
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

  it('reports a timeout', async () => {
    await agent.call({ command: until('end'), await_completion_ms: 0 });
    const late = await agent.call({ action: 'WAIT', pattern: 'never', await_completion_ms: 200 });
    expect(late).toMatchObject({ isError: false, meta: { reason: 'timeout', completed: false } });
    make('end');
  });
});

describe('SEARCH', () => {
  it('finds lines with context, and READ continues from there', async () => {
    await agent.call({ command: 'seq 1 3000 | sed "s/^/line /; 1500s/$/ ERROR here/"', tail: 1 });
    const found = await agent.call({ action: 'SEARCH', command_id: 1, pattern: 'ERROR', context_lines: 1 });
    expect(found.text).toBe('1498- line 1499\n1499: line 1500 ERROR here\n1500- line 1501');
    expect(found.meta).toMatchObject({ terminal: 0, matches: 1, command_id: 1 });
    const around = await agent.call({ action: 'READ', command_id: 1, from_line: 1499, tail: 1 });
    expect(around.text).toMatch(/^line 1500 ERROR here\n/);
  });

  it('searches what READ returns, or everything in the terminal on request', async () => {
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

  it('finds regular expressions, page by page', async () => {
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
