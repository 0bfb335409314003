/**
 * Tests a host whose disk fills up while many of its programs write: the programs continue, the state is reported, and
 * nothing crashes. Once there is room, everything is saved again and is found, together with what was saved before,
 * after the host was killed.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TerminalStats } from '../../src/contract/output.js';
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { readUntil } from '../engine/engine-under-test.js';
import { endHosts, hostPids, murder, newPlaces, openManager } from '../host/host-under-test.js';
import type { Places } from '../host/host-under-test.js';
import { underLoad } from './load.js';
import { FAULT_RUNS, FAULT_TIMEOUT_MS } from './runs.js';
import { eventually } from '../eventually.js';

const DISK_KIB = 4096;
/** More than the disk can hold in total, less than one terminal's memory limit. */
const LINES = 100_000;
/** While there is room. */
const LINES_BEFORE = 200;

let places: Places;
let manager: RemoteTerminalManager;
underLoad();
beforeEach(() => {
  places = newPlaces();
  mkdirSync(places.dataDir, { mode: 0o700 });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_KIB}k,mode=700`, 'tmpfs', places.dataDir]);
  manager = openManager(places);
});
afterEach(async () => {
  const { dataDir } = places;
  for (const pid of hostPids(places)) await murder(pid);
  execFileSync('umount', [dataDir]);
  await endHosts();
});

const historyOf = async (id: string): Promise<TerminalStats['history']> => (await manager.stats(id)).history;

it(
  'does not block programs, is reported, and is used again when there is space',
  async () => {
    const filler = join(places.dataDir, 'filler');
    const script = 'while read word lines; do seq 1 "$lines"; echo "$word."; done';
    const ids: string[] = [];
    for (let run = 0; run < FAULT_RUNS; run++) {
      ids.push((await manager.create({ command: 'sh', args: ['-c', script] })).id);
    }
    const hosts = hostPids(places);
    await Promise.all(ids.map((id) => flood(id, 'before', LINES_BEFORE)));
    for (const id of ids) await eventually(async () => (await historyOf(id)).savedLines >= LINES_BEFORE / 2);
    fill(filler);
    await Promise.all(ids.map((id) => flood(id, 'full', LINES)));
    for (const id of ids) {
      await eventually(async () => (await historyOf(id)).state === 'degraded');
      expect(await historyOf(id)).toMatchObject({ state: 'degraded', reason: expect.stringMatching(/ENOSPC/) });
    }
    rmSync(filler);
    await Promise.all(ids.map(untilSaved));
    expect(hostPids(places)).toEqual(hosts);
    for (const pid of hosts) await murder(pid);
    for (const { status } of await manager.list()) expect(status).toBe('lost');
    for (const id of ids) {
      expect((await manager.read(id, { mode: 'tail' })).output).toContain('full.');
      // What was saved before is not sacrificed for later output.
      const first = Array.from({ length: LINES_BEFORE / 2 }, (_, i) => `${i + 1}\n`).join('');
      expect((await manager.read(id, { since: 1, maxLines: LINES_BEFORE })).output.startsWith(first)).toBe(true);
    }
  },
  FAULT_TIMEOUT_MS,
);

async function flood(id: string, word: string, lines: number): Promise<void> {
  await manager.write(id, { input: `${word} ${lines}` });
  await readUntil(manager, id, (text) => text.includes(`\n${word}.`));
}

/** Types now and then, as a person would, until no problem is reported any more. */
async function untilSaved(id: string): Promise<void> {
  for (;;) {
    const { cursor } = await manager.read(id, { mode: 'tail' });
    const { state } = await historyOf(id);
    if (state === 'ok') break;
    await manager.read(id, { cursor, timeoutMs: 500 });
  }
}

function fill(path: string): void {
  try {
    writeFileSync(path, Buffer.alloc(DISK_KIB * 1024));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
