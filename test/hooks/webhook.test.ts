/** Tests the requests of webhooks against real receivers: signature, repetition, and where they may lead. */
import type { LookupAddress } from 'node:dns';
import { Webhook } from 'standardwebhooks';
import { sendWebhook } from '../../src/hooks/webhook.js';
import { createKey } from '../../src/access/key-file.js';
import { eventually } from '../eventually.js';
import { startServer, stopServers } from '../http/server-under-test.js';
import { closeReceivers, startReceiver } from './receiver.js';

const SOON = { firstMs: 5, longestMs: 20, giveUpMs: 60_000 };

afterEach(async () => {
  await stopServers();
  await closeReceivers();
});

async function serve(more: object = {}) {
  const server = await startServer({ hooks: { backOff: SOON, ...more } });
  const hook = async (request: object) => (await server.api.post('/api/hooks', request)).body.data;
  const state = async () => (await server.api.get('/api/hooks')).body.data.hooks[0].state;
  return { ...server, hook, state };
}

describe('a webhook', () => {
  it('is signed as Standard Webhooks specifies', async () => {
    const [server, receiver] = [await serve(), await startReceiver()];
    const { id, secret } = await server.hook({ on: ['ended'], url: receiver.url });
    const terminal = await server.api.run('exit 3');
    await receiver.until(({ type }) => type === 'ended');
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    const event = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(event).toMatchObject({
      id: `${id}-${terminal}-ended`,
      type: 'ended',
      late: false,
      data: { terminalId: terminal, exitCode: 3, signal: null, endedBy: { reason: 'exit' } },
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-tenacitty-hook': '1' });
    expect(headers['webhook-id']).toBe(`${id}-${terminal}-ended`);
    expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
  });

  it('is signed with a given secret', async () => {
    const [server, receiver] = [await serve(), await startReceiver()];
    const secret = `whsec_${Buffer.from('x'.repeat(24)).toString('base64')}`;
    expect(await server.hook({ on: ['ended'], url: receiver.url, secret })).toMatchObject({ secret });
    await server.api.run('exit 0');
    await receiver.until(() => true);
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    new Webhook(secret).verify(body, headers as Record<string, string>);
  });

  it('is repeated with the same id until it is accepted, and the next one follows only then', async () => {
    const [server, receiver] = [await serve(), await startReceiver()];
    const statuses = [500, 503, 404, 200, 200];
    receiver.answer = (response) => void response.writeHead(statuses.shift() ?? 200).end('x');
    await server.hook({ on: ['command', 'ended'], url: receiver.url });
    const id = await server.api.create({ shell: 'bash' });
    await server.api.post(`/api/terminals/${id}/exec`, { command: 'true' });
    await server.api.delete(`/api/terminals/${id}`);
    await receiver.until(({ type }) => type === 'ended');
    const keys = receiver.received.map(({ headers }) => String(headers['webhook-id']).split(`${id}-`)[1]);
    expect(keys).toEqual(['command-1', 'command-1', 'command-1', 'command-1', 'ended']);
    await eventually(async () => (await server.state()).delivered === 2);
    expect(await server.state()).toMatchObject({ pending: 0, failed: 0 });
  });

  it('is delivered once and in order when its receiver comes back', async () => {
    const [server, receiver] = [await serve(), await startReceiver()];
    await server.hook({ on: ['command'], url: receiver.url });
    await receiver.goDown();
    const id = await server.api.create({ shell: 'bash' });
    for (const command of ['true', 'false', 'true']) await server.api.post(`/api/terminals/${id}/exec`, { command });
    await eventually(async () => (await server.state()).lastError !== null);
    expect(await server.state()).toMatchObject({ pending: 3, delivered: 0, failed: 0 });
    await receiver.start();
    await eventually(async () => (await server.state()).delivered === 3);
    const commands = receiver.events.map(({ data }) => (data['command'] as { commandId: number }).commandId);
    expect(commands).toEqual([1, 2, 3]);
  });

  it('follows no redirect', async () => {
    const [server, receiver, other] = [await serve(), await startReceiver(), await startReceiver()];
    receiver.answer = (response) => void response.writeHead(307, { Location: other.url }).end();
    await server.hook({ on: ['ended'], url: receiver.url });
    await server.api.run('exit 0');
    await eventually(() => receiver.received.length > 2);
    expect(other.received).toEqual([]);
    expect((await server.state()).lastError.message).toContain('redirects are not followed');
  });

  it('waits for a slow receiver for a limited time, and ignores what it answers', async () => {
    const [server, receiver] = [await serve({ webhookTimeoutMs: 100 }), await startReceiver()];
    receiver.answer = (response) => {
      if (receiver.received.length > 2) response.writeHead(200).write('x'.repeat(1 << 20));
    };
    await server.hook({ on: ['ended'], url: receiver.url });
    await server.api.run('exit 0');
    await eventually(async () => (await server.state()).delivered === 1);
    expect(receiver.received).toHaveLength(3);
    expect((await server.state()).lastError.message).toMatch(/timeout|aborted/i);
  });

  it('is not trusted as local by the gate', async () => {
    const server = await serve();
    await server.hook({ on: ['ended'], url: `${server.url}/api/terminals` });
    await server.api.run('exit 0');
    await eventually(async () => (await server.state()).lastError?.message.includes('401'));
    expect((await server.api.get('/api/terminals')).body.data.count).toBe(1);
  });
});

describe('a webhook of a caller with a key', () => {
  async function refused(url: string) {
    const server = await startServer();
    const { key } = createKey(server.dataDir, 'other');
    const call = { body: { on: ['ended'], url }, headers: { 'X-API-Key': key } };
    return (await server.api.call('post', '/api/hooks', call)).body.error;
  }

  it.each([
    ...['http://127.0.0.1:3001/', 'http://localhost/', 'http://[::1]/', 'http://127.1/', 'http://2130706433/'],
    ...['http://0x7f000001/', 'http://0/', 'http://[::ffff:127.0.0.1]/', 'http://169.254.169.254/latest'],
    ...['http://10.1.2.3/', 'https://192.168.0.1/', 'http://172.20.0.1/', 'http://100.64.0.1/', 'http://[fd00::1]/'],
    ...['http://[fe80::1]/', 'http://[64:ff9b::7f00:1]/', 'http://224.0.0.1/', 'http://0.0.0.0/'],
  ])('cannot be created for %s', async (url) => {
    expect(await refused(url)).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('public') });
  });

  it('checks the address that it connects to, each time', async () => {
    const receiver = await startReceiver();
    let addresses: LookupAddress[] = [PUBLIC];
    const server = await serve({ resolve: async () => addresses });
    const { key } = createKey(server.dataDir, 'other');
    const url = `http://rebinding.example:${new URL(receiver.url).port}/`;
    const request = { body: { on: ['ended'], url }, headers: { 'X-API-Key': key } };
    expect((await server.api.call('post', '/api/hooks', request)).status).toBe(201);
    addresses = [PUBLIC, LOCAL];
    await server.api.run('exit 0');
    await eventually(async () => (await server.state()).lastError?.message.includes('not a public address'));
    expect(receiver.received).toEqual([]);
  });

  it('connects to the address that was looked up, and asks no second time', async () => {
    const receiver = await startReceiver();
    const hosts: string[] = [];
    const resolve = async (host: string) => (hosts.push(host), [LOCAL]);
    const url = `http://name.invalid:${new URL(receiver.url).port}/hook`;
    await sendWebhook({ url, secret: 'whsec_', mayBePrivate: true, resolve }, 'id', '{}', new AbortController().signal);
    expect(hosts).toEqual(['name.invalid']);
    expect(receiver.received[0]!.headers.host).toBe(new URL(url).host);
  });

  it('reports nothing more after the key was revoked', async () => {
    const receiver = await startReceiver();
    let isAccepted = true;
    let address = PUBLIC;
    const server = await serve({ isAccepted: () => isAccepted, resolve: async () => [address] });
    const { key } = createKey(server.dataDir, 'other');
    const request = { body: { on: ['ended'], url: 'http://name.invalid/' }, headers: { 'X-API-Key': key } };
    expect((await server.api.call('post', '/api/hooks', request)).body.data.active).toBe(true);
    [isAccepted, address] = [false, LOCAL];
    await server.hook({ on: ['ended'], url: receiver.url });
    await server.api.run('exit 0');
    await receiver.until(() => true);
    const [hook] = (await server.api.get('/api/hooks')).body.data.hooks;
    expect(hook).toMatchObject({ active: false, state: { pending: 0, lastError: null } });
  });
});

const PUBLIC = { address: '1.1.1.1', family: 4 };
const LOCAL = { address: '127.0.0.1', family: 4 };
