/** One owner for each slot, whoever starts when and dies where: by real processes that race for it. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock, isAlive, liveOwner, readLock } from '../../src/host/lock.js';
import { prepareHostDirectory } from '../../src/host/runtime-directory.js';
import { startTimeOf } from '../../src/terminal/process-table.js';
import { endHosts, HOST_MAIN, newPlaces } from './host-under-test.js';

const LOCK_MODULE = join(HOST_MAIN, '..', 'lock.js');
/** Waits for the start signal, tries once, says how it went, and stays until its stdin ends. */
const STARTER = `
  const { acquireLock } = await import(${JSON.stringify(LOCK_MODULE)});
  process.stdout.write('ready\\n');
  process.stdin.once('data', () => {
    const lock = acquireLock(process.argv[1], 0);
    process.stdout.write(lock === null ? 'lost\\n' : 'won ' + lock.generation + '\\n');
  });
  process.stdin.on('end', () => process.exit());
`;
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

/** A process that is ready to race. */
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

/** Lets all try at once; the one that won, and what each said. */
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
  it(`goes to exactly one of ${STARTERS} who want it at once, and to one of the next when that one is killed`, async () => {
    const directory = prepareHostDirectory(newPlaces());
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

  it('goes to one only, though others die in the middle of it', async () => {
    const directory = prepareHostDirectory(newPlaces());
    for (let round = 0; round < ROUNDS; round++) {
      const all = await startersFor(directory, STARTERS / 2);
      for (const { child } of all) child.stdin!.write('go');
      // These die wherever they are by now.
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

  it('is free when its owner’s number is another process’s by now, or the machine was restarted', () => {
    const directory = prepareHostDirectory(newPlaces());
    const self = acquireLock(directory, 0)!;
    const { owner } = readLock(directory, 0)!;
    expect(isAlive(owner)).toBe(true);
    expect(isAlive({ ...owner, startTime: owner.startTime! - 1 })).toBe(false);
    expect(isAlive({ ...owner, bootId: 'another' })).toBe(false);
    writeFileSync(join(directory, 'host-1.lock.7'), JSON.stringify({ ...owner, startTime: owner.startTime! - 1 }));
    expect(acquireLock(directory, 1)?.generation).toBe(8);
    expect(acquireLock(directory, 0)?.generation).toBe(self.generation);
  });

  it('is free when its lock says nothing that makes sense', () => {
    const directory = prepareHostDirectory(newPlaces());
    writeFileSync(join(directory, 'host-0.lock.3'), '{"pid":');
    expect(acquireLock(directory, 0)?.generation).toBe(4);
    expect(readdirSync(directory)).toEqual(['host-0.lock.4']);
  });

  it('can be passed on to another process, which finds it its own', async () => {
    const directory = prepareHostDirectory(newPlaces());
    const lock = acquireLock(directory, 0)!;
    const next = await starter(directory);
    expect(lock.passTo(next.child.pid!)).toBe(true);
    expect(liveOwner(directory, 0)).toMatchObject({ pid: next.child.pid, startTime: startTimeOf(next.child.pid!) });
    expect(acquireLock(directory, 0)).toBeNull();
    expect(lock.keep()).toBe(false);
    expect((await race([next])).said).toEqual(['won 2']);
    expect(readdirSync(directory)).toEqual(['host-0.lock.2']);
  });

  it('cannot be passed on to a process that is not there', () => {
    const directory = prepareHostDirectory(newPlaces());
    expect(acquireLock(directory, 0)!.passTo(2 ** 22 + 1)).toBe(false);
  });

  it('stays its owner’s when a tidy-up has taken the lock away', () => {
    const directory = prepareHostDirectory(newPlaces());
    const lock = acquireLock(directory, 0)!;
    rmSync(join(directory, 'host-0.lock.1'));
    expect(lock.keep()).toBe(true);
    expect(liveOwner(directory, 0)?.pid).toBe(process.pid);
  });
});
