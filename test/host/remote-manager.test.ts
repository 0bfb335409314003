/**
 * Tests terminals in host processes: they outlive the process that started them, and callers find them, wherever they
 * are.
 */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Subscription, TerminalManager } from '../../src/contract/manager.js';
import { MAX_PAGE_BYTES } from '../../src/contract/output.js';
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { readUntil } from '../engine/engine-under-test.js';
import { endHosts, hostPids, isRunning, newPlaces, openManager, untilGone } from './host-under-test.js';
import { BUILD } from '../build.js';
import { eventually } from '../eventually.js';

const SLEEP = { command: 'sleep', args: ['1000'] };
const sh = (script: string) => ({ command: '/bin/sh', args: ['-c', script] });

afterEach(endHosts);

async function bytesOf(manager: TerminalManager, id: string, from = 0): Promise<Buffer> {
  return bytesIn(await manager.subscribe(id, from));
}

async function bytesIn(subscription: Subscription): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const event of subscription) if (event.type === 'output') pieces.push(event.bytes);
  return Buffer.concat(pieces);
}

describe('a remote terminal manager', () => {
  it('starts no host before there is a terminal to hold', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    expect(await manager.list()).toEqual([]);
    expect(await manager.summary()).toMatchObject({ activeTerminals: 0, problems: [] });
    await expect(manager.get('x')).rejects.toMatchObject({ code: 'TERMINAL_NOT_FOUND' });
    expect(readdirSync(places.root)).toEqual([]);
  });

  it('leaves its terminals running when it is closed, and the next one continues', async () => {
    const places = newPlaces();
    const first = openManager(places);
    const { id, pid } = await first.create(sh('stty -echo; while read line; do echo "got $line"; done'));
    await first.write(id, { input: 'one' });
    await readUntil(first, id, (text) => text.includes('got one'));
    const { totalBytes } = await first.get(id);
    await first.close();
    await expect(first.create()).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    const second = openManager(places);
    expect((await second.list()).map((terminal) => [terminal.id, terminal.pid])).toEqual([[id, pid]]);
    const subscription = await second.subscribe(id, totalBytes);
    await second.write(id, { input: 'two' });
    for await (const event of subscription) {
      expect(event).toMatchObject({ type: 'output', offset: totalBytes });
      break;
    }
    expect(await readUntil(second, id, (text) => text.includes('got two'))).toContain('got one\ngot two');
    expect(hostPids(places)).toHaveLength(1);
  });

  it('finds terminals that others have created, and misses those they have removed', async () => {
    const places = newPlaces();
    const [mine, theirs] = [openManager(places), openManager(places)];
    const { id } = await theirs.create(SLEEP);
    expect(await mine.get(id)).toMatchObject({ id, status: 'active' });
    await theirs.remove(id);
    await expect(mine.get(id)).rejects.toMatchObject({ code: 'TERMINAL_NOT_FOUND' });
    await expect(mine.write(id, { input: 'x' })).rejects.toMatchObject({ code: 'TERMINAL_NOT_FOUND' });
  });

  it('passes its terminals the directory and the environment of the calling process, and its own settings', async () => {
    process.env['TENACITTY_TEST'] = 'withheld';
    process.env['ASKED_BY'] = 'a test';
    const manager = openManager(newPlaces(), { engine: { withheldEnv: ['HOME'], maxInputBytes: 10 } });
    const { id, cwd } = await manager.create(sh('env; echo that is all; read line'));
    const text = await readUntil(manager, id, (output) => output.includes('that is all'));
    delete process.env['ASKED_BY'];
    delete process.env['TENACITTY_TEST'];
    expect(cwd).toBe(process.cwd());
    expect(text).toContain('ASKED_BY=a test');
    expect(text).not.toMatch(/^(HOME|TENACITTY_TEST)=/m);
    await expect(manager.write(id, { input: 'longer than ten bytes' })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  it('passes on errors: code, message and details', async () => {
    const manager = openManager(newPlaces());
    const { id } = await manager.create(SLEEP);
    await expect(manager.resize(id, { cols: 0, rows: 5 })).rejects.toMatchObject({
      name: 'TerminalError',
      code: 'INVALID_INPUT',
      details: { issues: [{ field: 'cols', given: 0, expected: 'at least 2' }] },
    });
    await expect(manager.create({ command: '/no/such' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(manager.subscribe(id, NaN)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(manager.subscribe(id, 99)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('supports long answers and long inputs', async () => {
    const manager = openManager(newPlaces(), { engine: { maxBufferLines: 300_000, maxBufferBytes: 64 << 20 } });
    const { id } = await manager.create(sh('stty raw -echo; echo ready; head -c 3000000 | cksum; seq 1 80000'));
    await readUntil(manager, id, (text) => text.includes('ready'));
    await manager.write(id, { input: 'é'.repeat(1_500_000), raw: true });
    await readUntil(manager, id, (_, page) => !page.isActive);
    const { output } = await manager.read(id, { maxLines: 300_000, maxBytes: MAX_PAGE_BYTES });
    const [, checksum, ...numbers] = output.split(/\r?\n\s*/).filter(Boolean);
    expect(checksum).toMatch(/^\d+ 3000000$/);
    expect(numbers).toEqual(Array.from({ length: 80_000 }, (_, i) => String(i + 1)));
  });

  it('ends all terminals of all hosts, and the hosts, on shutdown', async () => {
    const places = newPlaces();
    const manager = openManager(places, { maxHostTerminals: 1 });
    const terminals = [await manager.create(SLEEP), await manager.create(sh('trap "" TERM HUP; read line'))];
    const hosts = hostPids(places);
    expect(hosts).toHaveLength(2);
    await manager.shutdown(100);
    expect(terminals.map(({ pid }) => isRunning(pid))).toEqual([false, false]);
    await Promise.all(hosts.map(untilGone));
    await expect(manager.create()).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    expect(await manager.list()).toEqual([]);
    await manager.shutdown(0);
  });

  it('lets its process exit without being closed if nothing is waited for; the host keeps no pipe of it', async () => {
    const places = newPlaces();
    const { dataDir, runtimeDir } = places;
    const script = `
      const { RemoteTerminalManager } = await import(${JSON.stringify(join(BUILD, 'index.js'))});
      const manager = new RemoteTerminalManager(${JSON.stringify({ dataDir, runtimeDir })});
      const { id } = await manager.create({ command: 'sleep', args: ['1000'] });
      console.log(id);
    `;
    // The pipe is also open on an unexpected descriptor, so that it ends only when the host has closed that one too.
    const starter = ['-c', 'exec 9>&1; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script];
    const { stdout } = await promisify(execFile)('/bin/sh', starter);
    expect((await openManager(places).list()).map(({ id }) => id)).toEqual([stdout.trim()]);
  });
});

describe('several hosts', () => {
  it('are started as they fill up, and appear as one', async () => {
    const places = newPlaces();
    const manager = openManager(places, { maxHostTerminals: 2, engine: { maxTerminals: 5 } });
    const created = await Promise.all(Array.from({ length: 5 }, () => manager.create(SLEEP)));
    expect(hostPids(places)).toHaveLength(3);
    expect((await manager.list()).map(({ id }) => id).toSorted()).toEqual(created.map(({ id }) => id).toSorted());
    expect(await manager.summary()).toMatchObject({ activeTerminals: 5, createdTotal: 5, problems: [] });
    await expect(manager.create(SLEEP)).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      details: { limit: 'TENACITTY_MAX_TERMINALS', value: 5 },
    });
    await manager.kill(created[0]!.id);
    await manager.create(SLEEP);
    expect(hostPids(places)).toHaveLength(3);
  });

  it('can hold a terminal created like one of another host', async () => {
    const places = newPlaces();
    const manager = openManager(places, { maxHostTerminals: 1 });
    const model = await manager.create({ ...SLEEP, cwd: places.root, cols: 77, rows: 11 });
    const copy = await manager.create({ like: model.id });
    expect(copy).toMatchObject({ shell: model.shell, args: ['1000'], cwd: places.root, cols: 77, rows: 11 });
    expect(hostPids(places)).toHaveLength(2);
    await expect(manager.create({ like: 'nobody' })).rejects.toMatchObject({ code: 'TERMINAL_NOT_FOUND' });
  });
});

describe('subscriptions', () => {
  it('of fifty clients to one terminal deliver every byte to each', async () => {
    const manager: RemoteTerminalManager = openManager(newPlaces(), { engine: { maxBufferBytes: 32 << 20 } });
    const { id } = await manager.create(sh('read line; seq 1 100000'));
    const all = Array.from({ length: 50 }, () => bytesOf(manager, id));
    await eventually(async () => (await manager.get(id)).viewers === 50);
    await manager.write(id, { input: '' });
    const expected = `\r\n${Array.from({ length: 100_000 }, (_, i) => `${i + 1}\r\n`).join('')}`;
    for (const bytes of await Promise.all(all)) expect(bytes.toString() === expected).toBe(true);
    await eventually(async () => (await manager.get(id)).viewers === 0);
  });

  it('that are closed are closed in the host', async () => {
    const manager = openManager(newPlaces());
    const { id } = await manager.create(SLEEP);
    const subscriptions = await Promise.all([1, 2, 3].map(() => manager.subscribe(id)));
    expect((await manager.get(id)).viewers).toBe(3);
    for (const subscription of subscriptions) subscription.close();
    await eventually(async () => (await manager.get(id)).viewers === 0);
    for (const subscription of subscriptions) for await (const event of subscription) throw new Error(event.type);
  });

  it('end quietly when the manager is closed', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    const { id } = await manager.create(SLEEP);
    // A call to subscribe that is not answered yet is refused instead.
    const bytes = bytesIn(await manager.subscribe(id, 0));
    await eventually(async () => (await manager.get(id)).viewers === 1);
    await manager.close();
    expect(await bytes).toHaveLength(0);
  });
});
