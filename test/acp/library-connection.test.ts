/** Tests the terminal methods from the agent's side: on a connection of the SDK, in this process and over pipes. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { Readable, Writable } from 'node:stream';
import type { ReadableStream, WritableStream } from 'node:stream/web';
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { AgentApp, ClientConnection, Stream } from '@agentclientprotocol/sdk';
import { AcpTerminals, serveTerminals } from '../../src/acp.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { MANAGERS, startEngine, startInHost, stopEngines } from '../engine/engine-under-test.js';
import { untilGone } from '../host/host-under-test.js';
import { drivenAgent } from './driven-agent.js';
import type { CallOutcome } from './driven-agent.js';
import { DRIVEN_AGENT } from './library-examples.js';
import { eventually } from '../eventually.js';
import { DEEP, runs } from '../deep.js';

const SESSION = { sessionId: 'sess_1' };
const { create, output, waitForExit, kill, release } = methods.client.terminal;

let connection: ClientConnection | undefined;
const agents: ChildProcess[] = [];
afterEach(async () => {
  connection?.close();
  for (const agent of agents.splice(0)) if (agent.kill('SIGKILL')) await once(agent, 'exit');
  await stopEngines();
});

/** Returns the client's end of the pipes of an agent in its own process. */
function startAgent(): Stream {
  const [node, program] = DRIVEN_AGENT;
  const agent = spawn(node!, [program!], { stdio: ['pipe', 'pipe', 'inherit'] });
  agents.push(agent);
  return ndJsonStream(
    Writable.toWeb(agent.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>,
  );
}

async function connect(manager: TerminalManager, agent: AgentApp | Stream): Promise<TerminalManager> {
  const terminals = new AcpTerminals({ manager });
  const app = serveTerminals(client({ name: 'test' }), terminals);
  connection = 'readable' in agent ? app.connect(agent) : app.connect(agent);
  const clientCapabilities = { terminal: true };
  await connection.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities });
  terminals.openSession(SESSION.sessionId, { cwd: tmpdir() });
  return manager;
}

/** Makes the agent call a method of the client. */
async function call(method: string, params: object = {}, name?: string): Promise<CallOutcome> {
  const asked = { method, params: { ...SESSION, ...params }, ...(name === undefined ? {} : { name }) };
  return connection!.agent.request<CallOutcome>('_call', asked);
}

async function created(asked: object): Promise<{ readonly terminalId: string }> {
  return (await call(create, asked)).result as { terminalId: string };
}

const WAYS = [
  ['in this process', () => drivenAgent()],
  ['over pipes', () => startAgent()],
] as const;
const PLACES = MANAGERS.flatMap(([where, start]) =>
  WAYS.map(([how, agent]) => [`${how}, terminals ${where}`, start, agent] as const),
)
  // The deep run tests all combinations.
  .filter(([, start, agent]) => DEEP || agent === WAYS[0][1] || start !== startEngine);

const AT_ONCE = runs({ normal: 20, deep: 200 });
const CANCELLED_CREATIONS = runs({ normal: 4, deep: 10 });

describe.each(PLACES)('an agent %s', (_where, startManager, newAgent) => {
  it('creates, waits, reads and releases, with messages that match the schema', async () => {
    await connect(startManager(), newAgent());
    const id = await created({ command: 'pwd; exit 3' });
    expect(id).toEqual({ terminalId: expect.any(String) });
    expect(await call(waitForExit, id)).toEqual({ result: { exitCode: 3, signal: null } });
    const exitStatus = { exitCode: 3, signal: null };
    expect(await call(output, id)).toEqual({ result: { output: `${tmpdir()}\n`, truncated: false, exitStatus } });
    expect(await call(kill, id)).toEqual({ result: {} });
    expect(await call(release, id)).toEqual({ result: {} });
    expect(await call(release, id)).toEqual({ result: {} });
  });

  it('can send other requests while it waits, and is told of the end by a release', async () => {
    await connect(startManager(), newAgent());
    const id = await created({ command: 'echo up; exec sleep 1000' });
    const waiting = call(waitForExit, id);
    await eventually(async () => (await call(output, id)).result!['output'] === 'up\n');
    expect(await call(output, id)).toEqual({ result: { output: 'up\n', truncated: false } });
    expect(await call(release, id)).toEqual({ result: {} });
    expect(await waiting).toEqual({ result: { exitCode: null, signal: 'SIGTERM' } });
  });

  it('gets the protocol’s error codes with our messages', async () => {
    await connect(startManager(), newAgent());
    const unknown = { ...SESSION, terminalId: 'term_x' };
    const notFound = { code: 'TERMINAL_NOT_FOUND', retryable: false, ...unknown };
    for (const method of [output, waitForExit, kill, release]) {
      expect(await call(method, unknown)).toEqual({
        error: { code: -32002, message: expect.stringMatching(/term_x not found/), data: notFound },
      });
    }
    const missing = await call(create, { command: 'no-such-program', args: ['x'] });
    expect(missing).toEqual({
      error: {
        code: -32602,
        message: expect.stringMatching(/"no-such-program" is not on PATH$/),
        data: expect.objectContaining({ code: 'INVALID_INPUT' }),
      },
    });
    // The searched locations are reported only once.
    expect(JSON.stringify(missing).match(/on PATH \(/g)).toHaveLength(1);
    expect((await call(create, { command: 'true', cwd: 'x' })).error?.code).toBe(-32602);
    expect((await call(create, { command: 'true', outputByteLimit: -1 })).error?.code).toBe(-32602);
    expect((await call(create, {})).error).toMatchObject({
      code: -32602,
      data: { code: 'INVALID_INPUT', retryable: false },
    });
    expect((await call(create, { command: 'true', args: 'x' })).error).toMatchObject({
      code: -32602,
      data: { issues: [{ field: 'args', given: 'x', expected: 'an array' }] },
    });
    expect((await call(output, { terminalId: 5 })).error?.data).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('cancels a wait, and the command continues', async () => {
    const manager = await connect(startManager(), newAgent());
    const id = await created({ command: 'read line; echo "$line"' });
    const waiting = call(waitForExit, id, 'wait');
    await call(output, id);
    await connection!.agent.request('_cancel', { name: 'wait' });
    expect((await waiting).error).toMatchObject({ code: -32800 });
    await manager.write(id.terminalId, { input: 'still here' });
    expect(await call(waitForExit, id)).toEqual({ result: { exitCode: 0, signal: null } });
    expect((await call(output, id)).result!['output']).toContain('still here\nstill here\n');
  });

  it('cancels a creation, and gets either no terminal or its id', async () => {
    const manager = await connect(startManager(), newAgent());
    for (let round = 0; round < CANCELLED_CREATIONS; round++) {
      const creating = call(create, { command: 'sleep 1000' }, 'create');
      await connection!.agent.request('_cancel', { name: 'create' });
      const { result, error } = await creating;
      if (error === undefined) await call(release, result);
      else expect(error.code).toBe(-32800);
    }
    await eventually(async () => (await manager.list()).length === 0);
  });

  it('that has disconnected leaves nothing running', async () => {
    const manager = await connect(startManager(), newAgent());
    const commands = ['sleep 1000', 'setsid sleep 1000 & sleep 1000', 'trap "" HUP; sleep 1000'];
    const ids = await Promise.all(commands.map((command) => created({ command })));
    const pids = await Promise.all(ids.map(async ({ terminalId }) => (await manager.get(terminalId)).pid));
    const waiting = call(waitForExit, ids[0]).catch(() => 'connection lost');
    const [agent] = agents;
    if (agent === undefined) connection!.close();
    else agent.kill('SIGKILL');
    expect(await waiting).toBe('connection lost');
    await Promise.all(pids.map(untilGone));
    await eventually(async () => (await manager.list()).length === 0);
  });
});

it('sends the largest possible answer in one line', async () => {
  await connect(startEngine(), startAgent());
  // A little more than is kept. Each of these takes six characters in JSON.
  const command = `stty -opost; head -c 4300000 /dev/zero | tr '\\0' '\\033'`;
  const { result: id } = await call(create, { command, outputByteLimit: 1e12 });
  await call(waitForExit, id);
  const { result } = await call(output, id);
  expect({ ...result, output: (result!['output'] as string).length }).toEqual({
    output: 4 << 20,
    truncated: true,
    exitStatus: { exitCode: 0, signal: null },
  });
});

it(`serves ${AT_ONCE} requests at once`, async () => {
  const manager = await connect(startInHost(), drivenAgent());
  const numbers = Array.from({ length: AT_ONCE }, (_, i) => i);
  const ids = await Promise.all(
    numbers.map(async (n) => (await call(create, { command: 'echo', args: [`number ${n}`] })).result!),
  );
  expect(new Set(ids.map(({ terminalId }) => terminalId)).size).toBe(AT_ONCE);
  const exits = await Promise.all(ids.map((id) => call(waitForExit, id)));
  expect(exits).toEqual(numbers.map(() => ({ result: { exitCode: 0, signal: null } })));
  const outputs = await Promise.all(ids.map((id) => call(output, id)));
  expect(outputs.map(({ result }) => result!['output'])).toEqual(numbers.map((n) => `number ${n}\n`));
  await Promise.all(ids.map((id) => call(release, id)));
  expect(await manager.list()).toEqual([]);
});
