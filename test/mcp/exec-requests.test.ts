/** What EXEC asks of the manager: one request in a terminal that is known, and a command is never run twice. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
/** The methods that were called, in order. */
let asked: string[] = [];
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-mcp-'));
  manager = startEngine({ defaultShell: '/bin/bash' });
  agent = await connectTo(recording(manager), { creation: { cwd: directory, env: { HOME: directory } } });
  expect((await agent.call({ command: 'true' })).meta).toMatchObject({ terminal: 0, exit_code: 0 });
  asked = [];
});
afterEach(async () => {
  await agent.close();
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

function recording(inner: TerminalManager): TerminalManager {
  return new Proxy(inner, {
    get(target, name: keyof TerminalManager) {
      const method = target[name];
      if (typeof method !== 'function') return method;
      return (...given: unknown[]) => {
        asked.push(name);
        return (method as (...all: unknown[]) => unknown).apply(target, given);
      };
    },
  });
}

it.each([
  ['prints', 'echo hello', 'hello'],
  ['prints nothing', 'true', '(no output)'],
  ['prints an unfinished line', 'printf unfinished', 'unfinished'],
  ['fails', 'echo no; false', 'no'],
])('sends one request for a command that %s', async (_what, command, text) => {
  expect(await agent.call({ command })).toMatchObject({ text, meta: { completed: true } });
  expect(asked).toEqual(['exec']);
});

it('requests output again that does not fit an answer', async () => {
  expect((await agent.call({ command: 'seq 1 200000' })).text).toMatch(/^1\n2\n[^]*left out[^]*\n200000$/);
  expect(asked).toEqual(['exec', 'readCommand', 'readCommand']);
});

it('looks up the terminal again when the shell has ended', async () => {
  await agent.call({ command: 'exit' });
  asked = [];
  expect(await agent.call({ command: 'echo new' })).toMatchObject({ text: 'new' });
  expect(asked).toEqual(['exec', 'list', 'create', 'list', 'exec']);
});

it('looks up the terminal again when the known one was removed', async () => {
  const [known] = await manager.list();
  await manager.remove(known!.id);
  expect(await agent.call({ command: 'echo new' })).toMatchObject({ text: 'new' });
});

it('does not run a command again if its terminal is removed meanwhile', async () => {
  const begun = join(directory, 'begun');
  const running = agent.call({ command: `echo x >> ${begun}; sleep 1000` });
  await eventually(() => existsSync(begun));
  const [known] = await manager.list();
  await manager.remove(known!.id, { graceMs: 0 });
  expect((await running).meta['command_id']).toBe(2);
  expect(readFileSync(begun, 'utf8')).toBe('x\n');
  expect(await manager.list()).toEqual([]);
});

it('shows other callers the buffer of the running command', async () => {
  await agent.call({ command: 'echo earlier' });
  const go = join(directory, 'go');
  const running = agent.call({ command: `echo now; until [ -e ${go} ]; do sleep 0.05; done` });
  await eventually(async () => (await agent.call({ action: 'READ' })).text === 'now');
  writeFileSync(go, '');
  expect((await running).text).toBe('now');
});
