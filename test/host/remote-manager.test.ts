/** Terminals in host processes: they outlive who started them, and who asks for them finds them, wherever they are. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import type { TerminalManager } from '../../src/contract/manager.js';
import { hostDirectory, logPath, socketPath } from '../../src/host/runtime-directory.js';
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { readUntil } from '../engine/engine-under-test.js';
import { endHosts, HOST_MAIN, hostPids, newPlaces, openManager, untilGone } from './host-under-test.js';
import { eventually } from '../eventually.js';
import { runs } from '../deep.js';

const ROUNDS = runs({ normal: 2, deep: 5 });
const SLEEP = { command: 'sleep', args: ['1000'] };
const sh = (script: string) => ({ command: '/bin/sh', args: ['-c', script] });

afterEach(endHosts);

async function bytesOf(manager: TerminalManager, id: string, from = 0): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const event of await manager.subscribe(id, from)) if (event.type === 'output') pieces.push(event.bytes);
  return Buffer.concat(pieces);
}

/** Makes something where nothing is, which another process may fill again at once; tells whether that went well. */
function isMade(make: () => void, makeRoom: () => void): boolean {
  makeRoom();
  try {
    make();
    return true;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a manager of remote terminals', () => {
  it('starts nothing before there is something to hold', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    expect(await manager.list()).toEqual([]);
    expect(await manager.summary()).toMatchObject({ activeTerminals: 0, problems: [] });
    await expect(manager.get('x')).rejects.toMatchObject({ code: 'TERMINAL_NOT_FOUND' });
    expect(readdirSync(places.root)).toEqual([]);
  });

  it('leaves its terminals running when it is closed, and the next one goes on where it was', async () => {
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

  it('finds what others have created and removed since', async () => {
    const places = newPlaces();
    const [mine, theirs] = [openManager(places), openManager(places)];
    const { id } = await theirs.create(SLEEP);
    expect(await mine.get(id)).toMatchObject({ id, status: 'active' });
    await theirs.remove(id);
    await expect(mine.get(id)).rejects.toMatchObject({ code: 'TERMINAL_NOT_FOUND' });
    await expect(mine.write(id, { input: 'x' })).rejects.toMatchObject({ code: 'TERMINAL_NOT_FOUND' });
  });

  it('gives its terminals the directory and the environment of the process that asks, and its own settings', async () => {
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

  it('tells errors as they are: code, message and details', async () => {
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

  it('carries long answers and long inputs', async () => {
    const manager = openManager(newPlaces(), { engine: { maxBufferLines: 300_000, maxBufferBytes: 64 << 20 } });
    const { id } = await manager.create(sh('stty raw -echo; echo ready; head -c 3000000 | cksum; seq 1 200000'));
    await readUntil(manager, id, (text) => text.includes('ready'));
    await manager.write(id, { input: 'é'.repeat(1_500_000), raw: true });
    await readUntil(manager, id, (_, page) => !page.isActive);
    const { output } = await manager.read(id, { maxLines: 300_000, maxBytes: 16 << 20 });
    const [, checksum, ...numbers] = output.split(/\r?\n\s*/).filter(Boolean);
    expect(checksum).toMatch(/^\d+ 3000000$/);
    expect(numbers).toEqual(Array.from({ length: 200_000 }, (_, i) => String(i + 1)));
  });

  it('ends all terminals of all hosts, and the hosts, when told to shut down', async () => {
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

  it('lets its process end, open as it is, when nothing is waited for; and the host keeps no pipe of it', async () => {
    const places = newPlaces();
    const script = `
      const { RemoteTerminalManager } = await import(${JSON.stringify(join(dirname(HOST_MAIN), 'remote-manager.js'))});
      const manager = new RemoteTerminalManager(${JSON.stringify(places)});
      const { id } = await manager.create({ command: 'sleep', args: ['1000'] });
      console.log(id);
    `;
    // The pipe is open once more where nobody expects it: it ends only when the host has let go of it too.
    const starter = ['-c', 'exec 9>&1; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script];
    const { stdout } = await promisify(execFile)('/bin/sh', starter);
    expect((await openManager(places).list()).map(({ id }) => id)).toEqual([stdout.trim()]);
  });
});

describe('several hosts', () => {
  it('are started as they fill up, and looked at as one', async () => {
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

  it('can hold a terminal like that of another', async () => {
    const places = newPlaces();
    const manager = openManager(places, { maxHostTerminals: 1 });
    const model = await manager.create({ ...SLEEP, cwd: places.root, cols: 77, rows: 11 });
    const copy = await manager.create({ like: model.id });
    expect(copy).toMatchObject({ shell: model.shell, args: ['1000'], cwd: places.root, cols: 77, rows: 11 });
    expect(hostPids(places)).toHaveLength(2);
    await expect(manager.create({ like: 'nobody' })).rejects.toMatchObject({ code: 'TERMINAL_NOT_FOUND' });
  });
});

describe('a host', () => {
  it.each(Array.from({ length: 2 * ROUNDS }, (_, i) => [i]))('is one, though two start it at once (%i)', async () => {
    const places = newPlaces();
    const both = [openManager(places), openManager(places)];
    const created = await Promise.all(both.map((manager) => manager.create(SLEEP)));
    expect(hostPids(places)).toHaveLength(1);
    for (const manager of both) expect(await manager.list()).toHaveLength(2);
    expect(new Set(created.map(({ id }) => id)).size).toBe(2);
  });

  it('ends itself when nobody needs it, and not before', async () => {
    const places = newPlaces();
    const manager = openManager(places, { idleExitMs: 300 });
    const { id } = await manager.create(SLEEP);
    const [pid] = hostPids(places);
    await manager.close();
    const next = openManager(places);
    expect(await next.list()).toHaveLength(1);
    await next.remove(id);
    expect(isRunning(pid!)).toBe(true);
    await next.close();
    await untilGone(pid!);
    expect(hostPids(places)).toEqual([]);
  });

  it('makes its socket anew when a tidy-up has taken it', async () => {
    const places = newPlaces();
    const manager = openManager(places, { idleExitMs: 1000 });
    const { id } = await manager.create(SLEEP);
    await manager.close();
    // The host may be making its socket just now.
    rmSync(hostDirectory(places), { recursive: true, maxRetries: 5 });
    await eventually(() => statSync(socketPath(hostDirectory(places), 0), { throwIfNoEntry: false }) !== undefined);
    expect((await openManager(places).list()).map((terminal) => terminal.id)).toEqual([id]);
  });

  it('makes its socket anew when something else has its place; a directory is told of, until it is removed', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    const { id } = await manager.create(SLEEP);
    await manager.close();
    const path = socketPath(hostDirectory(places), 0);
    const socket = () => {
      const there = statSync(path, { throwIfNoEntry: false });
      return there?.isSocket() === true ? there.ino : null;
    };
    const isSocket = () => socket() !== null;
    const aside = `${path}.planted`;
    writeFileSync(aside, 'planted');
    renameSync(aside, path);
    await eventually(isSocket);
    // A socket, but not that of the host.
    const other = createServer().listen(aside);
    await once(other, 'listening');
    renameSync(aside, path);
    const planted = socket();
    await eventually(() => ![planted, null].includes(socket()));
    other.close();
    // The host may be faster.
    await eventually(() =>
      isMade(
        () => mkdirSync(path),
        () => rmSync(path, { force: true }),
      ),
    );
    await eventually(() => readFileSync(logPath(places.dataDir, 0), 'utf8').includes('is a directory: remove it'));
    rmdirSync(path);
    await eventually(isSocket);
    expect((await openManager(places).list()).map((terminal) => terminal.id)).toEqual([id]);
  });

  it.each(Array.from({ length: ROUNDS }, (_, i) => [i]))(
    'is waited for, and no other takes its place, when all of the runtime directory is removed and somebody comes at once (%i)',
    async () => {
      const places = newPlaces();
      const manager = openManager(places, { maxHostTerminals: 1 });
      const ids = [(await manager.create(SLEEP)).id, (await manager.create(SLEEP)).id];
      const hosts = hostPids(places);
      expect(hosts).toHaveLength(2);
      await manager.close();
      rmSync(places.runtimeDir, { recursive: true, maxRetries: 5 });
      // Several at once, as of several commands: each finds both.
      const lists = await Promise.all([1, 2, 3].map(() => openManager(places).list()));
      for (const list of lists) expect(list.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(hostPids(places)).toEqual(hosts);
      expect(await openManager(places).get(ids[0]!)).toMatchObject({ status: 'active' });
    },
  );

  it('is found by who has another runtime directory, and the same data directory', async () => {
    const places = newPlaces();
    const { id } = await openManager(places).create(SLEEP);
    const elsewhere = { ...places, runtimeDir: join(places.root, 'run-of-cron') };
    const other = openManager(elsewhere);
    expect(await other.get(id)).toMatchObject({ status: 'active' });
    const second = await other.create(SLEEP);
    expect((await openManager(places).list()).map((one) => one.id)).toEqual([id, second.id]);
    expect(hostPids(places)).toHaveLength(1);
  });

  it('that is stopped, without its socket, is said not to answer', async () => {
    const places = newPlaces();
    const { id } = await openManager(places).create(SLEEP);
    const [pid] = hostPids(places);
    process.kill(pid!, 'SIGSTOP');
    rmSync(places.runtimeDir, { recursive: true });
    const manager = openManager(places, { startTimeoutMs: 300 });
    await expect(manager.get(id)).rejects.toMatchObject({ code: 'HOST_UNRESPONSIVE' });
    expect((await manager.summary()).problems).toEqual([expect.stringContaining(`process ${pid} owns it`)]);
    process.kill(pid!, 'SIGCONT');
    expect(await openManager(places).get(id)).toMatchObject({ status: 'active' });
    expect(hostPids(places)).toEqual([pid]);
  });

  it.each(Array.from({ length: ROUNDS }, (_, i) => [i]))(
    'hands its terminals on when its data directory has just been removed (%i)',
    async () => {
      const places = newPlaces();
      const manager = openManager(places);
      const { id, pid } = await manager.create(SLEEP);
      const [host] = hostPids(places);
      rmSync(places.dataDir, { recursive: true, force: true, maxRetries: 5 });
      expect(await manager.upgradeHosts()).toMatchObject([{ slot: 0, terminals: 1 }]);
      expect(await manager.get(id)).toMatchObject({ pid, status: 'active' });
      expect(hostPids(places)).not.toEqual([host]);
      expect(hostPids(places)).toHaveLength(1);
    },
  );

  it('is replaced by its successor without an error for who looks meanwhile and right after', async () => {
    const places = newPlaces();
    const { id } = await openManager(places).create(SLEEP);
    const lookers = Array.from({ length: 3 }, () => openManager(places));
    await Promise.all(lookers.map((looker) => looker.get(id)));
    let isOver = false;
    const rounds = lookers.map(() => 0);
    const looks = lookers.map(async (looker, number) => {
      for (; !isOver; rounds[number]!++) {
        await Promise.all([looker.list(), looker.stats(id), looker.read(id), looker.screen(id), looker.snapshot(id)]);
        expect(await looker.get(id)).toMatchObject({ status: 'active' });
        (await looker.subscribe(id)).close();
        expect(await looker.summary()).toMatchObject({ activeTerminals: 1, problems: [] });
      }
    });
    for (let round = 0; round < ROUNDS; round++) {
      await openManager(places).upgradeHosts();
      const before = [...rounds];
      await eventually(() => rounds.every((count, number) => count > before[number]! + 1));
    }
    isOver = true;
    await Promise.all(looks);
  });

  it('shows nothing of itself to a program: no descriptor, no variable, no directory', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    for (let i = 0; i < 20; i++) await manager.create(SLEEP);
    // A program that has said something is past its loader, which opens files of its own.
    const { id, pid } = await manager.create(sh('echo ready; read line'));
    await eventually(async () => (await manager.read(id)).output.includes('ready'));
    expect(readdirSync(`/proc/${pid}/fd`)).toEqual(['0', '1', '2']);
    const [host] = hostPids(places);
    expect(readlinkSync(`/proc/${host}/cwd`)).toBe('/');
    expect(readFileSync(`/proc/${host}/environ`, 'latin1')).not.toMatch(/JEST_WORKER_ID|TENACITTY_/);
    expect(readFileSync(`/proc/${host}/cmdline`, 'latin1').split('\0').slice(1, 3)).toEqual([HOST_MAIN, '']);
  });

  it('is no descendant of who started it, and in a session of its own', async () => {
    const places = newPlaces();
    await openManager(places).create(SLEEP);
    const stat = (pid: number | string) => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
    const [host] = hostPids(places);
    const [, parent, , session] = stat(host!);
    expect(parent).not.toBe(String(process.pid));
    expect(session).not.toBe(stat(process.pid)[3]);
  });

  it('that cannot start says why, with the end of its log', async () => {
    const places = newPlaces();
    const program = ['-e', 'console.error("boom"); process.exit(3)'];
    await expect(openManager(places, { hostProgram: program }).create()).rejects.toMatchObject({
      code: 'HOST_FAILED',
      message: expect.stringContaining('boom') as string,
    });
  });

  it('keeps a log that only its user can read, and that has no end without bounds', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    await manager.create(SLEEP);
    const log = logPath(places.dataDir, 0);
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(log)).mode & 0o777).toBe(0o700);
    expect(readFileSync(log, 'utf8')).toContain('Host started');
  });

  it('loads no web framework', () => {
    const { files, packages } = modulesFrom(HOST_MAIN);
    expect(files.filter((file) => /\/dist\/(http|cli|access|config)\//.test(file))).toEqual([]);
    const allowed = ['@lydell/node-pty', '@xterm/addon-unicode-graphemes', '@xterm/headless', 'pino', 're2js', 'zod'];
    expect(packages.filter((name) => !name.startsWith('node:') && !allowed.includes(name))).toEqual([]);
    expect(packages).toContain('pino');
  });
});

describe('subscriptions', () => {
  it('of fifty people to one terminal give each of them every byte', async () => {
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

  it('finish quietly when the manager is closed', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    const { id } = await manager.create(SLEEP);
    const bytes = bytesOf(manager, id);
    await eventually(async () => (await manager.get(id)).viewers === 1);
    await manager.close();
    expect(await bytes).toHaveLength(0);
  });
});

/** All that a compiled module could ever import, followed through our own files. */
function modulesFrom(entry: string): { files: string[]; packages: string[] } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
    for (const { fileName } of importedFiles) {
      if (fileName.startsWith('.')) files.add(join(dirname(file), fileName));
      else packages.add(fileName);
    }
  }
  return { files: [...files], packages: [...packages] };
}
