/**
 * Tests the host process: one per slot, found whatever happens to its files, with nothing of itself visible to
 * programs.
 */
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
import ts from 'typescript';
import { hostDirectory, logPath, socketPath } from '../../src/host/runtime-directory.js';
import { endHosts, HOST_MAIN, hostPids, isRunning, newPlaces, openManager, untilGone } from './host-under-test.js';
import { codeOf, sourcesOf } from '../build.js';
import { eventually } from '../eventually.js';
import { runs } from '../deep.js';

const ROUNDS = runs({ normal: 2, deep: 5 });
const SLEEP = { command: 'sleep', args: ['1000'] };
const sh = (script: string) => ({ command: '/bin/sh', args: ['-c', script] });

afterEach(endHosts);

/**
 * Creates something where nothing is, although another process may fill the place at any time; returns whether that
 * succeeded.
 */
function isMade(make: () => void, makeRoom: () => void): boolean {
  makeRoom();
  try {
    make();
    return true;
  } catch {
    return false;
  }
}

describe('a host', () => {
  it.each(Array.from({ length: 2 * ROUNDS }, (_, i) => [i]))('is unique even if two start at once (%i)', async () => {
    const places = newPlaces();
    const both = [openManager(places), openManager(places)];
    const created = await Promise.all(both.map((manager) => manager.create(SLEEP)));
    expect(hostPids(places)).toHaveLength(1);
    for (const manager of both) expect(await manager.list()).toHaveLength(2);
    expect(new Set(created.map(({ id }) => id)).size).toBe(2);
  });

  it('exits when it is no longer needed, and not before', async () => {
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

  it('creates its socket again after a cleanup job has removed it', async () => {
    const places = newPlaces();
    const manager = openManager(places, { idleExitMs: 1000 });
    const { id } = await manager.create(SLEEP);
    await manager.close();
    // The host may be creating its socket at this moment.
    rmSync(hostDirectory(places), { recursive: true, maxRetries: 5 });
    await eventually(() => statSync(socketPath(hostDirectory(places), 0), { throwIfNoEntry: false }) !== undefined);
    expect((await openManager(places).list()).map((terminal) => terminal.id)).toEqual([id]);
  });

  it('creates its socket again if something else has its path; a directory is reported until it is removed', async () => {
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
    // A socket, but not the host's.
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
    await eventually(() => readFileSync(logPath(places.dataDir, 0), 'utf8').includes('is a directory; remove it'));
    rmdirSync(path);
    await eventually(isSocket);
    expect((await openManager(places).list()).map((terminal) => terminal.id)).toEqual([id]);
  });

  it.each(Array.from({ length: ROUNDS }, (_, i) => [i]))(
    'is waited for and not replaced if the runtime directory is removed and a client connects immediately (%i)',
    async () => {
      const places = newPlaces();
      const manager = openManager(places, { maxHostTerminals: 1 });
      const ids = [(await manager.create(SLEEP)).id, (await manager.create(SLEEP)).id];
      const hosts = hostPids(places);
      expect(hosts).toHaveLength(2);
      await manager.close();
      rmSync(places.runtimeDir, { recursive: true, maxRetries: 5 });
      // Several at once, as from several commands: each finds both.
      const lists = await Promise.all([1, 2, 3].map(() => openManager(places).list()));
      for (const list of lists) expect(list.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(hostPids(places)).toEqual(hosts);
      expect(await openManager(places).get(ids[0]!)).toMatchObject({ status: 'active' });
    },
  );

  it('is found with another runtime directory and the same data directory', async () => {
    const places = newPlaces();
    const { id } = await openManager(places).create(SLEEP);
    const elsewhere = { ...places, runtimeDir: join(places.root, 'run-of-cron') };
    const other = openManager(elsewhere);
    expect(await other.get(id)).toMatchObject({ status: 'active' });
    const second = await other.create(SLEEP);
    expect((await openManager(places).list()).map((one) => one.id)).toEqual([id, second.id]);
    expect(hostPids(places)).toHaveLength(1);
  });

  it('that is stopped, without its socket, is reported as not answering', async () => {
    const places = newPlaces();
    const { id } = await openManager(places).create(SLEEP);
    const [pid] = hostPids(places);
    process.kill(pid!, 'SIGSTOP');
    rmSync(places.runtimeDir, { recursive: true });
    const manager = openManager(places, { startTimeoutMs: 300 });
    await expect(manager.get(id)).rejects.toMatchObject({ code: 'HOST_UNRESPONSIVE' });
    expect((await manager.summary()).problems).toEqual([
      expect.stringContaining(`process ${pid} owns the host’s slot`),
    ]);
    process.kill(pid!, 'SIGCONT');
    expect(await openManager(places).get(id)).toMatchObject({ status: 'active' });
    expect(hostPids(places)).toEqual([pid]);
  });

  it.each(Array.from({ length: ROUNDS }, (_, i) => [i]))(
    'hands its terminals over after its data directory was removed (%i)',
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

  it('is replaced by its successor without an error for clients during and right after the hand-off', async () => {
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

  it('exposes nothing of itself to a program: no descriptor, no variable, no directory', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    for (let i = 0; i < 20; i++) await manager.create(SLEEP);
    // A program that has printed something has finished loading, during which its loader opens files.
    const { id, pid } = await manager.create(sh('echo ready; read line'));
    await eventually(async () => (await manager.read(id)).output.includes('ready'));
    expect(readdirSync(`/proc/${pid}/fd`)).toEqual(['0', '1', '2']);
    const [host] = hostPids(places);
    expect(readlinkSync(`/proc/${host}/cwd`)).toBe('/');
    expect(readFileSync(`/proc/${host}/environ`, 'latin1')).not.toMatch(/JEST_WORKER_ID|TENACITTY_/);
    expect(readFileSync(`/proc/${host}/cmdline`, 'latin1').split('\0').slice(1, 3)).toEqual([HOST_MAIN, '']);
  });

  it('is not a descendant of the process that started it, and has its own session', async () => {
    const places = newPlaces();
    await openManager(places).create(SLEEP);
    const stat = (pid: number | string) => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
    const [host] = hostPids(places);
    const [, parent, , session] = stat(host!);
    expect(parent).not.toBe(String(process.pid));
    expect(session).not.toBe(stat(process.pid)[3]);
  });

  it('that cannot start reports the reason, with the end of its log', async () => {
    const places = newPlaces();
    const program = ['-e', 'console.error("boom"); process.exit(3)'];
    await expect(openManager(places, { hostProgram: program }).create()).rejects.toMatchObject({
      code: 'HOST_FAILED',
      message: expect.stringContaining('boom') as string,
    });
  });

  it('keeps a log of limited size that only its user can read', async () => {
    const places = newPlaces();
    const manager = openManager(places);
    await manager.create(SLEEP);
    const log = logPath(places.dataDir, 0);
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(log)).mode & 0o777).toBe(0o700);
    expect(readFileSync(log, 'utf8')).toContain('Host process started');
  });

  it('loads no web framework', () => {
    const { sources, packages } = modulesFrom(codeOf(HOST_MAIN));
    expect(sources.some((path) => path.endsWith('/src/terminal/terminal.ts'))).toBe(true);
    expect(sources.filter((path) => /\/src\/(http|cli|access|config)\//.test(path))).toEqual([]);
    const foreign = ['express', 'ws', '@modelcontextprotocol/server', '@agentclientprotocol/sdk', 'jsonc-parser'];
    expect(packages.filter((name) => foreign.includes(name))).toEqual([]);
    expect(packages).toContain('pino');
  });
});

/**
 * Returns all sources and packages that a compiled module can load, followed through the files of the build and their
 * source maps. Coverage reporters are imported by URL.
 */
function modulesFrom(entry: string): { sources: string[]; packages: string[] } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  const sources = new Set<string>();
  for (const file of files) {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
    for (const { fileName } of importedFiles) {
      if (fileName.startsWith('.')) files.add(join(dirname(file), fileName));
      else if (!fileName.startsWith('file:')) packages.add(fileName);
    }
    for (const source of sourcesOf(file)) {
      const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
      if (name === undefined) sources.add(source);
      else packages.add(name);
    }
  }
  return { sources: [...sources], packages: [...packages] };
}
