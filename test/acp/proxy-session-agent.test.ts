/**
 * Tests the sessions of an agent behind `tenacitty acp proxy`, from new to closed. The agent uses the SDK, as real
 * agents do.
 */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import { Proxy } from './proxied.js';
import { isAlive } from './scripted.js';
import { rpc } from './proxied-session.js';
import { eventually } from '../eventually.js';

const AGENT = [process.execPath, join(import.meta.dirname, 'sessions-agent.mjs'), 'old'] as const;

interface Message {
  readonly id?: unknown;
  readonly result?: { readonly sessionId: string };
  readonly error?: { readonly code: number };
  readonly params?: { readonly sessionId: string; readonly update: { readonly content: { readonly text: string } } };
}

let place: Place;
let proxy: Proxy;
let said: string[];
beforeEach(async () => {
  place = await sharedPlace();
  proxy = new Proxy(place, AGENT);
  said = [];
  await request('initialize', { protocolVersion: 1, clientCapabilities: {} });
});
afterEach(async () => {
  await proxy.close();
  await place.clear();
});

let lastId = 0;

/** Resolves with the answer; earlier messages of the agent are in `said`. */
async function request(method: string, params: object): Promise<Message> {
  const id = ++lastId;
  proxy.editor.say(rpc({ id, method, params }));
  for (;;) {
    const message = await hears();
    if (message.id === id) return message;
  }
}

async function hears(): Promise<Message> {
  const message = await proxy.editor.hears<Message>();
  if (message.params !== undefined) said.push(`${message.params.sessionId}: ${message.params.update.content.text}`);
  return message;
}

/** Returns the agent's text. */
async function prompts(sessionId: string, text: string): Promise<string> {
  said = [];
  await request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  return said.join('').slice(`${sessionId}: `.length);
}

function directory(name: string): string {
  mkdirSync(join(place.directory, name), { recursive: true });
  return realpathSync(join(place.directory, name));
}

/** Returns the id of a new session. */
async function begins(cwd: string): Promise<string> {
  const { result } = await request('session/new', { cwd, mcpServers: [] });
  return result!.sessionId;
}

it('runs the commands of new, forked, loaded and resumed sessions in the directory of each', async () => {
  const [one, fork, loaded, resumed] = ['one', 'fork', 'loaded', 'resumed'].map(directory) as [string, ...string[]];
  const sessionId = await begins(one);
  const forked = await request('session/fork', { sessionId, cwd: fork, mcpServers: [] });
  said = [];
  expect(await request('session/load', { sessionId: 'old', cwd: loaded, mcpServers: [] })).toHaveProperty('result');
  expect(said).toEqual([`old: 0: ${loaded}\n`]);
  expect(await prompts(sessionId, 'pwd')).toBe(`0: ${one}\n`);
  expect(await prompts(forked.result!.sessionId, 'pwd')).toBe(`0: ${fork}\n`);
  expect(await prompts('old', 'pwd')).toBe(`0: ${loaded}\n`);
  expect(await request('session/resume', { sessionId: 'old', cwd: resumed })).toHaveProperty('result');
  expect(await prompts('old', 'pwd')).toBe(`0: ${resumed}\n`);
});

it.each(['load', 'resume', 'fork'])('runs nothing in a session for which session/%s is refused', async (method) => {
  const [here, there] = [directory('here'), directory('there')];
  const sessionId = await begins(here);
  const refused = await request(`session/${method}`, { sessionId: 'nobody’s', cwd: there, mcpServers: [] });
  expect(refused).toHaveProperty('error.code', -32002);
  expect(await prompts('nobody’s', 'pwd')).toMatch(/there is no open session with this id/);
  expect(await prompts(sessionId, 'pwd')).toBe(`0: ${here}\n`);
});

it('ends the commands of a session that is closed, and of no other', async () => {
  const [one, other] = [await begins(directory('one')), await begins(directory('other'))];
  const command = `keep sleep 1000 & echo pids $$ $! all; wait`;
  const [ended, running] = [await prompts(one, command), await prompts(other, command)];
  const pids = async (terminalId: string) =>
    /pids (\d+) (\d+)/
      .exec(await place.until(terminalId, /pids \d+ \d+ all/))!
      .slice(1)
      .map(Number);
  const [gone, there] = [await pids(ended), await pids(running)];
  expect([...gone, ...there].filter(isAlive)).toHaveLength(4);
  said = [];
  await request('session/close', { sessionId: one });
  while (said.length === 0) await hears();
  expect(said).toEqual([`${one}: ${ended} ended with null`]);
  await eventually(async () => (await place.manager.list()).length === 1);
  expect([...gone, ...there].filter(isAlive)).toEqual(there);
  expect(await prompts(one, 'pwd')).toMatch(/there is no open session with this id/);
  expect(await prompts(other, 'pwd')).toBe(`0: ${directory('other')}\n`);
});

it('opens a closed session again, in another directory', async () => {
  const [one, other] = [directory('one'), directory('other')];
  const sessionId = await begins(one);
  await request('session/close', { sessionId });
  expect(await request('session/resume', { sessionId, cwd: other })).toHaveProperty('result');
  expect(await prompts(sessionId, 'pwd')).toBe(`0: ${other}\n`);
  await request('session/close', { sessionId });
  expect(await prompts(sessionId, 'pwd')).toMatch(/there is no open session with this id/);
});
