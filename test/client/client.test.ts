/** Tests the client against a real server: every call, its errors, and a live connection that is lost again and again. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { ApiError, TenacittyClient, type LiveMessage, type LiveOptions } from '../../src/client/index.js';
import type { SocketConstructor } from '../../src/client/live-terminal.js';
import { createKey, revokeKey } from '../../src/access/key-file.js';
import { eventually } from '../eventually.js';
import { runs } from '../deep.js';
import { startServer, stopServers, type ServerUnderTest } from '../http/server-under-test.js';

let server: ServerUnderTest;
let client: TenacittyClient;
beforeEach(async () => {
  server = await startServer({ engine: { defaultShell: '/bin/bash' } });
  client = new TenacittyClient({ url: server.url });
});
afterEach(stopServers);

const Implementation = WebSocket as unknown as SocketConstructor;

describe('a client', () => {
  it('does over REST what the manager does', async () => {
    const { terminalId: id } = await client.create({ name: 'work', labels: { of: 'test' }, env: { PS1: '$ ' } });
    expect((await client.list({ label: ['of=test'], status: 'active' })).terminals).toMatchObject([{ terminalId: id }]);
    const result = await client.exec('work', { command: 'echo out; (exit 3)' });
    expect(result).toMatchObject({ terminalId: id, commandId: 1, output: 'out', exitCode: 3, completed: true });
    expect(await client.command(id, 1)).toMatchObject({ text: 'echo out; (exit 3)', exitCode: 3 });
    expect((await client.commands(id, { limit: 5 })).count).toBe(1);
    expect((await client.readCommand(id, 1)).output).toBe('out');
    expect((await client.search(id, { text: 'out' })).matches.length).toBeGreaterThan(0);

    const { commandId } = await client.exec(id, { command: 'echo begun; cat', detach: true });
    expect(await client.wait(id, { text: 'begun', fromOffset: 0 })).toMatchObject({ reason: 'text' });
    await client.write(id, { input: 'typed' });
    expect((await client.read(id, { mode: 'tail', tailLines: 5, timeoutMs: 5000 })).isActive).toBe(true);
    expect(await client.interrupt(id, commandId)).toBe(true);
    expect(await client.collect(id, commandId, { timeoutMs: 10_000 })).toMatchObject({
      completed: true,
      exitCode: 130,
    });

    await client.resize(id, { cols: 100, rows: 30 });
    expect(await client.screen(id)).toMatchObject({ cols: 100, rows: 30 });
    expect(await client.update(id, { labels: { of: null } })).toMatchObject({ labels: {} });
    expect((await client.stats(id)).totalBytes).toBeGreaterThan(0);
    await client.clear(id);
    await client.signal(id, { signal: 'SIGWINCH' });
    const { token } = await client.control(id, { action: 'take', name: 'Ada' });
    await expect(client.write(id, { input: 'refused' })).rejects.toMatchObject({ code: 'TERMINAL_HELD', status: 409 });
    await client.write(id, { input: 'true' }, { hold: token! });
    await client.remove(id);
    await expect(client.get(id)).rejects.toMatchObject({ code: 'TERMINAL_NOT_FOUND' });
    expect(await client.run({ command: 'echo', args: ['a b'] })).toMatchObject({ output: 'a b', exitCode: 0 });
    expect(await client.execInNewTerminal({ command: 'echo $((6 * 7))' })).toMatchObject({ output: '42' });
  });

  it('repeats a call with the same idempotency key without a second effect', async () => {
    const { terminalId } = await client.create({}, { key: 'once' });
    expect((await client.create({}, { key: 'once' })).terminalId).toBe(terminalId);
  });

  it('throws what the server answers', async () => {
    const error = await client.get('no-such').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'TERMINAL_NOT_FOUND', status: 404 });
    const stranger = new TenacittyClient({ url: server.url, key: 'tty_wrong' });
    await expect(stranger.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
  });
});

/** Passes connections on to the server, and can cut them all. */
async function openProxy() {
  const open = new Set<Socket>();
  const proxy = createServer((socket) => {
    const upstream = connect(server.port, '127.0.0.1');
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on('error', () => {}).on('close', () => other.destroy());
      one.pipe(other);
    }
    open.add(socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    /** A WebSocket that goes through the proxy, under the name of the server. */
    Through: class extends WebSocket {
      constructor(url: string, protocols: string[], options: { headers?: object } = {}) {
        const { host } = new URL(url);
        super(url.replace(host, `127.0.0.1:${port}`), protocols, {
          ...options,
          headers: { ...options.headers, Host: host },
        });
      }
    } as unknown as SocketConstructor,
    cut(): void {
      for (const socket of open) socket.destroy();
      open.clear();
    },
    close(): void {
      this.cut();
      proxy.close();
    },
  };
}

/** Keeps everything that a live connection tells. */
function watch(id: string, options: Partial<LiveOptions> = {}) {
  const seen = { output: '', snapshots: 0, states: [] as string[], messages: [] as LiveMessage[] };
  const live = client.live(id, {
    WebSocket: Implementation,
    onOutput: (bytes) => void (seen.output += Buffer.from(bytes).toString()),
    onSnapshot: () => void seen.snapshots++,
    onMessage: (message) => void seen.messages.push(message),
    onState: (state) => void seen.states.push(state),
    ...options,
  });
  return { live, seen };
}

describe('a live connection of a client', () => {
  it('shows, types, resizes, holds, and ends with the terminal', async () => {
    const { terminalId: id } = await client.create({ command: '/bin/sh', args: ['-c', 'stty raw -echo; cat; exit 3'] });
    const { live, seen } = watch(id, { name: 'Ada' });
    await live.type('typed');
    await eventually(() => seen.output.endsWith('typed'));
    live.resize({ cols: 100, rows: 30 });
    live.take();
    await eventually(() => seen.messages.some(({ type }) => type === 'size'));
    await eventually(() =>
      seen.messages.some((message) => message.type === 'control' && message.holder?.name === 'Ada'),
    );
    await expect(client.write(id, { input: 'refused' })).rejects.toMatchObject({ code: 'TERMINAL_HELD' });
    live.release();
    await live.press('up');
    await eventually(() => seen.output.endsWith('typed\x1b[A'));
    live.signal('SIGKILL');
    await eventually(() => seen.states.at(-1) === 'closed');
    expect([seen.snapshots, seen.messages.some(({ type }) => type === 'ended')]).toEqual([1, true]);
    await expect(live.type('too late')).rejects.toThrow('closed');
  });

  it('goes on where it was, and types everything once, however often it is lost', async () => {
    const inputs = runs({ normal: 60, deep: 400 });
    const proxy = await openProxy();
    const { terminalId: id } = await client.create({ command: '/bin/sh', args: ['-c', 'stty raw -echo; cat'] });
    const { live, seen } = watch(id, { WebSocket: proxy.Through, from: 0 });
    const typed: Promise<void>[] = [];
    for (let input = 0; input < inputs; input++) {
      typed.push(live.type(`${input};`));
      if (input % 15 === 7) proxy.cut();
      if (input % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(typed);
    const expected = Array.from({ length: inputs }, (_, input) => `${input};`).join('');
    await eventually(() => seen.output.length >= expected.length);
    expect(seen.output).toBe(expected);
    expect([seen.snapshots, seen.states.includes('lost')]).toEqual([0, true]);
    live.close();
    proxy.close();
  });

  it('waits for a server that is away, and tells input that is given up', async () => {
    const proxy = await openProxy();
    const { terminalId: id } = await client.create();
    const { live, seen } = watch(id, { WebSocket: proxy.Through });
    await eventually(() => seen.states.includes('open'));
    proxy.close();
    await eventually(() => seen.states.includes('lost'));
    const given = live.type('never');
    live.close();
    await expect(given).rejects.toThrow('before this input was acknowledged');
    expect(seen.states).toEqual(['open', 'lost', 'closed']);
  });

  it('is refused what its key may not, and does not ask again', async () => {
    const { key, stored } = createKey(server.dataDir, 'one');
    client = new TenacittyClient({ url: server.url, key });
    const { terminalId: id } = await client.create();
    const { live, seen } = watch(id, { isViewer: true });
    await expect(live.type('x')).rejects.toThrow('FORBIDDEN');
    revokeKey(server.dataDir, stored.id);
    await eventually(() => seen.states.at(-1) === 'closed');
    client = new TenacittyClient({ url: server.url });
    for (const one of [watch(id, { from: 1_000_000 }), watch('no-such')])
      await eventually(() => one.seen.states.at(-1) === 'closed');
  });
});
