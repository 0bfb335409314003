/**
 * Tests the client against a real server: every call, its errors, and a live connection that is lost again and again.
 */
import { WebSocket } from 'ws';
import { ApiError, TenacittyClient, type LiveMessage, type LiveOptions } from '../../src/client/index.js';
import type { SocketConstructor } from '../../src/client/live-terminal.js';
import { createKey, revokeKey } from '../../src/access/key-file.js';
import { eventually, nextTurn } from '../eventually.js';
import { runs } from '../deep.js';
import { LiveProxy } from '../http/live-proxy.js';
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
  it('provides the methods of the manager over REST', async () => {
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

  it('throws the errors of the server', async () => {
    const error = await client.get('no-such').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'TERMINAL_NOT_FOUND', status: 404 });
    const stranger = new TenacittyClient({ url: server.url, key: 'tty_wrong' });
    await expect(stranger.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
  });
});

describe('all terminals', () => {
  it('are shown, answered, and searched', async () => {
    const { terminalId: id } = await client.create({
      ...{ command: '/bin/sh', labels: { of: 'test' } },
      args: ['-c', 'read -p "Your name? " name; echo "Hello $name"'],
    });
    const [terminal] = await eventually(async () => {
      const { terminals, hasMore } = await client.overview({ label: ['of=test'], sort: 'name', limit: 5 });
      return !hasMore && terminals[0]?.waiting && terminals;
    });
    expect(terminal).toMatchObject({ terminalId: id, waiting: { kind: 'line' } });
    await client.answer(id, { waiting: terminal!.waiting!.id, text: 'Ada' });
    await client.wait(id, { text: 'Hello Ada', fromOffset: 0 });
    await expect(client.answer(id, { waiting: terminal!.waiting!.id, text: 'x' })).rejects.toMatchObject({
      status: 409,
    });
    const found = [];
    for await (const item of client.searchAll({ text: 'Hello' })) found.push(item);
    expect(found).toMatchObject([
      { type: 'match', terminalId: id, text: 'Hello Ada' },
      { type: 'end', searched: 1 },
    ]);
    await expect(client.searchAll({ regex: '(' }).next()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('are followed across lost connections, without missing or repeating an event', async () => {
    const proxy = await LiveProxy.open(server.port);
    const { host } = new URL(proxy.url);
    server = await startServer({ gate: { allowedHosts: [host] } });
    proxy.target = server.port;
    client = new TenacittyClient({ url: server.url });
    const through = new TenacittyClient({ url: `http://${host}`, key: createKey(server.dataDir, 'one').key });
    const { terminalId: id } = await client.create({ command: 'cat' });
    const count = runs({ normal: 30, deep: 200 });
    const [states, seen] = [[] as string[], [] as string[]];
    const leaving = new AbortController();
    const events = through.events({ ids: [id], signal: leaving.signal, onState: (state) => states.push(state) });
    const following = (async () => {
      for await (const { event } of events) {
        if (event.type !== 'changed') continue;
        seen.push(event.terminal.labels['change']!);
        if (seen.length === count) leaving.abort();
      }
    })();
    await eventually(() => states.includes('open'));
    for (let change = 0; change < count; change++) {
      await client.update(id, { labels: { change: String(change) } });
      if (change % 10 === 5) proxy.cutAll();
    }
    await following;
    expect(seen).toEqual(Array.from({ length: count }, (_, change) => String(change)));
    expect(states.filter((state) => state === 'lost').length).toBeGreaterThan(0);
    proxy.close();
  });

  it('are refused to a caller without a valid key, who does not try again', async () => {
    const stranger = new TenacittyClient({ url: server.url, key: 'tty_wrong' });
    await expect(stranger.events().next()).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
  });
});

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

  it('reports what is drawn while it holds the terminal, so that the program waits for that', async () => {
    const script = 'stty -echo; read line; echo first; read line; seq 1 200000';
    const { terminalId: id } = await client.create({ command: '/bin/sh', args: ['-c', script] });
    const undrawn: (() => void)[] = [];
    let isSlow = false;
    const draw = () => (isSlow ? new Promise<void>((resolve) => undrawn.push(resolve)) : undefined);
    const { live, seen } = watch(id, { from: 0, onOutput: draw });
    await eventually(() => seen.states.includes('open'));
    live.take();
    await eventually(() => seen.messages.some(({ type }) => type === 'control'));
    isSlow = true;
    await live.type('\r');
    (await eventually(() => undrawn.shift()))();
    await nextTurn();
    await live.type('\r');
    const printed = async () => (await client.get(id)).totalBytes;
    await eventually(async () => (await printed()) > 256 << 10);
    expect(await printed()).toBeLessThan(768 << 10);
    await eventually(() => {
      for (const drawn of undrawn.splice(0)) drawn();
      return seen.states.at(-1) === 'closed';
    });
    expect(seen.messages.filter(({ type }) => type === 'gap' || type === 'error')).toEqual([]);
  });

  it('continues where it was, and types everything once, however often the connection is lost', async () => {
    const inputs = runs({ normal: 60, deep: 400 });
    const proxy = await LiveProxy.open(server.port);
    const { terminalId: id } = await client.create({ command: '/bin/sh', args: ['-c', 'stty raw -echo; cat'] });
    const { live, seen } = watch(id, { WebSocket: proxy.Through, from: 0 });
    const typed: Promise<void>[] = [];
    for (let input = 0; input < inputs; input++) {
      typed.push(live.type(`${input};`));
      if (input % 15 === 7) proxy.cutAll();
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

  it('continues to hold the terminal after a loss, unless another caller has taken it', async () => {
    const proxy = await LiveProxy.open(server.port);
    const { terminalId: id } = await client.create({ command: '/bin/sh', args: ['-c', 'stty raw -echo; cat'] });
    const { live, seen } = watch(id, { WebSocket: proxy.Through, name: 'Ada' });
    const heldBy = (name: string) => async () => (await client.get(id)).holder?.name === name;
    live.take();
    await eventually(heldBy('Ada'));
    await live.type('one');
    proxy.cutAll();
    await eventually(() => seen.states.includes('lost'));
    await live.type(', two');
    expect(await heldBy('Ada')()).toBe(true);
    proxy.cutAll();
    await eventually(() => seen.states.filter((state) => state === 'lost').length === 2);
    await client.control(id, { action: 'take', name: 'Grace' });
    await expect(live.type(', three')).rejects.toThrow('TERMINAL_HELD');
    expect(await heldBy('Grace')()).toBe(true);
    live.close();
    proxy.close();
  });

  it('is closed by an input that is too large for the server, instead of repeating it forever', async () => {
    const { terminalId: id } = await client.create();
    const { live, seen } = watch(id);
    await expect(live.type('x'.repeat(2 << 20))).rejects.toThrow('before this input was acknowledged');
    expect(seen.states).toEqual(['open', 'closed']);
  });

  it('waits for a stopped server, and reports input that is given up', async () => {
    const proxy = await LiveProxy.open(server.port);
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

  it('is refused what its key does not allow, and does not try again', async () => {
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
