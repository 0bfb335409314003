/** Tests that what is appended to a history on disk is read back, by this process and by the next. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { HistoryFiles } from '../../src/store/history-files.js';
import { expectHeld, expectSame, HistoryModel, plainStep, rangeOf, steps } from './history-model.js';

let root: string;
let count = 0;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'tenacitty-store-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const LIMITS = { maxBytes: 1 << 30 };

describe('a history on disk', () => {
  it('returns what was appended, before and after it is opened again, whatever the segments', async () => {
    const from = fc.constantFrom({ line: 0, offset: 0 }, { line: 7, offset: 2 ** 40 + 1 });
    const segmentBytes = fc.constantFrom(1, 1000, 20_000, 1 << 20);
    const property = fc.asyncProperty(steps, from, segmentBytes, fc.nat(), async (all, start, bytes, reopenAt) => {
      const limits = { ...LIMITS, segmentBytes: bytes };
      const directory = join(root, String(count++));
      const model = new HistoryModel(start);
      let files = HistoryFiles.create(directory, limits, start);
      for (const [i, step] of all.entries()) {
        await files.append(model.next(step));
        expectSame(files, model);
        if (i !== reopenAt % all.length) continue;
        files.close();
        files = HistoryFiles.open(directory, limits);
        expectSame(files, model);
      }
      files.close();
      expectSame(HistoryFiles.open(directory, limits), model);
      rmSync(directory, { recursive: true });
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it('returns any range of bytes, clamped to what is held', async () => {
    const files = HistoryFiles.create(join(root, 'a'), { ...LIMITS, segmentBytes: 500 }, { line: 0, offset: 100 });
    const model = new HistoryModel({ line: 0, offset: 100 });
    for (let i = 0; i < 20; i++) await files.append(model.next(plainStep(3)));
    const ends = fc.integer({ min: 0, max: model.end + 200 });
    fc.assert(
      fc.property(ends, ends, (from, to) => {
        const [first, last] = [Math.max(from, 100), Math.min(to, model.end)];
        const expected = first < last ? model.bytes(first, last) : Buffer.alloc(0);
        expect(files.output(from, to).equals(expected)).toBe(true);
      }),
    );
  });

  it('continues after data that could not be appended, keeps what was before, and reports the gap', async () => {
    const directory = join(root, 'a');
    const files = HistoryFiles.create(directory, LIMITS);
    const model = new HistoryModel();
    await files.append(model.next(plainStep(500)));
    const { nextLine: from, end } = model;
    model.next(plainStep(300));
    files.skipTo(model.nextLine, model.end);
    const hole = { from, to: model.nextLine };
    await files.append(model.next(plainStep(500)));
    for (const one of [files, HistoryFiles.open(directory, LIMITS)]) {
      expect({ lines: one.lostLines, bytes: one.lostOutput[0]!.from }).toEqual({ lines: [hole], bytes: end });
      expect([one.oldestLine, one.nextLine, one.outputEnd]).toEqual([0, model.nextLine, model.end]);
      expectHeld(one, model);
      one.close();
    }
  });

  it('does not depend on memory that is reused while the disk is busy', async () => {
    const files = HistoryFiles.create(join(root, 'a'), LIMITS);
    const ring = Buffer.alloc(300_000, 'tenacitty');
    const appended = files.append({ fromLine: 0, lines: rangeOf([]), fromOffset: 0, output: [ring] });
    ring.fill(0);
    await appended;
    expect(files.output(0, Infinity).equals(Buffer.alloc(300_000, 'tenacitty'))).toBe(true);
  });

  it('shows a batch to readers when all of it is written, not before', async () => {
    const files = HistoryFiles.create(join(root, 'a'), { ...LIMITS, segmentBytes: 1000 });
    const model = new HistoryModel();
    const appended = files.append(model.next(plainStep(100)));
    expect([files.nextLine, files.outputEnd, files.bytes]).toEqual([0, 0, 0]);
    await appended;
    expectSame(files, model);
  });

  it('refuses a batch that does not continue the last one, and two at once', async () => {
    const files = HistoryFiles.create(join(root, 'a'), LIMITS);
    const model = new HistoryModel();
    const first = model.next(plainStep(2));
    const appended = files.append(first);
    await expect(files.append(first)).rejects.toThrow('in progress');
    await appended;
    await expect(files.append(first)).rejects.toThrow('continues at line 2');
    const beyond = {
      ...model.next({ bytes: Buffer.from('ab'), lines: [] }),
      lines: rangeOf([{ ...model.line(0), length: 999 }]),
    };
    await expect(files.append(beyond)).rejects.toThrow('span');
    files.close();
    files.close();
    await expect(files.append(first)).rejects.toThrow('closed');
    expect(files.line(1)).toEqual(model.line(1));
  });

  it('knows the time of its oldest lines', async () => {
    const files = HistoryFiles.create(join(root, 'a'), { ...LIMITS, segmentBytes: 100 });
    expect(files.oldestSegmentTime).toBeNull();
    const model = new HistoryModel();
    const lines = [10, 20, 30].map((elapsedMs) => ({ span: 80, gap: 0, text: '', elapsedMs }));
    for (const line of lines) await files.append(model.next({ bytes: Buffer.alloc(100), lines: [line] }));
    const check = (store: HistoryFiles): void => expect(store.oldestSegmentTime).toEqual(model.line(0).time);
    check(files);
    check(HistoryFiles.open(join(root, 'a'), LIMITS));
    files.dropOldest();
    expect(files.oldestSegmentTime).toBe(model.line(1).time);
  });

  it('is private', async () => {
    const directory = join(root, 'deep', 'a');
    const files = HistoryFiles.create(directory, { ...LIMITS, segmentBytes: 100 });
    const model = new HistoryModel();
    for (let i = 0; i < 3; i++) await files.append(model.next(plainStep(4)));
    const mode = (path: string): number => statSync(path).mode & 0o777;
    const modes = readdirSync(directory).map((name) => mode(join(directory, name)));
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o600, 0o600, 0o600]);
    expect([mode(directory), mode(join(root, 'deep'))]).toEqual([0o700, 0o700]);
  });

  it('is not created over another one', async () => {
    const files = HistoryFiles.create(join(root, 'a'), LIMITS);
    await files.append(new HistoryModel().next(plainStep(1)));
    expect(() => HistoryFiles.create(join(root, 'a'), LIMITS)).toThrow('already');
  });
});
