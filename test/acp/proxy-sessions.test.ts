/**
 * Tests in which sessions and directories `tenacitty acp proxy` lets an agent run commands, depending on the agent's
 * answers to the editor's requests.
 */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import type { ProxyWithFakeAgent } from './proxied.js';
import { ask, begun, create, editorAsks, initialized, rpc, SESSION } from './proxied-session.js';
import { eventually } from '../eventually.js';

let place: Place;
let between: ProxyWithFakeAgent;
beforeEach(async () => (place = await sharedPlace()));
afterEach(async () => {
  await between.close();
  await place.clear();
});

const refusal = { error: { code: -32002, message: 'no such session' } };
const noSession = { error: { code: -32602, data: { issues: [{ field: 'sessionId' }] } } };

/** Creates a directory of this name; returns its path without links. */
function directory(name: string): string {
  mkdirSync(join(place.directory, name), { recursive: true });
  return realpathSync(join(place.directory, name));
}

/** Returns the directory of a command in the session whose request does not specify one. */
async function whereabouts(sessionId: string): Promise<string> {
  const terminalId = await create(between, 'pwd', sessionId);
  await ask(between, 'wait_for_exit', { sessionId, terminalId });
  const { result } = await ask(between, 'output', { sessionId, terminalId });
  return String(result!['output']).trimEnd();
}

const loading = (id: string, sessionId: string, cwd: string, method = 'session/load') =>
  rpc({ id, method, params: { sessionId, cwd, mcpServers: [] } });

/** Resolves when the agent has received a load request and has not answered it. */
async function asksToLoad(...given: Parameters<typeof loading>): Promise<void> {
  between.editor.say(loading(...given));
  expect(await between.agent.hears()).toEqual(loading(...given));
}

/** Resolves with their ids when at most this many are left. */
async function terminalsWhenThereAre(count: number): Promise<string[]> {
  const terminals = await eventually(async () => {
    const all = await place.manager.list();
    return all.length <= count && all;
  });
  return terminals.map(({ id }) => id);
}

async function answers(answer: object): Promise<void> {
  between.agent.say(rpc(answer));
  expect(await between.editor.hears()).toEqual(rpc(answer));
}

it.each(['new', 'load', 'resume', 'fork'])('runs nothing in a session whose session/%s was refused', async (method) => {
  between = await begun(place);
  const params = { sessionId: 'ghost', cwd: directory('there'), mcpServers: [] };
  await editorAsks(between, `session/${method}`, params, refusal);
  expect(await ask(between, 'create', { sessionId: 'ghost', command: 'pwd' })).toMatchObject(noSession);
  await editorAsks(between, `session/${method}`, params, { ...refusal, result: { sessionId: 'ghost' } });
  expect(await ask(between, 'create', { sessionId: 'ghost', command: 'pwd' })).toMatchObject(noSession);
  expect(await whereabouts(SESSION)).toBe(realpathSync(place.directory));
});

it('runs nothing in a session that was refused before any other existed', async () => {
  between = await initialized(place);
  const params = { sessionId: 'ghost', cwd: directory('there'), mcpServers: [] };
  await editorAsks(between, 'session/load', params, refusal);
  expect(await ask(between, 'create', { sessionId: 'ghost', command: 'pwd' })).toMatchObject(noSession);
});

it.each(['session/load', 'session/resume'])(
  'runs commands during a %s, and ends them if it is refused',
  async (method) => {
    between = await initialized(place);
    const there = directory('there');
    await asksToLoad('l', 'old', there, method);
    expect(await whereabouts('old')).toBe(there);
    const terminalId = await create(between, 'exec sleep 1000', 'old');
    between.agent.say(rpc({ id: 'w', method: 'terminal/wait_for_exit', params: { sessionId: 'old', terminalId } }));
    await answers({ id: 'l', ...refusal });
    expect(await between.agent.hears()).toMatchObject({ id: 'w', result: { exitCode: null } });
    expect(await ask(between, 'output', { sessionId: 'old', terminalId })).toHaveProperty('error');
    expect(await ask(between, 'create', { sessionId: 'old', command: 'pwd' })).toMatchObject(noSession);
  },
);

it.each([{}, null])('continues in a session that was loaded, whatever the answer contains (%j)', async (result) => {
  between = await initialized(place);
  const there = directory('there');
  await asksToLoad('l', 'old', there);
  const terminalId = await create(between, 'exec sleep 1000', 'old');
  await answers({ id: 'l', result, error: null });
  expect(await whereabouts('old')).toBe(there);
  expect(await ask(between, 'output', { sessionId: 'old', terminalId })).toMatchObject({
    result: { truncated: false },
  });
});

it('keeps the directory of an open session while it is loaded again, and afterwards if that is refused', async () => {
  between = await begun(place);
  const [here, there] = [realpathSync(place.directory), directory('there')];
  const terminalId = await create(between, 'exec sleep 1000');
  await asksToLoad('l', SESSION, there);
  expect(await whereabouts(SESSION)).toBe(here);
  await answers({ id: 'l', ...refusal });
  expect(await whereabouts(SESSION)).toBe(here);
  expect(await ask(between, 'output', { terminalId })).not.toHaveProperty('result.exitStatus');
  await asksToLoad('m', SESSION, there);
  await answers({ id: 'm', result: {} });
  expect(await whereabouts(SESSION)).toBe(there);
});

it('uses the remaining request if one of two to load a session is refused', async () => {
  between = await initialized(place);
  const [one, other] = [directory('one'), directory('other')];
  await asksToLoad('1', 'old', one);
  await asksToLoad('2', 'old', other);
  expect(await whereabouts('old')).toBe(one);
  await answers({ id: '1', ...refusal });
  expect(await whereabouts('old')).toBe(other);
  await answers({ id: '2', ...refusal });
  expect(await ask(between, 'create', { sessionId: 'old', command: 'pwd' })).toMatchObject(noSession);
});

it.each(['new', 'fork'])('knows a session from the agent’s answer to session/%s on', async (method) => {
  between = await begun(place);
  const { editor, agent } = between;
  const there = directory('there');
  const request = rpc({ id: 'n', method: `session/${method}`, params: { sessionId: SESSION, cwd: there } });
  editor.say(request);
  expect(await agent.hears()).toEqual(request);
  const answer = rpc({ id: 'n', result: { sessionId: 'young' } });
  const creation = rpc({ id: 1, method: 'terminal/create', params: { sessionId: 'young', command: 'pwd' } });
  agent.input.write(`${JSON.stringify(answer)}\n${JSON.stringify(creation)}\n`);
  expect(await editor.hears()).toEqual(answer);
  expect(await agent.hears()).toMatchObject({ id: 1, result: {} });
  expect([await whereabouts('young'), await whereabouts(SESSION)]).toEqual([there, realpathSync(place.directory)]);
});

it('ends and drops the terminals of a session that is closed, and of no other', async () => {
  between = await begun(place);
  const { agent, editor } = between;
  const params = { sessionId: 'other', cwd: directory('there') };
  await editorAsks(between, 'session/load', params, { result: {} });
  const ended = await create(between, 'echo done');
  await ask(between, 'wait_for_exit', { terminalId: ended });
  const running = await create(between, 'exec sleep 1000');
  const others = await create(between, 'exec sleep 1000', 'other');
  agent.say(rpc({ id: 'w', method: 'terminal/wait_for_exit', params: { sessionId: SESSION, terminalId: running } }));
  await editorAsks(between, 'session/close', { sessionId: SESSION }, refusal);
  expect(await ask(between, 'output', { terminalId: ended })).toMatchObject({ result: { output: 'done\n' } });
  await editorAsks(between, 'session/close', { sessionId: SESSION }, { result: {} });
  expect(await agent.hears()).toMatchObject({ id: 'w', result: { exitCode: null } });
  expect(await ask(between, 'create', { command: 'pwd' })).toMatchObject(noSession);
  expect(await terminalsWhenThereAre(1)).toEqual([others]);
  const content = [ended, running].map((terminalId) => ({ type: 'terminal', terminalId }));
  const update = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'run', content };
  const shown = rpc({ method: 'session/update', params: { sessionId: SESSION, update } });
  agent.say(shown);
  expect(await editor.hears()).toEqual(shown);
});
