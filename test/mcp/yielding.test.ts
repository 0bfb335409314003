/**
 * Tests how long a call may take, depending on the notifications that its client supports: in this process, with a
 * short time limit.
 */
import type { Client } from '@modelcontextprotocol/client';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Workspace } from '../../src/mcp/workspace.js';
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { callTool, connectTo } from './client.js';

let directory: string;
let client: Client;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-mcp-'));
  const creation = { shell: '/bin/bash', cwd: directory };
  ({ client } = await connectTo(startEngine(), { yieldMs: 1000, answerMs: 3000, creation }));
});
afterEach(async () => {
  await client.close();
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

const file = (name: string) => join(directory, name);
const until = (name: string) => `until [ -e '${file(name)}' ]; do sleep 0.05; done`;

it('answers a call of a client without progress reports before the client’s timeout, and explains how to continue', async () => {
  // The timeout starts with the call, so the shell must be ready by then.
  await callTool(client, { command: 'true' }, { onprogress: () => {} });
  const early = await callTool(client, { command: `echo begun; ${until('go')}; echo done` });
  expect(early).toMatchObject({ isError: false, text: 'begun', meta: { completed: false, state: 'running' } });
  expect(early.meta['hint']).toContain('{"action":"WAIT","terminal":0}');
  const still = await callTool(client, { action: 'WAIT' });
  expect(still).toMatchObject({ text: '(nothing new)', meta: { completed: false, reason: 'timeout' } });
  writeFileSync(file('go'), '');
  let end = still;
  while (end.meta['completed'] !== true) end = await callTool(client, { action: 'WAIT' });
  expect(end).toMatchObject({ text: 'done', meta: { exit_code: 0, shown_from_line: 1 } });
});

it('continues to wait if the client receives progress reports', async () => {
  const onprogress = () => writeFileSync(file('go'), '');
  const end = await callTool(client, { command: `echo begun; ${until('go')}; echo done` }, { onprogress });
  expect(end).toMatchObject({ text: 'begun\ndone', meta: { completed: true } });
});

it('also answers such a call before a client that ignores progress gives up', async () => {
  const begun = performance.now();
  const options = { onprogress: () => {} };
  const early = await callTool(client, { command: `echo begun; ${until('go')}; echo done` }, options);
  expect(early).toMatchObject({ isError: false, text: 'begun', meta: { completed: false, state: 'running' } });
  expect(performance.now() - begun).toBeGreaterThan(2000);
  writeFileSync(file('go'), '');
  expect(await callTool(client, { action: 'WAIT' }, options)).toMatchObject({ text: 'done', meta: { exit_code: 0 } });
});

it('answers each call within 280 seconds, less than the five minutes after which clients give up', () => {
  expect(new Workspace(startEngine()).answerMs).toBe(280_000);
});
