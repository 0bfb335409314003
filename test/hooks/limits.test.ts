/** Tests that hooks cannot take from others what all share: waits, memory, and threads that resolve names. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createKey } from '../../src/access/key-file.js';
import { MAX_PENDING_BYTES } from '../../src/contract/hooks.js';
import { writeRecord } from '../../src/store/record-file.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers } from '../http/server-under-test.js';
import { closeReceivers, startReceiver } from './receiver.js';

afterEach(async () => {
  await stopServers();
  await closeReceivers();
});

type Server = Awaited<ReturnType<typeof startServer>>;

async function createHooks({ api }: Server, count: number, request: object): Promise<void> {
  for (let created = 0; created < count; created++) {
    const { status, body } = await api.post('/api/hooks', request);
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
}

const terminalsOf = async ({ api }: Server, count: number, script: string) => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await api.run(script));
  return ids;
};

/** Returns the status of a command in a shell of its own. */
async function execStatus({ api }: Server): Promise<number> {
  const id = await api.create({ shell: 'bash' });
  return (await api.post(`/api/terminals/${id}/exec`, { command: 'true' })).status;
}

describe('hooks that watch output', () => {
  it('take as many waits as they watch terminals, however many hooks there are', async () => {
    const server = await startServer({ engine: { maxWaitingReads: 8 }, hooks: {} });
    const receiver = await startReceiver();
    const ids = await terminalsOf(server, 6, 'read line; echo error; read line');
    await createHooks(server, 10, { on: ['match', 'quiet'], pattern: 'error', quietMs: 600_000, url: receiver.url });
    await eventually(async () => (await server.manager.summary()).waitingReads >= 6);
    expect(await execStatus(server)).toBe(200);
    await eventually(async () => (await server.manager.summary()).waitingReads <= 8);
    for (const id of ids) await server.api.type(id, 'x\n');
    await eventually(() => new Set(receiver.events.map(({ id }) => id)).size === 60);
    expect(server.hooks.list().every(({ state }) => state.failed === 0 && state.lastError === null)).toBe(true);
  });

  it('have no more waits than one caller, show that in their state, and try again', async () => {
    const server = await startServer({ engine: { maxWaitingReads: 2 }, hooks: {} });
    const receiver = await startReceiver();
    const ids = await terminalsOf(server, 3, 'read line; echo error');
    await createHooks(server, 4, { on: ['match'], pattern: 'error', url: receiver.url });
    const errors = () => server.hooks.list().map(({ state }) => state.lastError?.message ?? '');
    await eventually(() => errors().every((message) => message.includes('TENACITTY_MAX_WAITING_READS')));
    expect(await execStatus(server)).toBe(200);
    for (const id of ids) await server.api.type(id, 'x\n');
    await eventually(() => receiver.events.length === 12);
  });

  it('keep no wait when they are removed', async () => {
    const server = await startServer({ hooks: {} });
    await terminalsOf(server, 2, 'read line');
    await createHooks(server, 2, {
      on: ['match', 'quiet'],
      pattern: 'x',
      quietMs: 600_000,
      url: 'http://127.0.0.1:1/',
    });
    const waits = async () => (await server.manager.summary()).waitingReads;
    await eventually(async () => (await waits()) === 2);
    for (const { id } of server.hooks.list()) await server.api.delete(`/api/hooks/${id}`);
    await eventually(async () => (await waits()) === 0);
  });
});

describe('events that wait', () => {
  it('are limited in size, also those that an earlier server has left', async () => {
    const server = await startServer({ hooks: {} });
    const states = join(server.dataDir, 'hooks', 'state');
    await server.hooks.close();
    await createHooks(server, 3, { on: ['ended'], url: 'http://127.0.0.1:1/' });
    mkdirSync(states, { recursive: true });
    for (const { id } of server.hooks.list()) await writeRecord(join(states, `${id}.json`), fullRecord(300));
    server.hooks.start();
    await eventually(() => server.hooks.list().every(({ state }) => state.failed > 100));
    for (const { id, state } of server.hooks.list()) {
      expect([state.pending + state.failed, state.lastError?.message]).toEqual([300, expect.stringMatching(/dropped/)]);
      await eventually(() => statSync(join(states, `${id}.json`)).size < 1.1 * MAX_PENDING_BYTES);
    }
  });
});

function fullRecord(events: number) {
  const event = { type: 'ended', timestamp: '2025-10-03T12:00:00.000Z', text: 'x', late: false };
  const data = { tail: 'x'.repeat(15_000) };
  const pending = Array.from({ length: events }, (_, at) => ({
    ...{ terminalId: 'a', since: Date.now(), attempts: 0 },
    event: { ...event, id: `a${at}`, data },
  }));
  const counts = { delivered: 0, failed: 0, lastDelivered: null, lastError: null };
  return { version: 1, cursor: null, seenMs: 0, offsets: {}, known: [], pending, ...counts };
}

describe('names that are not answered', () => {
  it('hold one thread for each key, and delay no other hook', async () => {
    const unanswered: string[] = [];
    const resolve = (host: string) => {
      if (host === 'known.example') return Promise.resolve([{ address: '1.1.1.1', family: 4 }]);
      return new Promise<never>(() => unanswered.push(host));
    };
    const server = await startServer({ hooks: { resolve, lookupTimeoutMs: 300 } });
    const create = (key: string, host: string) => {
      const call = { body: { on: ['ended'], url: `http://${host}/` }, headers: { 'X-API-Key': key } };
      return server.api.call('post', '/api/hooks', call);
    };
    const { key: hostile } = createKey(server.dataDir, 'hostile');
    const refused = await Promise.all(['a', 'b', 'c'].map((host) => create(hostile, `${host}.example`)));
    for (const { status, body } of refused) {
      expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
      expect(body.error.details.issues[0]).toMatchObject({ field: expect.stringContaining('url') });
    }
    expect(unanswered).toHaveLength(1);
    expect((await create(createKey(server.dataDir, 'other').key, 'known.example')).status).toBe(201);
  });
});
