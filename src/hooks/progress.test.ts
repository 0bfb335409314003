/** Tests how the progress of hooks is saved: less often than it changes, and for one hook at a time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../test/eventually.js';
import { writeRecord } from '../store/record-file.js';
import { Progress, savedState, Saves } from './progress.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tenacitty-progress-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const fail = (error: unknown) => {
  throw error;
};

it('is saved one at a time, and once for all changes meanwhile', async () => {
  let [underWay, most, writes] = [0, 0, 0];
  const open: (() => void)[] = [];
  const saves = new Saves(async (path, value) => {
    [underWay, writes] = [underWay + 1, writes + 1];
    most = Math.max(most, underWay);
    await new Promise<void>((resolve) => open.push(resolve));
    await writeRecord(path, value);
    underWay--;
  });
  const all = Array.from({ length: 5 }, (_, at) => new Progress(join(folder, String(at)), fail, saves));
  for (const progress of all) progress.changed();
  for (let change = 0; change < 100; change++) {
    await eventually(() => open.length > 0);
    for (const progress of all) {
      progress.record.delivered++;
      progress.changed();
    }
    if (change % 10 === 0) open.shift()!();
  }
  saves.finish();
  let isSaved = false;
  void Promise.all(all.map((progress) => progress.save())).then(() => (isSaved = true));
  while (!isSaved) {
    await eventually(() => isSaved || open.length > 0);
    open.shift()?.();
  }
  expect(most).toBe(1);
  expect(writes).toBeLessThan(25);
  for (let at = 0; at < all.length; at++) expect(savedState(join(folder, String(at))).delivered).toBe(100);
});
