/**
 * Tests that after any byte of a history on disk is changed, or any part removed, everything read is correct and the
 * rest is reported as missing.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readOutput } from '../../src/contract/output.js';
import type { ReadOutput } from '../../src/contract/output.js';
import { readPage } from '../../src/history/page.js';
import type { HistoryPage, HistoryView } from '../../src/history/view.js';
import { HistoryFiles } from '../../src/store/history-files.js';
import { Archive } from '../../src/history/archive.js';
import { RevisionTracker } from '../../src/history/revision-tracker.js';
import { viewOf } from '../../src/transcript/view.js';
import { runs } from '../deep.js';
import { expectHeld, heldNumbers, HistoryModel, plainStep, steps } from './history-model.js';

const LIMITS = { maxBytes: 64 << 20, segmentBytes: 3000 };

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'tenacitty-damage-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The position in the files, as a share of their bytes; and what is removed there, or how a byte is changed. */
const damage = fc.record({
  file: fc.nat(),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  how: fc.oneof(
    fc.record({ mask: fc.integer({ min: 1, max: 255 }) }),
    fc.record({ cut: fc.oneof(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 81, max: 4000 })) }),
  ),
});
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

function doDamage(directory: string, { file, at, how }: Damage): void {
  const names = readdirSync(directory).sort();
  if (names.length === 0) return;
  const path = join(directory, names[file % names.length]!);
  const bytes = readFileSync(path);
  const place = Math.floor(bytes.length * at);
  if ('cut' in how) writeFileSync(path, Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + how.cut)]));
  else if (bytes.length > 0) {
    bytes[place]! ^= how.mask;
    writeFileSync(path, bytes);
  }
}

function viewOfFiles(files: HistoryFiles): HistoryView {
  const archive = new Archive({ maxLines: 10, maxBytes: 1 << 20 }, { line: files.nextLine, offset: files.outputEnd });
  archive.store = files;
  const active = { ansi: [], resumeAt: files.nextLine };
  const none = { timeOf: () => 0, offsetOf: () => files.outputEnd };
  return viewOf({ id: 'a', maxLines: 10, clearedAt: 0, archive, revisions: new RevisionTracker(), active, ...none });
}

/** Returns all pages, starting at the first, as a reader gets them that continues from cursor to cursor. */
function allPages(view: HistoryView, request: ReadOutput): HistoryPage[] {
  const pages: HistoryPage[] = [];
  for (let cursor: string | undefined; pages.at(-1)?.hasMore ?? true; cursor = pages.at(-1)!.cursor) {
    pages.push(readPage(view, readOutput.parse({ ...request, ...(cursor === undefined ? {} : { cursor }) })));
    if (pages.length > 10_000) throw new Error('Reading does not come to an end');
  }
  return pages;
}

function expectTold(files: HistoryFiles, model: HistoryModel): void {
  const view = viewOfFiles(files);
  const pages = allPages(view, { mode: 'full', format: 'ansi', maxLines: 500, entries: true });
  const given = pages.flatMap(({ entries }) => entries!.map(({ line }) => line));
  expect(given).toEqual(heldNumbers(files));
  const told = pages.reduce((sum, { droppedLines }) => sum + droppedLines, 0);
  expect(given.length + told).toBe(view.total);
  const whole = new Archive({ maxLines: 1e9, maxBytes: 1e9 });
  whole.output.append(model.bytes(0, model.end));
  for (const { start, time, length, text } of model.lines) {
    if (length === null) whole.lines.pushText(start, time, text);
    else whole.lines.pushSpan(start, length, time, text);
  }
  for (const { line, text } of pages.flatMap(({ entries }) => entries!)) expect(text).toBe(whole.ansi(line));
  for (const mode of ['head', 'tail', 'head-tail'] as const) {
    const page = readPage(
      view,
      readOutput.parse({ mode, headLines: 20, tailLines: 20, format: 'ansi', entries: true }),
    );
    for (const { line, text } of page.entries!) expect(text).toBe(whole.ansi(line));
  }
}

/** Checks that every piece of raw output that a reader gets is part of the program's output. */
function expectRawTold(files: HistoryFiles, model: HistoryModel): void {
  const view = viewOfFiles(files);
  const pages = allPages(view, { mode: 'full', format: 'raw', maxBytes: 20_000 });
  const all = model.bytes(0, model.end).toString('latin1');
  const isAscii = !/[^\x00-\x7f]/.test(all);
  for (const { output } of pages) if (isAscii) expect(all.includes(output)).toBe(true);
  readPage(view, readOutput.parse({ mode: 'tail', format: 'raw', tailLines: 5 }));
}

describe('a history damaged anywhere', () => {
  it('is read without an error, returns no wrong line and reports the missing ones', async () => {
    const history = fc.oneof(
      steps,
      fc.array(
        fc.nat({ max: 300 }).map((count) => plainStep(count, 20)),
        { minLength: 2 },
      ),
    );
    const property = fc.asyncProperty(
      history,
      fc.array(damage, { minLength: 1, maxLength: 3 }),
      async (all, damages) => {
        const directory = mkdtempSync(join(root, 'one-'));
        const model = new HistoryModel();
        const files = HistoryFiles.create(directory, LIMITS);
        for (const step of all) await files.append(model.next(step));
        files.close();
        for (const one of damages) doDamage(directory, one);
        const read = HistoryFiles.open(directory, LIMITS);
        read.reachTo(model.nextLine, model.end);
        expectHeld(read, model);
        expectTold(read, model);
        expectRawTold(read, model);
        expect(viewOfFiles(read).total).toBe(
          heldNumbers(read).length === 0 && read.bytes === 0 ? read.nextLine : model.nextLine,
        );
        read.close();
        rmSync(directory, { recursive: true, force: true });
      },
    );
    await fc.assert(property, { numRuns: runs({ normal: 20, deep: 100 }), seed: 20_261_121 });
  });

  it('loses one block of many if one byte of the index was changed', async () => {
    const model = new HistoryModel();
    const whole = join(root, 'whole');
    const files = HistoryFiles.create(whole, { maxBytes: 64 << 20 });
    for (let i = 0; i < 40; i++) await files.append(model.next(plainStep(256, 20)));
    files.close();
    const [name] = readdirSync(whole).filter((one) => one.endsWith('.idx'));
    const bytes = readFileSync(join(whole, name!));
    for (let share = 0; share < 1; share += 0.07) {
      const directory = mkdtempSync(join(root, 'one-'));
      cpSync(whole, directory, { recursive: true });
      const changed = Buffer.from(bytes);
      changed[Math.floor(bytes.length * share)]! ^= 0x10;
      writeFileSync(join(directory, name!), changed);
      const read = HistoryFiles.open(directory, LIMITS);
      expectHeld(read, model);
      expect(heldNumbers(read).length).toBe(model.nextLine - 256);
    }
  });
});
