/** Tests the times of a terminal's output after its process has ended: read from disk or, if there are none, of lines. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalTerminalManager } from '../../src/terminal/terminal-manager.js';
import { run, startEngine, stopEngines } from './engine-under-test.js';
import { castOf, played } from './played.js';

const LONG = { timeoutMs: 60_000 };

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'tenacitty-track-'))));
afterEach(async () => {
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

async function reopened(manager: LocalTerminalManager): Promise<LocalTerminalManager> {
  await manager.shutdown();
  const next = startEngine({ historyDir: directory });
  await next.recover();
  return next;
}

/** Returns a terminal that has printed two lines, at different times and on screens of different sizes. */
async function resizedBetweenLines(manager: LocalTerminalManager): Promise<string> {
  const { id } = await run(manager, 'sh', '-c', 'stty -echo; echo one; read line; echo two');
  await manager.wait(id, { text: 'one\n', fromOffset: 0, ...LONG });
  await manager.wait(id, { idleMs: 100, ...LONG });
  await manager.resize(id, { cols: 60, rows: 10 });
  await manager.write(id, { input: '\n' });
  await manager.wait(id, LONG);
  return id;
}

it('is the same in the next process', async () => {
  const manager = startEngine({ historyDir: directory });
  const id = await resizedBetweenLines(manager);
  const before = { track: await manager.track(id), cast: await castOf(manager, id) };
  expect(before.track.timing).toBe('reads');
  const next = await reopened(manager);
  expect(await next.track(id)).toEqual(before.track);
  expect(await castOf(next, id)).toEqual(before.cast);
});

it('is that of the lines for a history without a track, and says so', async () => {
  const manager = startEngine({ historyDir: directory });
  const id = await resizedBetweenLines(manager);
  const { points } = await manager.track(id);
  await manager.shutdown();
  rmSync(join(directory, id, 'track.v1'));
  const next = await reopened(manager);
  const page = await next.track(id);
  expect(page).toMatchObject({ timing: 'lines', nextOffset: null, sizes: [{ cols: 60, rows: 10 }] });
  expect(page.points).toEqual([points.find(([offset]) => offset === 0), points.find(([offset]) => offset === 5)]);
  const cast = await castOf(next, id);
  expect(cast.header.tenacitty.timing).toBe('lines');
  expect(played(cast).lines.slice(0, 2)).toEqual(['one', 'two']);
});
