/** Tests MCP over HTTP as clients use it: a real server, real shells, the official client, both revisions. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TerminalManager } from '../../src/contract/manager.js';
import { McpMount } from '../../src/mcp/mount.js';
import { eventually } from '../eventually.js';
import { checkError } from '../http/documented.js';
import { jsonRequest, requestText, sendRaw } from '../http/raw-request.js';
import { MAX_BODY_BYTES, startServer } from '../http/server-under-test.js';
import type { ServerUnderTest } from '../http/server-under-test.js';
import { ERAS } from './client.js';
import { HttpAgent } from './http-agent.js';

const KEY = 'tty_for-this-test-only-0123456789abcdef0123';

let server: ServerUnderTest;
const agents: HttpAgent[] = [];
const faults: unknown[] = [];
beforeEach(async () => {
  const apiKeyHashes = [createHash('sha256').update(KEY).digest('hex')];
  server = await startServer({
    engine: { defaultShell: '/bin/bash' },
    gate: { apiKeyHashes },
    mounts: (manager) => [new McpMount(manager, { onFault: (error) => faults.push(error), onRefusal: () => {} })],
  });
});
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
  await server.stop();
  expect(faults.splice(0)).toEqual([]);
});

async function agent(options?: Parameters<typeof HttpAgent.connect>[1]): Promise<HttpAgent> {
  const connected = await HttpAgent.connect(server.url, options);
  agents.push(connected);
  return connected;
}

/** A file that a command waits for. */
function gateFile(): { path: string; open: () => void } {
  const path = join(server.dataDir, `gate-${Math.random()}`);
  return { path, open: () => writeFileSync(path, '') };
}
const untilThere = (path: string) => `until [ -e '${path}' ]; do read -t 0.02 -r <> <(:); done`;

describe.each(ERAS)('in the %s revision', (era) => {
  it('keeps directory and variables between requests', async () => {
    const one = await agent({ era });
    const first = await one.call({ command: 'cd /usr && GREETING=hello; echo here' });
    expect(first).toMatchObject({ text: 'here', meta: { terminal: 0, exit_code: 0, cwd: '/usr', completed: true } });
    expect(await one.call({ command: 'echo "$GREETING from $PWD"; (exit 7)' })).toMatchObject({
      text: 'hello from /usr',
      meta: { exit_code: 7 },
    });
  });

  it('finds the same terminals on another connection, and in REST', async () => {
    const { meta } = await (await agent({ era })).call({ command: 'HERE=yes', terminal: 3 });
    expect(await (await agent({ era })).call({ command: 'echo "$HERE"', terminal: 3 })).toMatchObject({ text: 'yes' });
    const { body } = await server.api.get('/api/terminals');
    expect([meta['terminal'], body.data.count]).toEqual([3, 1]);
  });

  it('gives each caller numbers of its own, and additional ones for each workspace', async () => {
    const keyed = { 'X-API-Key': KEY };
    const callers = [{}, keyed, { ...keyed, 'Tenacitty-Workspace': 'a' }, { 'Tenacitty-Workspace': 'a' }];
    const all = await Promise.all(callers.map((headers) => agent({ era, headers })));
    const runs = await Promise.all(all.map((one, at) => one.call({ command: `WHO=${at}` })));
    expect(runs.map(({ meta }) => meta['terminal'])).toEqual([0, 0, 0, 0]);
    const seen = await Promise.all(all.map((one) => one.call({ command: 'echo "$WHO"' })));
    expect(seen.map(({ text }) => text)).toEqual(['0', '1', '2', '3']);
    expect(await server.manager.summary()).toMatchObject({ createdTotal: 4 });
  });

  it('lets a command continue after its caller has disconnected', async () => {
    const one = await agent({ era });
    const gate = gateFile();
    await one.call({ command: 'true' });
    const leaving = new AbortController();
    const left = one.call(
      { command: `echo be""gun; ${untilThere(gate.path)}; echo ended` },
      { signal: leaving.signal },
    );
    const [terminal] = await server.manager.list();
    await server.manager.wait(terminal!.id, { text: 'begun', fromOffset: 0, timeoutMs: 30_000 });
    leaving.abort();
    await expect(left).rejects.toThrow();
    gate.open();
    const { commandId } = (await server.manager.commands(terminal!.id)).at(-1)!;
    const result = await server.manager.collect(terminal!.id, commandId, { timeoutMs: 30_000 });
    expect(result).toMatchObject({ completed: true, exitCode: 0, output: 'begun\nended' });
  });

  it('lets a command continue without a waiting caller', async () => {
    const one = await agent({ era });
    const gate = gateFile();
    const command = `${untilThere(gate.path)}; echo ended`;
    expect(await one.call({ command, await_completion_ms: 0 })).toMatchObject({ meta: { completed: false } });
    gate.open();
    const [terminal] = await server.manager.list();
    const result = await server.manager.collect(terminal!.id, 1, { timeoutMs: 30_000 });
    expect(result).toMatchObject({ completed: true, output: 'ended' });
  });

  it('reports the progress of a long call', async () => {
    const one = await agent({ era });
    const gate = gateFile();
    const told: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => {
      told.push(message);
      gate.open();
    };
    const answer = await one.call({ command: `echo step one; ${untilThere(gate.path)}; echo ended` }, { onprogress });
    expect(answer).toMatchObject({ text: 'step one\nended', meta: { completed: true } });
    expect(told[0]).toMatch(/^\d+ s: step one$/);
  });

  it('answers waiting calls when the server stops', async () => {
    const one = await agent({ era });
    await one.call({ command: 'true' });
    const waiting = one.call({ command: 'echo be""gun; sleep 1000' });
    const [terminal] = await server.manager.list();
    await server.manager.wait(terminal!.id, { text: 'begun', fromOffset: 0, timeoutMs: 30_000 });
    await server.close();
    expect(await waiting).toMatchObject({ text: 'begun', meta: { completed: false } });
  });

  it('runs twenty commands in twenty terminals at once', async () => {
    const one = await agent({ era });
    const numbers = Array.from({ length: 20 }, (_, at) => at);
    const answers = await Promise.all(
      numbers.map((terminal) => one.call({ terminal, command: `echo "n $((${terminal} * 7))"` })),
    );
    expect(answers.map(({ text }) => text)).toEqual(numbers.map((number) => `n ${number * 7}`));
    const { meta } = await one.call({ action: 'LIST' });
    expect((meta['terminals'] as { terminal: number }[]).map(({ terminal }) => terminal)).toEqual(numbers);
  });
});

describe('the path /mcp', () => {
  const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const ACCEPT = { Accept: 'application/json, text/event-stream', Connection: 'close' };

  it.each(['PUT', 'HEAD', 'PATCH'])('refuses %s and reports what it accepts', async (method) => {
    const answer = await sendRaw(server.port, requestText(server.port, method, '/mcp'));
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST, GET, DELETE, OPTIONS']);
  });

  it.each(['GET', 'DELETE'])('refuses %s without a session', async (method) => {
    expect((await sendRaw(server.port, requestText(server.port, method, '/mcp'))).status).toBe(405);
  });

  it('refuses GET with a body, without reporting an internal error', async () => {
    const answer = await sendRaw(server.port, jsonRequest(server.port, 'GET', '/mcp', LIST, ACCEPT));
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('GET accepts no body')]);
  });

  it.each([
    ['too many values', `[${'1,'.repeat(20_000)}1]`, /at most 20000 keys/],
    ['too many levels', `${'['.repeat(1000)}${']'.repeat(1000)}`, /at most 16 levels/],
  ])('refuses %s before the body is read', async (_what, given, message) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"terminal","arguments":${given}}}`;
    const answer = await sendRaw(server.port, jsonRequest(server.port, 'POST', '/mcp', body, ACCEPT));
    expect([answer.status, checkError(undefined, answer)]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.text).toMatch(message);
  });

  it('sets the headers of every answer', async () => {
    const { status, headers } = await sendRaw(server.port, jsonRequest(server.port, 'POST', '/mcp', LIST, ACCEPT));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'x-request-id': expect.any(String),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  it.each([
    ['no JSON', '{"jsonrpc', {}, 400],
    ['another type', LIST, { 'Content-Type': 'text/plain' }, 415],
    ['a compressed body', LIST, { 'Content-Encoding': 'gzip' }, 415],
    ['too much', JSON.stringify({ filler: 'x'.repeat(MAX_BODY_BYTES) }), {}, 413],
    ['an invalid workspace name', LIST, { 'Tenacitty-Workspace': 'two words' }, 400],
  ])('refuses %s', async (_what, body, headers, status) => {
    const request = jsonRequest(server.port, 'POST', '/mcp', body, { ...ACCEPT, ...headers });
    expect((await sendRaw(server.port, request)).status).toBe(status);
  });

  it('names the header if the workspace in it is invalid', async () => {
    const request = jsonRequest(server.port, 'POST', '/mcp', LIST, { ...ACCEPT, 'Tenacitty-Workspace': 'é' });
    const answer = await sendRaw(server.port, request);
    expect([checkError(undefined, answer), answer.text]).toEqual([
      'INVALID_INPUT',
      expect.stringContaining('Tenacitty-Workspace'),
    ]);
  });

  describe('counts each message of a batch as a request,', () => {
    const wait = { action: 'WAIT', pattern: 'never', await_completion_ms: 30_000 };
    const message = (id: number, method: string, params = {}) => ({ jsonrpc: '2.0', id, method, params });
    const batchOf = (count: number, method: string, params?: object) =>
      JSON.stringify(Array.from({ length: count }, (_, at) => message(at, method, params)));
    const waits = (count: number) => batchOf(count, 'tools/call', { name: 'terminal', arguments: wait });
    const mounts = (manager: TerminalManager) => [
      new McpMount(manager, { onFault: (error) => faults.push(error), onRefusal: () => {} }),
    ];
    const post = (to: ServerUnderTest, body: string) =>
      sendRaw(to.port, jsonRequest(to.port, 'POST', '/mcp', body, ACCEPT));

    it('which may wait', async () => {
      const small = await startServer({ engine: { defaultShell: '/bin/bash', maxWaitingReads: 3 }, mounts });
      const refused = await post(small, waits(4));
      expect([refused.status, checkError(undefined, refused)]).toEqual([409, 'LIMIT_REACHED']);
      const one = await HttpAgent.connect(small.url);
      agents.push(one);
      await one.call({ command: 'sleep 1000', await_completion_ms: 0 });
      const waiting = post(small, waits(3));
      await eventually(async () => (await small.manager.summary()).waitingReads === 3);
      expect((await post(small, LIST)).status).toBe(409);
      const [terminal] = await small.manager.list();
      await small.manager.kill(terminal!.id, { signal: 'SIGKILL' });
      expect((await waiting).status).toBe(200);
      expect((await post(small, LIST)).status).toBe(200);
      await small.stop();
    });

    it.each([{}, { 'Mcp-Method': 'subscriptions/listen' }])(
      'and against the rate, with the headers %j',
      async (more) => {
        const few = await startServer({ gate: { rateLimitPerMinute: 5 }, mounts });
        const body = batchOf(6, 'tools/list');
        const answer = await sendRaw(few.port, jsonRequest(few.port, 'POST', '/mcp', body, { ...ACCEPT, ...more }));
        expect([answer.status, checkError(undefined, answer)]).toEqual([429, 'RATE_LIMITED']);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        await few.stop();
      },
    );
  });

  it('is counted and logged by its path, without the request’s contents', async () => {
    const one = await agent();
    await one.call({ command: 'echo not-for-the-log' });
    const log = server.logLines.join('');
    expect(log).toContain('"route":"/mcp"');
    expect(log).not.toContain('not-for-the-log');
  });
});
