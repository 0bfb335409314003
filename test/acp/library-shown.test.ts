/**
 * Tests what a client of the SDK displays of terminals: its own and those that the agent runs, live and after their
 * end.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { Readable, Writable } from 'node:stream';
import type { ReadableStream, WritableStream } from 'node:stream/web';
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { ClientConnection, SessionNotification } from '@agentclientprotocol/sdk';
import { AcpTerminals, serveTerminals, ShownTerminals, watchUpdates } from '../../src/acp.js';
import type { TerminalChange } from '../../src/acp.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { MANAGERS, startEngine, stopEngines } from '../engine/engine-under-test.js';
import { DRIVEN_AGENT } from './library-examples.js';
import { eventually } from '../eventually.js';

const S = 'sess_1';
const { update: SESSION_UPDATE } = methods.client.session;
const base64 = (text: string) => Buffer.from(text).toString('base64');

let agent: ChildProcess;
let connection: ClientConnection;
let shown: ShownTerminals;
let changes: TerminalChange[];
/** The updates that the client received from the SDK. */
let told: SessionNotification['update'][];
/** What the SDK printed on the client's stderr. */
let complaints: jest.SpiedFunction<typeof console.error>;

afterEach(async () => {
  connection.close();
  if (agent.kill('SIGKILL')) await once(agent, 'exit');
  await stopEngines();
  expect(complaints.mock.calls).toEqual([]);
  complaints.mockRestore();
});

/** Connects a client that displays terminals as in docs/acp.md, over pipes, to an agent. */
async function connect(manager: TerminalManager, onChange = (_change: TerminalChange) => {}): Promise<void> {
  complaints = jest.spyOn(console, 'error').mockImplementation(() => {});
  [changes, told] = [[], []];
  shown = new ShownTerminals((change) => {
    changes.push(change);
    onChange(change);
  });
  const terminals = new AcpTerminals({ manager, display: shown });
  const [node, program] = DRIVEN_AGENT;
  agent = spawn(node!, [program!], { stdio: ['pipe', 'pipe', 'inherit'] });
  const stream = ndJsonStream(
    Writable.toWeb(agent.stdin!) as WritableStream<Uint8Array>,
    Readable.toWeb(agent.stdout!) as ReadableStream<Uint8Array>,
  );
  const app = serveTerminals(client({ name: 'test' }), terminals);
  connection = app
    .onNotification(SESSION_UPDATE, ({ params }) => void told.push(params.update))
    .connect(watchUpdates(stream, shown));
  await connection.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
  terminals.openSession(S, { cwd: tmpdir() });
}

/** The answer when a terminal is created. */
interface Called {
  readonly terminalId: string;
}

/** Makes the agent call a method of the client. */
async function call(method: string, params: object): Promise<Called> {
  const asked = { method, params: { sessionId: S, ...params } };
  return (await connection.agent.request<{ result: Called }>('_call', asked)).result;
}

/** Makes the agent send updates of the session, and waits until they have arrived. */
async function tell(...updates: object[]): Promise<void> {
  for (const update of updates) {
    await connection.agent.request('_tell', { method: SESSION_UPDATE, params: { sessionId: S, update } });
  }
}

const toolCall = (toolCallId: string, terminalId: string, _meta: object = {}) => ({
  ...{ sessionUpdate: 'tool_call', toolCallId, title: 'Run', content: [{ type: 'terminal', terminalId }], _meta },
});
const toolMeta = (toolCallId: string, _meta: object) => ({ sessionUpdate: 'tool_call_update', toolCallId, _meta });
const types = () => changes.map(({ type }) => type);
const printed = () =>
  changes.map((change) => (change.type === 'output' ? Buffer.from(change.data).toString() : '')).join('');

describe.each(MANAGERS)('a terminal of the client, held %s, embedded in a tool call', (_where, startManager) => {
  it('is displayed while it runs, and stays after its release', async () => {
    const manager = startManager();
    await connect(manager);
    const { create, waitForExit, release } = methods.client.terminal;
    const id = await call(create, { command: 'stty -echo; echo one; read go; echo two; exit 3' });
    await tell(toolCall('call', id.terminalId));
    await eventually(() => printed() === 'one\r\n');
    const [view] = shown.ofToolCall(S, 'call');
    expect(view).toMatchObject({ ...id, owner: 'client', cwd: tmpdir(), output: 'one\n', exit: null });
    await manager.write(id.terminalId, { keys: ['enter'] });
    await call(waitForExit, id);
    await call(release, id);
    expect(await manager.list()).toEqual([]);
    expect(shown.get(S, id.terminalId)).toBe(view);
    expect(view).toMatchObject({ output: 'one\ntwo\n', isTruncated: false, exit: { exitCode: 3, signal: null } });
    expect(printed()).toBe('one\r\ntwo\r\n');
    await tell(toolCall('later', id.terminalId));
    expect(shown.ofToolCall(S, 'later')).toEqual([view]);
    await eventually(() => told.length === 2);
  });
});

describe('a terminal that the client has not created', () => {
  beforeEach(() => connect(startEngine()));

  it('can be embedded without an error, and is not displayed', async () => {
    await tell(toolCall('call', 'unknown'));
    expect(shown.get(S, 'unknown')).toBeUndefined();
    expect(shown.ofToolCall(S, 'call')).toEqual([]);
    expect(types()).toEqual(['anchored']);
    await eventually(() => told.length === 1);
  });

  it('is displayed if the agent reports it in _meta, as in version 1', async () => {
    await tell(
      toolCall('t', 't', { terminal_info: { terminal_id: 't', cwd: '/srv' } }),
      toolMeta('t', { terminal_output: { terminal_id: 't', data: 'one ' } }),
      toolMeta('t', { terminal_output: { terminal_id: 't', data: 'two' } }),
      toolMeta('t', { terminal_exit: { terminal_id: 't', exit_code: 1, signal: null } }),
    );
    expect(types()).toEqual(['anchored', 'started', 'output', 'output', 'ended']);
    const exit = { exitCode: 1, signal: null };
    expect(shown.ofToolCall(S, 't')).toMatchObject([{ owner: 'agent', cwd: '/srv', output: 'one two', exit }]);
    await eventually(() => told.length === 4);
  });

  it('is displayed if the agent reports it in updates of version 2, which the SDK does not parse', async () => {
    await tell(
      { sessionUpdate: 'terminal_update', terminalId: 't', command: 'make', cwd: '/srv' },
      toolCall('call', 't'),
      { sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: base64('one ') },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: base64('two') },
      { sessionUpdate: 'terminal_update', terminalId: 't', exitStatus: { signal: 'SIGTERM' } },
    );
    expect(types()).toEqual(['started', 'anchored', 'output', 'output', 'ended']);
    const exit = { exitCode: null, signal: 'SIGTERM' };
    expect(shown.ofToolCall(S, 'call')).toMatchObject([{ owner: 'agent', command: 'make', output: 'one two', exit }]);
    await eventually(() => told.length === 1);
  });
});

it('an error in the display does not end the connection', async () => {
  await connect(startEngine(), () => {
    throw new Error('no more paper');
  });
  await tell(toolCall('call', 'unknown'), { sessionUpdate: 'terminal_update', terminalId: 't' });
  const { terminalId } = await call(methods.client.terminal.create, { command: 'echo well' });
  await call(methods.client.terminal.waitForExit, { terminalId });
  expect(shown.get(S, terminalId)).toMatchObject({ output: 'well\n' });
  expect(shown.get(S, 't')).toMatchObject({ owner: 'agent' });
  await eventually(() => told.length === 1);
});
