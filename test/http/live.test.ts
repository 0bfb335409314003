/** Tests live connections over real WebSockets: who gets one, what is sent, what is typed, and how they end. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { createKey, revokeKey } from '../../src/access/key-file.js';
import { rawOutput } from '../engine/all-pages.js';
import { eventually } from '../eventually.js';
import { runs } from '../deep.js';
import { LiveClient } from './live-client.js';
import { requestText, sendRaw } from './raw-request.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

const KEY = 'tty_for-this-test-only-0123456789abcdef0123';
const ORIGIN = 'https://app.example';

let server: ServerUnderTest;
beforeEach(async () => {
  const apiKeyHashes = [createHash('sha256').update(KEY).digest('hex')];
  server = await startServer({ gate: { apiKeyHashes, corsOrigins: [ORIGIN] } });
});
afterEach(stopServers);

const open = (id: string, query = '', headers = {}) => LiveClient.open(server.url, id, { query, headers });
const outputOf = (id: string): Promise<string> => rawOutput(server.manager, id);

/** A terminal that shows what is typed, byte for byte, and nothing else. */
async function catting(): Promise<string> {
  const id = await server.api.run('stty raw -echo; echo begun; exec cat');
  await server.api.readUntil(id, 'begun');
  return id;
}

describe('an upgrade', () => {
  it.each([
    ['a page that may not call', { Origin: 'https://evil.example' }, 403, 'ORIGIN_NOT_ALLOWED'],
    ['a page that may call, but has no key', { Origin: ORIGIN }, 401, 'UNAUTHORIZED'],
    ['a name that points here', { Host: 'evil.example' }, 403, 'HOST_NOT_ALLOWED'],
    ['a proxy', { 'X-Forwarded-For': '203.0.113.7' }, 401, 'UNAUTHORIZED'],
    ['a wrong key', { 'X-API-Key': 'tty_wrong' }, 401, 'UNAUTHORIZED'],
  ])('is refused to %s', async (_who, headers, status, code) => {
    const id = await catting();
    expect(await LiveClient.refusal(server.url, id, { headers })).toEqual([status, code]);
    expect(await LiveClient.refusal(server.url, id, { headers, query: `key=${KEY}` })).toEqual([status, code]);
  });

  it('is granted to a page of an allowed origin with a key', async () => {
    const client = await open(await catting(), '', { Origin: ORIGIN, 'X-API-Key': KEY });
    expect(client.socket.protocol).toBe('tenacitty.v1');
    expect(client.socket.extensions).toBe('');
  });

  it('is refused in the common error format', async () => {
    const id = await catting();
    expect(await LiveClient.refusal(server.url, 'abc-123')).toEqual([404, 'TERMINAL_NOT_FOUND']);
    expect(await LiveClient.refusal(server.url, id, { query: 'role=owner' })).toEqual([400, 'INVALID_INPUT']);
    expect(await LiveClient.refusal(server.url, id, { protocol: 'chat' })).toEqual([400, 'INVALID_INPUT']);
    expect(await server.api.get(`/api/terminals/${id}/live`)).toMatchObject({ status: 426 });
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '7' };
    const answer = await sendRaw(
      server.port,
      requestText(server.port, 'GET', `/api/terminals/${id}/live`, { headers }),
    );
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([400, 'INVALID_INPUT']);
  });

  it('to another protocol is ignored', async () => {
    const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' };
    const answer = await sendRaw(server.port, requestText(server.port, 'GET', '/healthz', { headers }));
    expect([answer.status, answer.headers['connection']]).toEqual([200, 'close']);
  });

  it('is refused to a request with a body', async () => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'h2c',
      'Content-Type': 'application/json',
      'Content-Length': '2',
    };
    const asked = requestText(server.port, 'POST', '/api/terminals', { headers, body: '{}' });
    const answer = await sendRaw(server.port, asked);
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([400, 'INVALID_INPUT']);
  });

  it('is logged when it ends, with its caller and without input', async () => {
    const client = await open(await catting(), '', { 'X-API-Key': KEY });
    client.send({ type: 'input', seq: 1, text: 'a secret' });
    await client.get('ack');
    client.socket.close();
    const line = await eventually(() => server.logLines.find((each) => each.includes('"status":101')));
    expect(JSON.parse(line)).toMatchObject({ route: '/api/terminals/:terminalId/live', principal: /^key/ });
    expect(server.logLines.join('')).not.toMatch(/a secret|tty_/);
  });
});

/** 20 MB, more than all buffers on the way hold, take seconds on a busy machine. */
const FLOOD_TIMEOUT_MS = 60_000;

describe('a live connection', () => {
  it('starts with a hello, paints the screen, then sends output as it is written', async () => {
    const id = await catting();
    const client = await open(id);
    const { totalBytes: offset } = await server.manager.get(id);
    expect(await client.get('hello')).toMatchObject({ terminalId: id, role: 'controller', cols: 80, rows: 24, offset });
    expect(await client.get('snapshot')).toMatchObject({ at: offset, cols: 80, rows: 24, data: /begun/ });
    client.send({ type: 'input', seq: 1, text: 'typed' });
    client.send({ type: 'input', seq: 2, keys: ['ctrl-c', 'up'] });
    client.send({ type: 'input', seq: 4, data: Buffer.from([0x80, 0xff]).toString('base64') });
    await client.get('ack', 2);
    await client.prints('typed\x03\x1b[A\x80\xff');
    expect(client.all('ack').map(({ seq }) => seq)).toEqual([1, 2, 4]);
    // An emulator's answer to a query is not typed.
    client.send({ type: 'input', seq: 5, text: '\x1b[?62;22cnext' });
    await client.prints('\xffnext');
    client.send({ type: 'ping' });
    await client.get('pong');
  });

  it('reports sizes to all clients, and passes signals on', async () => {
    const id = await server.api.run(`trap 'echo heard' INT; while :; do sleep 1000; done`);
    const [one, other] = [await open(id), await open(id, 'role=viewer')];
    await one.get('snapshot');
    await other.get('snapshot');
    one.send({ type: 'resize', cols: 100, rows: 30 });
    for (const client of [one, other]) expect(await client.get('size')).toMatchObject({ cols: 100, rows: 30 });
    one.send({ type: 'signal', signal: 'SIGINT' });
    await other.prints('heard');
  });

  it('reports where commands began and ended in the output', async () => {
    const id = await server.api.create({ shell: '/bin/bash', env: { PS1: '$ ' } });
    const client = await open(id);
    await server.manager.exec(id, { command: 'echo out; (exit 3)' });
    const [began, ended] = [await client.get('command'), await client.get('command', 1)];
    expect(began).toMatchObject({ phase: 'began', command: { commandId: 1, text: 'echo out; (exit 3)' } });
    expect(ended).toMatchObject({ phase: 'ended', command: { commandId: 1, exitCode: 3, state: 'completed' } });
    await client.prints('out');
    client.send({ type: 'input', seq: 1, text: `printf '\\033]2;another title\\007'\r` });
    expect(await client.get('title')).toMatchObject({ title: 'another title' });
    const late = await open(id, `from=${ended.command.toOffset!}`);
    expect(await late.get('command')).toEqual(ended);
  });

  it('ends with the terminal, with the reason', async () => {
    const id = await server.api.run('read line; exit 3');
    const client = await open(id);
    client.send({ type: 'input', seq: 1, text: '\r' });
    expect(await client.get('ended')).toMatchObject({ exitCode: 3, signal: null, endedBy: { reason: 'exit' } });
    expect(await client.closing()).toMatchObject({ code: 1000 });
    const late = await open(id, 'from=0');
    expect(await late.get('ended')).toMatchObject({ exitCode: 3 });
    expect(late.output).toBe(await outputOf(id));
  });

  it('types each input of a writer once and in order, over several connections', async () => {
    const id = await catting();
    const type = (client: LiveClient, writer: string, seq: number) =>
      client.send({ type: 'input', writer, seq, text: `<${writer}${seq}>` });
    const [one, other] = [await open(id), await open(id)];
    for (const seq of [1, 2, 5]) type(one, 'w', seq);
    await one.get('ack', 2);
    one.socket.terminate();
    for (const seq of [1, 3, 5, 6]) type(other, 'w', seq);
    type(other, 'v', 1);
    await other.get('ack', 4);
    await other.prints('<v1>');
    // A writer of another caller is another writer.
    const stranger = await open(id, '', { 'X-API-Key': KEY });
    type(stranger, 'w', 1);
    await stranger.prints('<w1>');
    expect(await outputOf(id)).toMatch(/begun\r?\n<w1><w2><w5><w6><v1><w1>$/);
  });

  it('holds the terminal for one connection, which is reported to others', async () => {
    const id = await catting();
    const [one, other] = [await open(id, 'name=Ada'), await open(id, 'name=Grace')];
    one.send({ type: 'control', action: 'take' });
    expect(await other.get('control')).toMatchObject({ holder: { name: 'Ada' } });
    other.send({ type: 'input', seq: 1, text: 'refused' });
    other.send({ type: 'resize', cols: 90, rows: 20 });
    expect(await other.get('error')).toMatchObject({ code: 'TERMINAL_HELD', about: 1, message: /Ada/ });
    expect(await other.get('error', 1)).toMatchObject({ code: 'TERMINAL_HELD', about: 'resize' });
    one.send({ type: 'input', seq: 1, text: 'typed' });
    await other.prints('typed');
    expect(await open(id).then((late) => late.get('hello'))).toMatchObject({ holder: { name: 'Ada' } });

    other.send({ type: 'control', action: 'take', name: 'Grace Hopper' });
    expect(await one.get('control', 1)).toMatchObject({ holder: { name: 'Grace Hopper' } });
    one.send({ type: 'input', seq: 2, text: 'refused' });
    expect(await one.get('error')).toMatchObject({ code: 'TERMINAL_HELD', about: 2 });
    other.send({ type: 'control', action: 'release' });
    expect(await one.get('control', 2)).toEqual({ type: 'control', holder: null });
    one.send({ type: 'input', seq: 2, text: ' again' });
    await other.prints('typed again');
  });

  it('allows a viewer only to read', async () => {
    const id = await catting();
    const client = await open(id, 'role=viewer');
    for (const message of [
      { type: 'input', seq: 7, text: 'x' },
      { type: 'signal', signal: 'SIGKILL' },
    ])
      client.send(message);
    expect(await client.get('error')).toMatchObject({ code: 'FORBIDDEN', about: 7 });
    expect(await client.get('error', 1)).toMatchObject({ code: 'FORBIDDEN', about: 'signal' });
    expect((await server.manager.get(id)).status).toBe('active');
  });

  it.each([
    ['{', 1007, 'message'],
    ['[]', 1008, 'type'],
    ['{"type":"nonsense"}', 1008, 'type'],
    ['{"type":"input","seq":1}', 1008, 'text'],
    ['{"type":"resize","cols":0,"rows":5}', 1008, 'cols'],
  ])('answers %s, and closes at the third', async (message, code, field) => {
    const client = await open(await catting());
    for (let sent = 0; sent < 3; sent++) client.send(message);
    expect(await client.get('error', 2)).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(field),
    });
    expect(await client.closing()).toMatchObject({ code });
  });

  it('refuses an offset that does not exist', async () => {
    const client = await open(await catting(), 'from=100000');
    expect(await client.get('error')).toMatchObject({ code: 'INVALID_INPUT', message: /from/ });
    expect(await client.closing()).toMatchObject({ code: 1008 });
  });

  it('reports a gap, and paints the screen, if output is no longer held', async () => {
    const id = await catting();
    await server.manager.clear(id);
    const client = await open(id, 'from=0');
    const { at } = await client.get('snapshot');
    expect(await client.get('gap')).toEqual({ type: 'gap', from: 0, to: at });
    client.send({ type: 'input', seq: 1, text: 'on' });
    await client.prints('on');
  });

  it('closes when the key is revoked, when the server stops, and for no other reason', async () => {
    const { key, stored } = createKey(server.dataDir, 'one');
    const id = await catting();
    const [revoked, kept] = [await open(id, '', { 'X-API-Key': key }), await open(id)];
    revokeKey(server.dataDir, stored.id);
    const revokedMs = performance.now();
    expect(await revoked.closing()).toMatchObject({ code: 1006 });
    expect(performance.now() - revokedMs).toBeLessThan(1000);
    kept.send({ type: 'ping' });
    await kept.get('pong');
    await server.close();
    expect(await kept.closing()).toMatchObject({ code: 1001 });
  });

  it(
    'does not slow the program down for a client that does not read',
    async () => {
      const id = await server.api.run(`yes ${'x'.repeat(99)} | head -n 200000; echo done`);
      const client = await open(id);
      client.socket.pause();
      expect(await server.api.ended(id)).toMatchObject({ exitCode: 0 });
      client.socket.resume();
      const { to } = await client.get('gap');
      expect(await client.get('snapshot', 1)).toMatchObject({ at: to, data: /done/ });
      await client.get('ended');
    },
    FLOOD_TIMEOUT_MS,
  );

  it('tolerates anything that clients send', async () => {
    const id = await catting();
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({
          type: fc.constantFrom('input', 'resize', 'signal'),
          seq: fc.anything(),
          text: fc.anything(),
          cols: fc.anything(),
        })
        .map((value) => JSON.stringify(value)),
    );
    const message = fc.oneof(
      text,
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 30 }), async (all) => {
        const client = await open(id);
        for (const one of all) client.socket.send(one);
        client.socket.close();
        await client.closing();
      }),
      { numRuns: runs({ normal: 20, deep: 700 }) },
    );
    expect((await server.api.get('/healthz')).status).toBe(200);
  });
});
