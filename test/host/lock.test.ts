/**
 * Tests that each slot has one owner, whenever processes start and wherever they die: with real processes that race for
 * it.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock, isAlive, liveOwner, readLock } from '../../src/host/lock.js';
import { lockDirectory, ownedSlots, ownerOf, claimSlot, prepareLockDirectory } from '../../src/host/ownership.js';
import { startTimeOf } from '../../src/processes/process-table.js';
import { endHosts, HOST_MAIN, newPlaces } from './host-under-test.js';

const LOCK_MODULE = join(HOST_MAIN, '..', 'lock.js');
/** Waits for the start signal, tries once, prints the result, and runs until its stdin ends. */
const STARTER = `
  const { acquireLock } = await import(${JSON.stringify(LOCK_MODULE)});
  process.stdout.write('ready\\n');
  process.stdin.once('data', () => {
    const lock = acquireLock(process.argv[1], 0, '/run/of/its/own');
    process.stdout.write(lock === null ? 'lost\\n' : 'won ' + lock.generation + '\\n');
  });
  process.stdin.on('end', () => process.exit());
`;
/** The socket's location according to an owner. */
const RUN = '/run/somewhere';
const STARTERS = 20;
const ROUNDS = 5;

const starters: ChildProcess[] = [];
afterEach(async () => {
  const ended = starters.splice(0).map(async (child) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  await Promise.all(ended);
  await endHosts();
});

interface Starter {
  readonly child: ChildProcess;
  says(): Promise<string>;
}

/** Starts a process that is ready to race. */
async function starter(directory: string): Promise<Starter> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', STARTER, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  starters.push(child);
  const lines: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const says = async (): Promise<string> => String((await lines.next()).value).trim();
  expect(await says()).toBe('ready');
  return { child, says };
}

/** Lets all try at once; returns the winner and the output of each. */
async function race(all: readonly Starter[]): Promise<{ winner: Starter; said: string[] }> {
  for (const { child } of all) child.stdin!.write('go');
  const said = await Promise.all(all.map((one) => one.says()));
  return { winner: all[said.findIndex((text) => text.startsWith('won'))]!, said };
}

async function startersFor(directory: string, count: number): Promise<Starter[]> {
  return Promise.all(Array.from({ length: count }, () => starter(directory)));
}

async function kill({ child }: Starter): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('a slot', () => {
  it(`is given to exactly one of ${STARTERS} concurrent processes, and again to one when that one is killed`, async () => {
    const directory = prepareLockDirectory(newPlaces());
    let all = await startersFor(directory, STARTERS);
    for (let round = 1; round <= ROUNDS; round++) {
      const { winner, said } = await race(all);
      expect(said.toSorted()).toEqual([...Array<string>(all.length - 1).fill('lost'), `won ${round}`]);
      expect(liveOwner(directory, 0)?.pid).toBe(winner.child.pid);
      expect(readdirSync(directory)).toEqual([`host-0.lock.${round}`]);
      await kill(winner);
      const losers = all.filter((one) => one !== winner).slice(0, STARTERS / 2);
      await Promise.all(losers.map(kill));
      all = await startersFor(directory, STARTERS / 2);
    }
  }, 120_000);

  it('is given to only one, even if others die while they try', async () => {
    const directory = prepareLockDirectory(newPlaces());
    for (let round = 0; round < ROUNDS; round++) {
      const all = await startersFor(directory, STARTERS / 2);
      for (const { child } of all) child.stdin!.write('go');
      // These are killed wherever they are by now.
      const doomed = all.slice(0, STARTERS / 4);
      await Promise.all(doomed.map(kill));
      await Promise.all(all.slice(STARTERS / 4).map((one) => one.says()));
      const late = await starter(directory);
      const { said } = await race([late]);
      const owner = liveOwner(directory, 0)!;
      expect(all.concat(late).map(({ child }) => child.pid)).toContain(owner.pid);
      expect(said[0]!.startsWith('won')).toBe(owner.pid === late.child.pid);
      for (const one of [...all.slice(STARTERS / 4), late]) await kill(one);
      expect(liveOwner(directory, 0)).toBeNull();
    }
  }, 120_000);

  it('is free if the pid of its owner was reused', () => {
    const directory = prepareLockDirectory(newPlaces());
    const self = acquireLock(directory, 0, RUN)!;
    const { owner } = readLock(directory, 0)!;
    expect(owner).toEqual({ pid: process.pid, startTime: startTimeOf(process.pid), runtimeDir: RUN });
    expect(isAlive(owner)).toBe(true);
    expect(isAlive({ ...owner, startTime: owner.startTime! - 1 })).toBe(false);
    symlinkSync(`${process.pid}:${owner.startTime! - 1}:${RUN}`, join(directory, 'host-1.lock.7'));
    expect(acquireLock(directory, 1, RUN)?.generation).toBe(8);
    expect(acquireLock(directory, 0, RUN)?.generation).toBe(self.generation);
  });

  it.each([
    ['a file', (path: string) => writeFileSync(path, '{"pid":')],
    ['a link of another program', (path: string) => symlinkSync('/somewhere/else', path)],
  ])('is free if its lock is %s, which is not valid', (_what, spoil) => {
    const directory = prepareLockDirectory(newPlaces());
    spoil(join(directory, 'host-0.lock.3'));
    expect(acquireLock(directory, 0, RUN)?.generation).toBe(4);
    expect(readdirSync(directory)).toEqual(['host-0.lock.4']);
  });

  it('can be passed on to another process, which then owns it', async () => {
    const directory = prepareLockDirectory(newPlaces());
    const lock = acquireLock(directory, 0, RUN)!;
    const next = await starter(directory);
    expect(lock.passTo(next.child.pid!)).toBe(true);
    expect(liveOwner(directory, 0)).toMatchObject({ pid: next.child.pid, startTime: startTimeOf(next.child.pid!) });
    expect(acquireLock(directory, 0, RUN)).toBeNull();
    expect(lock.keep()).toBe(false);
    expect((await race([next])).said).toEqual(['won 2']);
    expect(readdirSync(directory)).toEqual(['host-0.lock.2']);
  });

  it('cannot be passed on to a process that does not exist', () => {
    const directory = prepareLockDirectory(newPlaces());
    expect(acquireLock(directory, 0, RUN)!.passTo(2 ** 22 + 1)).toBe(false);
  });

  it('keeps its owner if a cleanup job has removed the lock', () => {
    const directory = prepareLockDirectory(newPlaces());
    const lock = acquireLock(directory, 0, RUN)!;
    rmSync(join(directory, 'host-0.lock.1'));
    expect(lock.keep()).toBe(true);
    expect(liveOwner(directory, 0)?.pid).toBe(process.pid);
  });
});

describe('a data directory', () => {
  it('has the locks of this boot in a directory for its user only; locks of other boots do not apply here', () => {
    const places = newPlaces();
    const other = join(places.dataDir, 'hosts', 'ffffffffffff');
    mkdirSync(other, { recursive: true, mode: 0o700 });
    symlinkSync(`${process.pid}:${startTimeOf(process.pid)}:${RUN}`, join(other, 'host-0.lock.5'));
    expect(ownerOf(places, 0)).toBeNull();
    expect(ownedSlots(places)).toEqual([]);
    expect(claimSlot(places, 0)?.generation).toBe(1);
    expect(ownedSlots(places)).toEqual([0]);
    expect(statSync(lockDirectory(places)).mode & 0o777).toBe(0o700);
    expect(readdirSync(other)).toEqual(['host-0.lock.5']);
  });

  it('loses the locks of boots long ago, and nothing else', () => {
    const places = newPlaces();
    const directory = prepareLockDirectory(places);
    const hosts = join(directory, '..');
    for (const name of ['ffffffffffff', 'notes']) mkdirSync(join(hosts, name));
    const longAgo = new Date(Date.now() - 31 * 86_400_000);
    for (const name of readdirSync(hosts)) utimesSync(join(hosts, name), longAgo, longAgo);
    const lock = claimSlot(places, 0)!;
    expect(readdirSync(hosts).sort()).toEqual([directory.slice(-12), 'notes'].sort());
    utimesSync(directory, longAgo, longAgo);
    expect(lock.keep()).toBe(true);
    expect(Date.now() - statSync(directory).mtimeMs).toBeLessThan(3_600_000);
  });
});
