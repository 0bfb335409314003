/**
 * Tests what `tenacitty acp proxy` adds: terminals for the agent of an editor without terminals, and what that editor
 * is shown.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { ReadableStream, WritableStream } from 'node:stream/web';
import { agent as sdkAgent, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import { ProxyWithFakeAgent } from './proxied.js';
import { ask, begun as begunIn, create, rpc, SESSION } from './proxied-session.js';

interface Update {
  readonly params: { readonly update: Record<string, unknown> };
}

let place: Place;
const betweens: ProxyWithFakeAgent[] = [];
beforeEach(async () => (place = await sharedPlace()));
afterEach(async () => {
  await Promise.all(betweens.splice(0).map((between) => between.close()));
  await place.clear();
});

/** After `initialize` and `session/new`. */
async function begun(...given: [flags?: readonly string[], clientCapabilities?: object]): Promise<ProxyWithFakeAgent> {
  const between = await begunIn(place, ...given);
  betweens.push(between);
  return between;
}

const update = (fields: object) => rpc({ method: 'session/update', params: { sessionId: SESSION, update: fields } });
const showing = (terminalId: string) => [{ type: 'terminal', terminalId }];
const textOf = ({ params }: Update) =>
  (params.update['content'] as { content: { text: string } }[]).map(({ content }) => content.text).join('');
const file = (name: string) => join(place.directory, name);
/** A command that runs until the file exists. */
const until = (name: string) => `until [ -e '${file(name)}' ]; do sleep 0.05; done`;
const make = (name: string) => writeFileSync(file(name), '');

it('serves all five methods in the directory of the session, without involving the editor', async () => {
  const between = await begun();
  const terminalId = await create(between, 'pwd; exit 3');
  expect(await ask(between, 'wait_for_exit', { terminalId })).toMatchObject({ result: { exitCode: 3, signal: null } });
  expect(await ask(between, 'output', { terminalId })).toMatchObject({
    result: { output: `${place.directory}\n`, truncated: false, exitStatus: { exitCode: 3 } },
  });
  const other = await create(between, 'exec sleep 1000');
  expect((await place.manager.list()).map(({ id }) => id).sort()).toEqual([terminalId, other].sort());
  expect(await ask(between, 'kill', { terminalId: other })).toMatchObject({ result: {} });
  expect(await ask(between, 'wait_for_exit', { terminalId: other })).toMatchObject({ result: { exitCode: null } });
  for (const id of [terminalId, other])
    expect(await ask(between, 'release', { terminalId: id })).toHaveProperty('result');
  expect(await place.manager.list()).toEqual([]);
  expect(await ask(between, 'output', { terminalId })).toMatchObject({ error: { code: -32002, data: { terminalId } } });
  expect(await ask(between, 'create', { command: 7 })).toMatchObject({ error: { code: -32602 } });
  between.agent.say(rpc({ method: 'the/end' }));
  expect(await between.editor.hears()).toEqual(rpc({ method: 'the/end' }));
});

it('answers with the id exactly as the agent wrote it', async () => {
  const { agent } = await begun();
  for (const id of ['9007199254740993', '-1', '"a\\u00e9"', 'null', '1.50']) {
    agent.input.write(`{"jsonrpc":"2.0", "method":"terminal\\/create","id": ${id} ,"params":{}}\n`);
    expect(await agent.line()).toMatch(new RegExp(`^\\{"jsonrpc":"2.0","id":${id.replaceAll('\\', '\\\\')},"error":`));
  }
});

it('ends a cancelled wait, but neither the command nor another wait', async () => {
  const between = await begun();
  const { agent, editor } = between;
  const terminalId = await create(between, `${until('go')}; echo done`);
  const wait = { method: 'terminal/wait_for_exit', params: { sessionId: SESSION, terminalId } };
  agent.say(rpc({ id: 'one', ...wait }));
  agent.say(rpc({ id: 'other', ...wait }));
  agent.say(rpc({ method: '$/cancel_request', params: { requestId: 'one' } }));
  expect(await agent.hears()).toMatchObject({ id: 'one', error: { code: -32800 } });
  agent.say(rpc({ method: '$/cancel_request', params: { requestId: 'one' } }));
  agent.say(rpc({ method: '$/cancel_request', params: { requestId: 'the editor’s' } }));
  expect(await editor.hears()).toMatchObject({ params: { requestId: 'the editor’s' } });
  make('go');
  expect(await agent.hears()).toMatchObject({ id: 'other', result: { exitCode: 0 } });
});

it('replaces a terminal by text for the editor: live, complete before the agent is told of the end, and after release', async () => {
  const between = await begun();
  const { agent, editor } = between;
  const terminalId = await create(between, `echo first; ${until('go')}; printf '\\033[31m\`\`\`second\\n'`);
  const note = { type: 'content', content: { type: 'text', text: 'note: ' } };
  const start = {
    sessionUpdate: 'tool_call',
    toolCallId: 't',
    title: 'run',
    rawInput: 1,
    content: [note, ...showing(terminalId)],
  };
  agent.say(update(start));
  let live = await editor.hears<Update>();
  expect(live).toMatchObject(
    update({ sessionUpdate: 'tool_call', title: 'run', rawInput: 1, content: [note, { type: 'content' }] }),
  );
  while (!textOf(live).includes('first')) live = await editor.hears<Update>();
  expect(textOf(live)).toBe('note: ```console\nfirst\n```');
  agent.say(rpc({ id: 'w', method: 'terminal/wait_for_exit', params: { sessionId: SESSION, terminalId } }));
  make('go');
  expect(await agent.hears()).toMatchObject({ id: 'w', result: { exitCode: 0 } });
  agent.say(rpc({ method: 'mark' }));
  const told: Update[] = [];
  for (let one = await editor.hears<Update>(); 'params' in one; one = await editor.hears<Update>()) told.push(one);
  const all = '````console\nfirst\n```second\n````';
  expect(textOf(told.at(-1)!)).toBe(`note: ${all}`);
  expect(told.at(-1)).toMatchObject(update({ sessionUpdate: 'tool_call_update', toolCallId: 't' }));
  await ask(between, 'release', { terminalId });
  const end = { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed', content: showing(terminalId) };
  agent.say(update(end));
  const last = await editor.hears<Update>();
  expect([last.params.update['status'], textOf(last)]).toEqual(['completed', all]);
});

it('forwards content about terminals of others unchanged, and all content with --raw-updates', async () => {
  const between = await begun(['--raw-updates']);
  const { agent, editor } = between;
  const terminalId = await create(between, 'echo here');
  await ask(between, 'wait_for_exit', { terminalId });
  const start = update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'run', content: showing(terminalId) });
  agent.say(start);
  expect(await editor.hears()).toEqual(start);
  const { agent: second, editor: secondEditor } = await begun();
  const theirs = update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'run', content: showing('theirs') });
  second.say(theirs);
  expect(await secondEditor.hears()).toEqual(theirs);
});

it('sends raw output in _meta to an editor that supports it', async () => {
  const between = await begun([], { _meta: { terminal_output: true } });
  const { agent, editor } = between;
  const terminalId = await create(between, `printf 'caf\\303\\251\\n'; exit 4`);
  agent.say(
    update({
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      title: 'run',
      _meta: { own: 1 },
      content: showing(terminalId),
    }),
  );
  expect((await editor.hears<Update>()).params.update).toEqual({
    ...{ sessionUpdate: 'tool_call', toolCallId: 't', title: 'run', content: showing(terminalId) },
    _meta: { own: 1, terminal_info: { terminal_id: terminalId, cwd: place.directory } },
  });
  await ask(between, 'wait_for_exit', { terminalId });
  let data = '';
  for (;;) {
    const { update: said } = (await editor.hears<Update>()).params;
    const { terminal_output: output, terminal_exit: exit } = said['_meta'] as Record<string, Record<string, unknown>>;
    data += output === undefined ? '' : String(output['data']);
    if (exit === undefined) continue;
    expect(exit).toEqual({ terminal_id: terminalId, exit_code: 4, signal: null });
    break;
  }
  expect(data).toBe('café\r\n');
});

it('takes over the terminals of an editor that has its own with --force', async () => {
  const between = await begun(['--force'], { terminal: true });
  const terminalId = await create(between, 'true');
  expect(await place.manager.get(terminalId)).toMatchObject({ id: terminalId });
});

it('changes only the relevant capabilities', async () => {
  const between = await ProxyWithFakeAgent.start(place);
  betweens.push(between);
  const line = (capabilities: string) =>
    `{ "id":1e0, "params":{"n":12345678901234567890 ,"clientCapabilities" : ${capabilities}},"method":"initialize" }\r\n`;
  const cases: [string, string][] = [
    ['{ "fs":{"x":1.0}, "terminal" : false }', '{ "fs":{"x":1.0}, "terminal" : true }'],
    ['{"terminal":null}', '{"terminal":true}'],
    ['{ "a":"\\"terminal\\":false" }', '{"terminal":true, "a":"\\"terminal\\":false" }'],
    ['{ }', '{"terminal":true }'],
    ['null', '{"terminal":true}'],
    ['{"terminal":true}', '{"terminal":true}'],
  ];
  for (const [given, expected] of cases) {
    between.editor.input.write(line(given));
    expect(await between.agent.line()).toBe(line(expected));
  }
});

it('adds our MCP server to a session with --mcp, after the editor’s, startable from anywhere', async () => {
  const between = await ProxyWithFakeAgent.start(place, ['--mcp']);
  betweens.push(between);
  const { editor, agent } = between;
  const theirs = { name: 'theirs', command: '/x', args: [], env: [] };
  editor.say(rpc({ id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [theirs] } }));
  const { params } = await agent.hears<{
    params: { mcpServers: { name: string; command: string; args: string[] }[] };
  }>();
  expect(params.mcpServers.map(({ name }) => name)).toEqual(['theirs', 'tenacitty']);
  expect(params.mcpServers[1]).not.toHaveProperty('type');
  const own = rpc({
    id: 2,
    method: 'session/load',
    params: { sessionId: 'x', cwd: '/', mcpServers: [{ ...theirs, name: 'tenacitty' }] },
  });
  editor.say(own);
  expect(await agent.hears()).toEqual(own);
  const { command, args } = params.mcpServers[1]!;
  const server = spawn(command, args, { cwd: '/', env: { PATH: process.env['PATH'], HOME: place.directory } });
  const clientInfo = { name: 'test', version: '1' };
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  server.stdin.end(`${JSON.stringify(rpc({ id: 1, method: 'initialize', params: initialize }))}\n`);
  const [answer] = (await once(server.stdout, 'data')) as [Buffer];
  expect(JSON.parse(answer.toString())).toMatchObject({ id: 1, result: { serverInfo: { name: 'tenacitty' } } });
  await once(server, 'close');
});

it('runs only what the policy allows, and passes the policy to our MCP server', async () => {
  const policy = file('policy.json');
  writeFileSync(policy, JSON.stringify({ allow: ['echo'] }), { mode: 0o600 });
  const between = await begun([`--command-policy-file=${policy}`, '--mcp']);
  expect(await ask(between, 'create', { command: 'echo', args: ['yes'] })).toHaveProperty('result.terminalId');
  expect(await ask(between, 'create', { command: 'touch', args: ['no'] })).toMatchObject({
    error: { code: -32010, data: { code: 'COMMAND_DENIED' } },
  });
  between.editor.say(rpc({ id: 9, method: 'session/new', params: { cwd: '/', mcpServers: [] } }));
  const { params } = await between.agent.hears<{ params: { mcpServers: { args: string[] }[] } }>();
  expect(params.mcpServers[0]!.args).toContain(`--command-policy-file=${policy}`);
});

it('serves an agent built with the SDK', async () => {
  const between = await ProxyWithFakeAgent.start(place);
  betweens.push(between);
  const { editor, agentSocket } = between;
  sdkAgent({ name: 'test' })
    .onRequest('initialize', () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
    .onRequest('session/new', () => ({ sessionId: SESSION }))
    .onRequest('session/prompt', async ({ client }) => {
      const terminal = await client.createTerminal({ sessionId: SESSION, command: 'echo by the SDK' });
      await terminal.waitForExit();
      const { output } = await terminal.currentOutput();
      await terminal.release();
      return { stopReason: 'end_turn', _meta: { output } };
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(agentSocket) as WritableStream<Uint8Array>,
        Readable.toWeb(agentSocket) as ReadableStream<Uint8Array>,
      ),
    );
  editor.say(rpc({ id: 0, method: 'initialize', params: { protocolVersion: 1 } }));
  await editor.hears();
  editor.say(rpc({ id: 1, method: 'session/new', params: { cwd: place.directory, mcpServers: [] } }));
  await editor.hears();
  editor.say(rpc({ id: 2, method: 'session/prompt', params: { sessionId: SESSION, prompt: [] } }));
  expect(await editor.hears()).toMatchObject({ id: 2, result: { _meta: { output: 'by the SDK\n' } } });
});
