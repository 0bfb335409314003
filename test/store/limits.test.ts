/**
 * Tests that a history on disk stays within its limits, deletes what it is told to, and tolerates files that disappear.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { readlinkSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { StoredLine } from '../../src/history/line-buffer.js';
import { HistoryFiles } from '../../src/store/history-files.js';
import { expectHeld, expectSame, HistoryModel, plainStep, rangeOf, steps } from './history-model.js';

let root: string;
let directory: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tenacitty-limits-'));
  directory = join(root, 'history');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const SMALL = { maxBytes: 1 << 20, segmentBytes: 10_000 };

function onDisk(): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

function names(ending: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(ending))
    .sort();
}

/** Returns this process's descriptors that lead below `directory`. */
function descriptors(): number {
  const links = readdirSync('/proc/self/fd').map((fd) => fileBehind(fd));
  return links.filter((link) => link.startsWith(directory)).length;
}

function fileBehind(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // The descriptor through which the list was read.
    return '';
  }
}

async function written(model: HistoryModel, batches: number): Promise<HistoryFiles> {
  const files = HistoryFiles.create(directory, SMALL);
  for (let i = 0; i < batches; i++) await files.append(model.next(plainStep(100)));
  return files;
}

describe('the limits of a history on disk', () => {
  it('are never exceeded by more than a segment, and only the oldest data is removed', async () => {
    const limits = { maxBytes: 100_000, segmentBytes: 20_000 };
    let count = 0;
    const property = fc.asyncProperty(steps, async (all) => {
      directory = join(root, String(count++));
      const model = new HistoryModel();
      const files = HistoryFiles.create(directory, limits);
      for (const step of [...all, ...all, ...all]) {
        const lines = step.lines.map((line) => ({ ...line, text: [...line.text].slice(0, 50).join('') }));
        await files.append(model.next({ bytes: step.bytes.subarray(0, 10_000), lines }));
        expect(onDisk()).toBe(files.bytes);
        expect(files.bytes).toBeLessThanOrEqual(limits.maxBytes + limits.segmentBytes);
        expectSame(files, model);
      }
      expectSame(HistoryFiles.open(directory, limits), model);
    });
    await fc.assert(property, { numRuns: 10 });
  });

  it('make a segment a sixteenth of them, within bounds', async () => {
    const files = HistoryFiles.create(directory, { maxBytes: 16 << 20 });
    const model = new HistoryModel();
    for (let i = 0; i < 20; i++) await files.append(model.next(plainStep(2000)));
    const sizes = names('.out').map((name) => statSync(join(directory, name)).size);
    expect(sizes.length).toBe(4);
    for (const size of sizes.slice(0, -1)) expect(Math.abs(size - (1 << 20))).toBeLessThan(100_000);
  });

  it('remove whole segments, oldest first, but not the one that is written', async () => {
    const model = new HistoryModel();
    const files = await written(model, 10);
    for (let left = names('.out').length; left > 1; left--) {
      const { bytes, oldestLine } = files;
      const freed = files.dropOldest();
      expect(freed).toBeGreaterThan(SMALL.segmentBytes - 1);
      expect(files.bytes).toBe(bytes - freed);
      expect(onDisk()).toBe(files.bytes);
      expect(files.oldestLine).toBeGreaterThan(oldestLine);
      expectSame(files, model);
      expectSame(HistoryFiles.open(directory, SMALL), model);
    }
    expect(files.dropOldest()).toBe(0);
    expectSame(files, model);
  });

  it('count lines as dropped if the bytes they refer to are dropped', async () => {
    const files = HistoryFiles.create(directory, { maxBytes: 1 << 20, segmentBytes: 50 });
    const text = { start: 90, time: 1, length: null, text: 'own' };
    const span = (start: number): StoredLine => ({ start, time: 1, length: 10, text: '' });
    const append = (lines: StoredLine[]): Promise<void> =>
      files.append({
        fromLine: files.nextLine,
        fromOffset: files.outputEnd,
        output: [Buffer.alloc(100)],
        lines: rangeOf(lines),
      });
    await append([span(0)]);
    await append([span(80), text, span(95), text, span(110)]);
    expect(files.oldestLine).toBe(0);
    files.dropOldest();
    expect([files.oldestLine, files.outputStart, files.nextLine]).toEqual([4, 100, 6]);
    expect(files.line(4)).toEqual(text);
    expect(() => files.line(3)).toThrow('no longer held');
    const again = HistoryFiles.open(directory, SMALL);
    expect([again.oldestLine, again.outputStart, again.nextLine]).toEqual([4, 100, 6]);
  });
});

describe('clearing a history on disk', () => {
  it('continues with the same numbers, also in the next process', async () => {
    const model = new HistoryModel();
    const files = await written(model, 5);
    const [line, offset] = [files.nextLine + 3, files.outputEnd + 50];
    files.restart(line, offset);
    const empty = [line, line, offset, offset, 0];
    for (const store of [files, HistoryFiles.open(directory, SMALL)]) {
      expect([store.oldestLine, store.nextLine, store.outputStart, store.outputEnd, store.bytes]).toEqual(empty);
      expect(store.output(0, Infinity)).toHaveLength(0);
    }
    expect(onDisk()).toBe(0);
    const next = new HistoryModel({ line, offset });
    await files.append(next.next(plainStep(300)));
    expectSame(files, next);
    expectSame(HistoryFiles.open(directory, SMALL), next);
  });

  it('is not undone by a batch that is being written', async () => {
    const model = new HistoryModel();
    const files = await written(model, 1);
    const appended = files.append(model.next(plainStep(1000)));
    files.restart(5000, 70_000);
    await expect(appended).rejects.toThrow('restarted or removed');
    expect([files.nextLine, files.outputEnd, files.bytes, onDisk()]).toEqual([5000, 70_000, 0, 0]);
    const next = new HistoryModel({ line: 5000, offset: 70_000 });
    await files.append(next.next(plainStep(10)));
    expectSame(HistoryFiles.open(directory, SMALL), next);
  });

  it('removes the directory with everything in it', async () => {
    const files = await written(new HistoryModel(), 3);
    files.line(1);
    writeFileSync(join(directory, 'terminal.json'), '{}');
    expect(files.remove()).toBe(true);
    expect(existsSync(directory)).toBe(false);
    expect(descriptors()).toBe(0);
    expect(files.remove()).toBe(true);
  });
});

describe('the descriptors of a history on disk', () => {
  it('are two for writing and few for reading, and none when released or closed', async () => {
    const model = new HistoryModel();
    const files = await written(model, 50);
    expect(names('.out').length).toBeGreaterThan(16);
    expect(descriptors()).toBe(2);
    expectSame(files, model);
    expect(descriptors()).toBeLessThanOrEqual(2 + 32);
    files.release();
    expect(descriptors()).toBe(0);
    await files.append(model.next(plainStep(1)));
    expectSame(files, model);
    files.close();
    expect(descriptors()).toBe(0);
  });

  it('are closed after the batch that is being written', async () => {
    const model = new HistoryModel();
    const files = await written(model, 1);
    const appended = files.append(model.next(plainStep(1000)));
    files.close();
    await appended;
    expect(descriptors()).toBe(0);
    expectSame(HistoryFiles.open(directory, SMALL), model);
  });
});

describe('files removed by another program', () => {
  it.each([
    ['index is missing', '.idx', (path: string) => unlinkSync(path)],
    ['output is missing', '.out', (path: string) => unlinkSync(path)],
    ['index is cut', '.idx', (path: string) => truncateSync(path, 10)],
    ['output is cut', '.out', (path: string) => truncateSync(path, 10)],
    ['index was changed', '.idx', (path: string) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ])('fail one read if an %s, and the held part begins after them', async (_what, ending, damage) => {
    const model = new HistoryModel();
    const files = await written(model, 10);
    const all = names(ending);
    files.release();
    damage(join(directory, all[2]!));
    expect(() => expectHeld(files, model)).toThrow(expect.objectContaining({ code: 'READ_FAILED' }));
    expect(files.oldestLine).toBeGreaterThan(200);
    expect(names(ending)).toEqual(all.slice(3));
    expectSame(files, model);
    await files.append(model.next(plainStep(100)));
    expectSame(files, model);
  });

  it('do not stop the history if it is the segment that is written', async () => {
    const model = new HistoryModel();
    const files = await written(model, 10);
    for (const name of names('')) unlinkSync(join(directory, name));
    await files.append(model.next(plainStep(100)));
    expect(files.oldestLine).toBeGreaterThanOrEqual(1000);
    expectSame(files, model);
    expectSame(HistoryFiles.open(directory, SMALL), model);
  });

  it('make an append fail if the directory was removed, until it exists again', async () => {
    const model = new HistoryModel();
    const files = await written(model, 10);
    rmSync(directory, { recursive: true });
    const batch = model.next(plainStep(100));
    await expect(files.append(batch)).rejects.toThrow('ENOENT');
    expect([files.nextLine, files.outputEnd]).toEqual([batch.fromLine, batch.fromOffset]);
    HistoryFiles.create(directory, SMALL);
    await files.append(batch);
    expectSame(files, model);
  });
});
