/** Tests the events of all terminals over WebSocket: the same as over server-sent events, and the client's messages. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { createKey, revokeKey } from '../../src/access/key-file.js';
import { LIVE_PROTOCOL } from '../../src/contract/live.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
beforeEach(async () => (server = await startServer({ gate: { corsOrigins: ['https://app.example'] } })));
afterEach(stopServers);

// The test knows the types.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Message = any;

class WatchClient {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  closed: number | null = null;

  constructor(query = '', headers = {}) {
    const url = `${server.url.replace(/^http/, 'ws')}/api/live${query && `?${query}`}`;
    this.socket = new WebSocket(url, LIVE_PROTOCOL, { headers });
    this.socket.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString())));
    this.socket.on('close', (code) => (this.closed = code));
    this.socket.on('error', () => {});
  }

  static async open(query?: string, headers?: object): Promise<WatchClient> {
    const client = new WatchClient(query, headers);
    await client.get(({ type }) => type === 'hello');
    return client;
  }

  get(wanted: (message: Message) => boolean): Promise<Message> {
    return eventually(() => this.messages.find(wanted), { missing: () => JSON.stringify(this.messages).slice(-2000) });
  }

  event(type: string, wanted: (event: Message) => boolean = () => true): Promise<Message> {
    return this.get(({ event }) => event?.type === type && wanted(event));
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }
}

it('sends each event with its cursor, after which another connection continues', async () => {
  const first = await WatchClient.open();
  const one = await server.api.create();
  const { cursor, event } = await first.event('created');
  expect(event).toMatchObject({ terminalId: one, terminal: { id: one } });
  first.socket.terminate();
  const two = await server.api.create();
  const next = await WatchClient.open(`after=${encodeURIComponent(cursor)}`);
  expect(await next.event('created')).toMatchObject({ event: { terminalId: two } });
  const { cursor: start } = first.messages[0];
  const again = await WatchClient.open(`after=${encodeURIComponent(start)}`);
  await again.event('created', ({ terminalId }) => terminalId === two);
  expect(again.messages.filter((each) => each.event?.type === 'created')).toHaveLength(2);
});

it('sends the lines of the terminals that the client names, and misses no event when it names others', async () => {
  const [one, other] = [await server.api.run('cat'), await server.api.run('cat')];
  const client = await WatchClient.open(`lines=${one}`);
  const shown = (id: string, text: string) =>
    client.event('lines', ({ terminalId, lines }) => terminalId === id && lines.join().includes(text));
  await server.api.type(one, 'first');
  await shown(one, 'first');
  const created: string[] = [];
  for (let round = 0; round < 20; round++) {
    client.send({ type: 'watch', lines: round % 2 === 0 ? [other] : [] });
    created.push(await server.api.run('true'));
  }
  client.send({ type: 'watch', lines: [other] });
  await server.api.type(other, 'second');
  await shown(other, 'second');
  await client.event('created', ({ terminalId }) => terminalId === created.at(-1));
  const told = client.messages.filter(({ event }) => event?.type === 'created').map(({ event }) => event.terminalId);
  expect(told).toEqual(created);
});

it('tells a client that did not read for too long that events are missing', async () => {
  const id = await server.api.create();
  const client = await WatchClient.open();
  client.socket.pause();
  const text = 'x'.repeat(256);
  const labels = Object.fromEntries(Array.from({ length: 15 }, (_, label) => [`label${label}`, text]));
  // Together more than the sockets buffer, and more events than the engine keeps.
  for (let change = 0; change < 3000; change++)
    await server.manager.update(id, { labels: { ...labels, at: `${change}` } });
  client.socket.resume();
  await client.event('reset');
  await server.manager.update(id, { labels: { at: 'last' } });
  await client.event('changed', ({ terminal }) => terminal.labels.at === 'last');
  expect(client.messages.length).toBeLessThan(3000);
});

it('answers pings', async () => {
  const client = await WatchClient.open();
  client.send({ type: 'ping' });
  await client.get(({ type }) => type === 'pong');
});

it.each([
  ['{', 1007],
  ['{"type":"input","seq":1,"text":"x"}', 1008],
  ['{"type":"watch"}', 1008],
  ['{"type":"watch","lines":["a b"]}', 1008],
])('answers %s with an error, and closes at the third', async (message, code) => {
  const client = await WatchClient.open();
  for (let sent = 0; sent < 3; sent++) client.send(message);
  expect(await eventually(() => client.closed)).toBe(code);
  const errors = client.messages.filter(({ type }) => type === 'error');
  expect(errors.map((error) => error.code)).toEqual(Array(3).fill('INVALID_INPUT'));
});

it.each([
  ['a page that may not call', { Origin: 'https://evil.example' }, 403],
  ['a page without a key', { Origin: 'https://app.example' }, 401],
  ['a name that points here', { Host: 'evil.example' }, 403],
  ['a wrong key', { 'X-API-Key': 'tty_wrong' }, 401],
])('refuses %s', async (_who, headers, status) => {
  const { socket } = new WatchClient('', headers);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  expect(response.statusCode).toBe(status);
});

it('refuses what is no upgrade, and a wrong query', async () => {
  expect((await server.api.get('/api/live')).status).toBe(426);
  const { socket } = new WatchClient('role=viewer');
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  expect(response.statusCode).toBe(400);
});

it('closes when the key is revoked, when the server stops, and for no other reason', async () => {
  const { key, stored } = createKey(server.dataDir, 'one');
  const [revoked, kept] = [await WatchClient.open('', { 'X-API-Key': key }), await WatchClient.open()];
  revokeKey(server.dataDir, stored.id);
  expect(await eventually(() => revoked.closed)).toBe(1006);
  kept.send({ type: 'ping' });
  await kept.get(({ type }) => type === 'pong');
  await server.close();
  expect(await eventually(() => kept.closed)).toBe(1001);
});
