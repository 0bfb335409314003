/** Tests the track of a terminal on disk: what is read back, also after a crash, and how large it gets. */
import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrackFile } from '../../src/store/track-file.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tenacitty-track-'));
  path = join(directory, 'track');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('returns what was added, in this process and in the next', async () => {
  const file = new TrackFile(path);
  file.add(0, 1_700_000_000_000);
  file.add(2 ** 40, 1_700_000_000_005);
  file.add(2 ** 40, 1_700_000_000_006, { cols: 80, rows: 24 });
  const state = {
    points: [
      [0, 1_700_000_000_000],
      [2 ** 40, 1_700_000_000_005],
    ],
    sizes: [{ offset: 2 ** 40, time: 1_700_000_000_006, cols: 80, rows: 24 }],
  };
  expect(await file.read()).toEqual(state);
  expect(await new TrackFile(path).read()).toEqual(state);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('continues after an entry that was cut off', async () => {
  const first = new TrackFile(path);
  for (let i = 0; i < 3; i++) first.add(i, i);
  await first.flush();
  truncateSync(path, statSync(path).size - 7);
  expect((await new TrackFile(path).read()).points).toEqual([
    [0, 0],
    [1, 1],
  ]);
  const second = new TrackFile(path);
  second.add(5, 5);
  expect((await second.read()).points).toEqual([
    [0, 0],
    [1, 1],
    [5, 5],
  ]);
});

it('drops the older half when it becomes too large', async () => {
  const file = new TrackFile(path);
  file.add(0, 0);
  await file.flush();
  appendFileSync(path, Buffer.alloc(199_999 * 20));
  const next = new TrackFile(path);
  next.add(7, 7);
  const { points } = await next.read();
  expect([points.length, points.at(-1)]).toEqual([100_001, [7, 7]]);
});

it('is empty if there is no file, and neither fails nor accumulates if there is no directory', async () => {
  const file = new TrackFile(join(directory, 'gone', 'track'));
  file.add(0, 0);
  await file.flush();
  expect(await file.read()).toEqual({ points: [], sizes: [] });
});
