/** Tests the format of answers: metadata precedes the output, and the total is short enough for any client. */
import type { Client } from '@modelcontextprotocol/client';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerminalManager } from '../../src/contract/manager.js';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { connectTo } from './client.js';
import type { AgentAnswer, LocalAgent } from './client.js';

const MAX_CHARS = 24_000;

let directory: string;
let manager: TerminalManager;
let agent: LocalAgent;
let client: Client;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-mcp-'));
  manager = startEngine({ defaultShell: '/bin/bash', maxTerminals: 300 });
  agent = await connectTo(manager, { creation: { cwd: directory, env: { HOME: directory } } });
  ({ client } = agent);
});
afterAll(async () => {
  await agent.close();
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

function charsOf({ content }: AgentAnswer): number {
  return content.reduce((sum, { text }) => sum + (typeof text === 'string' ? text.length : 0), 0);
}

/** Calls the tool and checks that the answer has the required format. */
async function called(args: Record<string, unknown>): Promise<AgentAnswer> {
  const answer = await agent.call(args);
  expect(charsOf(answer)).toBeLessThanOrEqual(MAX_CHARS);
  return answer;
}

it.each([
  ['nothing', 'exit_code=4; (exit 4)', /^\(no output\)$/, 4],
  ['many short lines', 'seq 1999; (exit 3)', /^1\n2\n[^]*\n1998\n1999$/, 3],
  ['many long lines', `yes "$(printf 'x%.0s' {1..300})" | head -3000; echo end; false`, /\nend$/, 1],
  ['one long line', `head -c 60000 /dev/zero | tr '\\0' y; echo; echo end; (exit 5)`, /^y+ \[… .* …\] y+\nend$/, 5],
  ['text that costs much for each character', `yes '日本語の長い行 ✓ →' | head -3000; (exit 6)`, /✓/, 6],
])('reports how a command has ended before its output: %s', async (_title, command, output, exitCode) => {
  for (const options of [{}, { max_tokens: 24_000 }, { max_tokens: 50 }]) {
    const { meta, text } = await called({ command, ...options });
    expect(meta).toMatchObject({ exit_code: exitCode, completed: true });
    if (!('max_tokens' in options)) expect(text).toMatch(output);
    for (const more of [{}, { from_line: 0 }, { tail: 3 }]) await called({ action: 'READ', ...options, ...more });
    await called({ action: 'SEARCH', pattern: 'e|y|x|日|1', regex: true, context_lines: 2, ...options });
  }
});

it('returns a line that is too long for the rest of an answer when it is read by itself', async () => {
  await called({ command: `head -c 20000 /dev/zero | tr '\\0' y; echo; echo end` });
  const { text } = await called({ action: 'READ', from_line: 0, tail: 1 });
  expect(text.split('\n')[0]).toBe('y'.repeat(20_000));
});

it('describes the problem and the solution in the first block of an error', async () => {
  const { content, isError } = await called({ action: 'READ', terminal: 77 });
  expect({ blocks: content.length, isError }).toEqual({ blocks: 1, isError: true });
  expect(JSON.parse(String(content[0]!['text']))).toEqual({
    error: 'TERMINAL_NOT_FOUND',
    message: 'There is no terminal 77.',
    hint: expect.stringContaining('EXEC creates one'),
  });
  await called({ action: 'x'.repeat(100_000) });
});

it('keeps to the limit if the facts themselves are long', async () => {
  const line = `match ${'"'.repeat(60_000)} here`;
  writeFileSync(join(directory, 'line'), `${line}\n`);
  await called({ terminal: 1, command: 'cat line; cat', await_completion_ms: 2000 });
  const { meta } = await called({ action: 'WAIT', terminal: 1, pattern: '(m)(a)tch ("+)', regex: true });
  expect(meta).toMatchObject({ reason: 'regex', completed: false, match: { groups: ['m', 'a', expect.any(String)] } });
});

it('keeps to the limit on the largest screen', async () => {
  await called({ terminal: 2, command: 'true' });
  await called({ action: 'RESIZE', terminal: 2, cols: 500, rows: 200 });
  const begun = await called({
    terminal: 2,
    // It waits for input when the screen is full.
    command: `printf '\\033[?1049h'; yes 'xyz ' | tr -d '\\n' | head -c 100000; cat`,
    await_completion_ms: 10_000,
  });
  expect(begun.meta).toMatchObject({ full_screen: true, truncated: true });
  expect((await called({ action: 'SCREEN', terminal: 2 })).meta).toMatchObject({ truncated: true });
  await called({ action: 'KILL', terminal: 2 });
});

it('lists as many terminals as there is room for, and reports the number of others', async () => {
  const cwd = join(directory, 'd'.repeat(200));
  mkdirSync(cwd);
  const made = await Promise.all(Array.from({ length: 60 }, () => manager.create({ command: 'cat', cwd })));
  const { meta, text } = await called({ action: 'LIST', all: true });
  const { length } = meta['terminals'] as unknown[];
  expect(length).toBeGreaterThan(20);
  expect(length + Number(meta['left_out_terminals'])).toBeGreaterThanOrEqual(made.length);
  expect(meta['terminals']).toContainEqual(expect.objectContaining({ cwd }));
  expect(text.split('\n').filter((line) => /^(?:id|terminal) /.test(line))).toHaveLength(length);
});

it('describes the purpose of the tool in the first line for clients', () => {
  expect(client.getInstructions()).toMatch(/run shell commands.*for parallel work/);
});
