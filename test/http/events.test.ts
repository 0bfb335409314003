/** Tests the events of all terminals over server-sent events: what is reported, to whom, and how a stream resumes. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createKey, revokeKey } from '../../src/access/key-file.js';
import { eventually } from '../eventually.js';
import { runs } from '../deep.js';
import { EventClient, type ReceivedEvent } from './event-client.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
beforeEach(async () => (server = await startServer({ engine: { defaultShell: '/bin/bash' } })));
afterEach(stopServers);

const clients: EventClient[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.leave()));

async function watch(query = '', headers: object = {}): Promise<EventClient> {
  const client = await EventClient.open(server.url, `/api/events${query && `?${query}`}`, undefined, headers);
  clients.push(client);
  return client;
}

/** Reads until an event of this type; returns all events up to it. */
async function until(client: EventClient, type: string): Promise<ReceivedEvent[]> {
  const seen: ReceivedEvent[] = [];
  while (seen.at(-1)?.event !== type) seen.push(await client.next());
  return seen;
}

const types = (events: readonly ReceivedEvent[]) => events.map(({ event }) => event);

describe('a stream of events', () => {
  it('begins at once, with the position at which it begins', async () => {
    const client = await watch();
    expect(await client.next()).toEqual({ event: 'ready', id: expect.stringMatching(/./), data: {} });
    expect(client.headers['cache-control']).toBe('no-store, no-transform');
  });

  it('reports the life of a terminal, in order, with what each event concerns', async () => {
    const client = await watch();
    const id = await server.api.create({ name: 'work' });
    await server.api.post(`/api/terminals/${id}/exec`, { command: '(exit 3)' });
    await server.api.patch(`/api/terminals/${id}`, { labels: { of: 'test' } });
    await server.api.post(`/api/terminals/${id}/control`, { action: 'take', name: 'Ada' });
    await server.api.delete(`/api/terminals/${id}`);
    const events = await until(client, 'removed');
    const shown = types(events).filter((type) => type !== 'waiting' && type !== 'answered');
    expect(shown).toEqual(['ready', 'created', 'command', 'command', 'changed', 'control', 'ended', 'removed']);
    const [, created, began, ended, changed, control] = events.map(({ data }) => data);
    expect(created).toMatchObject({ type: 'created', terminalId: id, terminal: { name: 'work' } });
    expect(began).toMatchObject({ phase: 'began', command: { commandId: 1, text: '(exit 3)' } });
    expect(ended).toMatchObject({ phase: 'ended', command: { exitCode: 3 } });
    expect(changed).toMatchObject({ terminal: { labels: { of: 'test' } } });
    expect(control).toMatchObject({ holder: { name: 'Ada' } });
  });

  it('reports questions and that they were answered', async () => {
    const client = await watch();
    const id = await server.api.run('read -p "Your name? " name; echo "Hello $name"');
    const asked = (await until(client, 'waiting')).at(-1)!.data;
    expect(asked).toMatchObject({ terminalId: id, waiting: { kind: 'line', prompt: 'Your name?' } });
    await server.api.post(`/api/terminals/${id}/answer`, { waiting: asked.waiting.id, text: 'Ada' });
    expect((await until(client, 'answered')).at(-1)!.data).toMatchObject({ waiting: asked.waiting.id });
  });

  it('reports only what was asked for', async () => {
    const { api } = server;
    const [wanted, other] = [await api.create({ labels: { of: 'one' } }), await api.create()];
    const [byLabel, byId, byStatus] = [
      await watch('label=of%3Done'),
      await watch(`ids=${wanted}`),
      await watch('status=exited'),
    ];
    for (const id of [other, wanted]) await api.delete(`/api/terminals/${id}`);
    for (const client of [byLabel, byId]) {
      const events = await until(client, 'removed');
      expect(events.slice(1).map(({ data }) => data.terminalId)).toEqual(events.slice(1).map(() => wanted));
    }
    expect((await until(byStatus, 'removed')).slice(1).every(({ data }) => data.terminalId === other)).toBe(true);
  });

  it('reports the last lines of the terminals that were named, and of no others', async () => {
    const [shown, hidden] = [await server.api.run('cat'), await server.api.run('cat')];
    const client = await watch(`lines=${shown}`);
    for (const id of [hidden, shown]) await server.api.type(id, 'typed');
    for (let lines = ''; !lines.includes('typed');) {
      const { data } = (await until(client, 'lines')).at(-1)!;
      expect(data.terminalId).toBe(shown);
      lines = data.lines.join('\n');
    }
  });

  it.each(['label=x', 'status=none', 'ids=%2F', 'lines=a%20b', 'after=', 'unknown=1'])('refuses %s', async (query) => {
    const { status, body } = await server.api.get(`/api/events?${query}`);
    expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
  });

  it('answers HEAD without a stream', async () => {
    const request = httpRequest(`${server.url}/api/events`, { method: 'HEAD', agent: false }).end();
    const [{ statusCode, headers }] = (await once(request, 'response')) as [IncomingMessage];
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it('counts as a waiting request', async () => {
    const small = await startServer({ engine: { maxWaitingReads: 1 } });
    clients.push(await EventClient.open(small.url, '/api/events'));
    const { status, body } = await small.api.get('/api/events');
    expect([status, body.error.code]).toEqual([409, 'LIMIT_REACHED']);
  });

  it('ends when the key is revoked, and for no other caller', async () => {
    const { key, stored } = createKey(server.dataDir, 'one');
    const [revoked, kept] = [await watch('', { 'X-API-Key': key }), await watch()];
    for (const client of [revoked, kept]) await until(client, 'ready');
    revokeKey(server.dataDir, stored.id);
    await expect(revoked.next()).rejects.toThrow();
    const id = await server.api.create();
    expect((await until(kept, 'created')).at(-1)!.data.terminalId).toBe(id);
  });

  it('says that the server is stopping, and then ends', async () => {
    const client = await watch();
    await until(client, 'ready');
    const closed = server.close();
    expect(types(await client.rest())).toEqual(['stopping']);
    await closed;
  });
});

describe('a stream that resumes', () => {
  it('continues after the last event, or where it began', async () => {
    const first = await watch();
    const { id: start } = await first.next();
    const one = await server.api.create();
    const { id: cursor } = (await until(first, 'created')).at(-1)!;
    first.leave();
    const two = await server.api.create();
    for (const [query, headers, ids] of [
      ['', { 'Last-Event-ID': start }, [one, two]],
      ['', { 'Last-Event-ID': cursor }, [two]],
      [`after=${encodeURIComponent(cursor)}`, {}, [two]],
      // A browser repeats its first request with the header added.
      [`after=${encodeURIComponent(start)}`, { 'Last-Event-ID': cursor }, [two]],
    ] as const) {
      const client = await watch(query, headers);
      for (const id of ids) expect((await until(client, 'created')).at(-1)!.data.terminalId).toBe(id);
      client.leave();
    }
  });

  it('misses nothing and repeats nothing, however often it is cut', async () => {
    const terminal = await server.api.create();
    const count = runs({ normal: 200, deep: 900 });
    const seen: string[] = [];
    let cursor = (await (await watch()).next()).id;
    const changes = (async () => {
      for (let change = 1; change <= count; change++) {
        await server.manager.update(terminal, { labels: { change: String(change) } });
      }
    })();
    for (let cut = 1; seen.length < count; cut++) {
      const client = await watch('', { 'Last-Event-ID': cursor });
      await client.next();
      for (let read = 0; read < cut % 7 && seen.length < count;) {
        const { event, id, data } = await client.next();
        cursor = id;
        if (event !== 'changed') continue;
        seen.push(data.terminal.labels.change);
        read++;
      }
      client.leave();
    }
    await changes;
    expect(seen).toEqual(Array.from({ length: count }, (_, change) => String(change + 1)));
  });

  it.each(['nonsense', 'x'.repeat(200)])(
    'is told that events are missing after an unknown position: %s',
    async (after) => {
      const client = await watch(`after=${after}`);
      expect(types(await until(client, 'reset'))).toEqual(['ready', 'reset']);
    },
  );

  it('is told that events are missing if it did not read for too long, and costs nothing meanwhile', async () => {
    const id = await server.api.create();
    const client = await watch();
    await until(client, 'ready');
    client.pause();
    const text = 'x'.repeat(256);
    const labels = Object.fromEntries(Array.from({ length: 15 }, (_, label) => [`label${label}`, text]));
    const changed = async (change: number) => server.manager.update(id, { labels: { ...labels, change: `${change}` } });
    for (let change = 0; change < MORE_THAN_BUFFERED; change++) await changed(change);
    const events = await until(client, 'reset');
    expect(events.length).toBeLessThan(MORE_THAN_BUFFERED);
    await changed(-1);
    expect((await until(client, 'changed')).at(-1)!.data.terminal.labels.change).toBe('-1');
    await eventually(async () => (await server.api.get('/healthz')).status === 200);
  });
});

/** Number of events of 5 KB each: more than the sockets buffer, and more than the engine keeps. */
const MORE_THAN_BUFFERED = 3000;
