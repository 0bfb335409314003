/**
 * Tests the limits on disk usage of all terminals together: by age and in total, with ended terminals removed first.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enforceDiskLimits } from '../../src/terminal/disk-limits.js';
import type { BaseTerminal } from '../../src/terminal/base-terminal.js';
import { DEFAULT_ENGINE_OPTIONS } from '../../src/contract/options.js';
import { readPastTerminals } from '../../src/terminal/past-terminal.js';
import { eventsUntil, run, startEngine, stopEngines } from './engine-under-test.js';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'tenacitty-bounds-'))));
afterEach(async () => {
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

/** Creates terminals of an earlier process, oldest first, with the given numbers of lines. */
async function pastTerminals(...lines: number[]): Promise<BaseTerminal[]> {
  const manager = startEngine({ historyDir: directory });
  for (const count of lines) {
    const { id } = await run(manager, 'seq', '1', String(count));
    await eventsUntil(await manager.subscribe(id, 0), (event) => event.type === 'end');
  }
  await manager.shutdown();
  return readPastTerminals(directory, DEFAULT_ENGINE_OPTIONS);
}

async function keptWithin(
  terminals: BaseTerminal[],
  limits: { total?: number; ageMs?: number; now?: number },
): Promise<string[]> {
  const kept = new Set(terminals);
  const options = {
    ...{ ...DEFAULT_ENGINE_OPTIONS, historyDir: directory },
    ...{ maxDiskBytesTotal: limits.total ?? Infinity, maxDiskAgeMs: limits.ageMs ?? 0 },
  };
  const forget = (terminal: BaseTerminal): void => {
    terminal.remove();
    kept.delete(terminal);
  };
  await enforceDiskLimits(terminals, options, forget, limits.now);
  return [...kept].map(({ id }) => id);
}

it('leaves terminals within the limits unchanged', async () => {
  const terminals = await pastTerminals(10, 1000);
  expect(await keptWithin(terminals, { total: 1 << 20, ageMs: 60_000 })).toHaveLength(2);
});

it('removes terminals that ended too long ago', async () => {
  const [first, second] = await pastTerminals(10, 10);
  const now = second!.endedAt! + 1000;
  expect(await keptWithin([first!, second!], { ageMs: 1000, now })).toEqual([second!.id]);
  expect(readPastTerminals(directory, DEFAULT_ENGINE_OPTIONS).map(({ id }) => id)).toEqual([second!.id]);
});

it('drops the oldest history above the total limit', async () => {
  const terminals = await pastTerminals(50_000, 50_000, 50_000);
  const each = terminals[0]!.diskBytes;
  expect(await keptWithin(terminals, { total: each * 1.5 })).toEqual([terminals[2]!.id]);
});
