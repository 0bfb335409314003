/**
 * Tests that opening a history with truncated files returns what is complete, and that appending continues after it.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { appendFileSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEEP } from '../deep.js';
import { HistoryFiles } from '../../src/store/history-files.js';
import { expectHeld, expectSame, heldNumbers, HistoryModel, plainStep } from './history-model.js';
import type { HistoryStep } from './history-model.js';

const LIMITS = { maxBytes: 1 << 20, segmentBytes: 600 };
const line = { gap: 2, elapsedMs: 3 };
const SMALL: readonly HistoryStep[] = [
  { bytes: Buffer.from('one\r\ntwo\r\n'), lines: [{ ...line, gap: 0, span: 3, text: '' }] },
  { bytes: Buffer.from('\x1b[31mthree\r\nfour'), lines: [{ ...line, span: 3, text: '' }] },
  { bytes: Buffer.from('teen\r\n'), lines: [{ ...line, gap: 9, span: 10, text: '\x1b[1m' }] },
  { bytes: Buffer.from('\x1b[2Jfull'), lines: [{ ...line, gap: 8, span: null, text: 'größer ➜ 漢' }] },
  { bytes: Buffer.alloc(0), lines: [{ ...line, span: null, text: '' }] },
];

let root: string;
let whole: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tenacitty-torn-'));
  whole = join(root, 'whole');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function written(times: number): Promise<HistoryModel> {
  const model = new HistoryModel();
  const files = HistoryFiles.create(whole, LIMITS);
  for (let i = 0; i < times; i++) for (const step of SMALL) await files.append(model.next(step));
  files.close();
  return model;
}

function names(directory: string, ending: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(ending))
    .sort();
}

/** Opens a copy that `damage` has modified, checks what is held, appends to it and opens it once more. */
async function afterDamage(times: number, damage: (directory: string) => void): Promise<HistoryFiles> {
  const directory = join(root, 'damaged');
  rmSync(directory, { recursive: true, force: true });
  cpSync(whole, directory, { recursive: true });
  damage(directory);
  const model = new HistoryModel();
  for (let i = 0; i < times; i++) for (const step of SMALL) model.next(step);
  const files = HistoryFiles.open(directory, LIMITS);
  expectHeld(files, model);
  const held = HistoryFiles.open(directory, LIMITS);
  expect([held.oldestLine, held.nextLine]).toEqual([files.oldestLine, files.nextLine]);
  model.cutTo(files.nextLine, files.outputEnd);
  for (const step of [plainStep(2, 5), ...SMALL]) await held.append(model.next(step));
  expectSame(held, model);
  held.close();
  expectSame(HistoryFiles.open(directory, LIMITS), model);
  return files;
}

/** The bits that a byte changes by; the normal run takes another one for each byte. */
const MASKS = [0x01, 0x80, 0xff];

describe('a torn history', () => {
  it.each(['idx', 'out'])('is read up to where its %s file was cut, wherever that was', async (ending) => {
    const model = await written(1);
    const [name] = names(whole, ending);
    const { size } = statSync(join(whole, name!));
    let before = -1;
    for (let to = 0; to <= size; to++) {
      const { nextLine } = await afterDamage(1, (directory) => truncateSync(join(directory, name!), to));
      expect(nextLine).toBeGreaterThanOrEqual(before);
      before = nextLine;
    }
    expect(size).toBeGreaterThan(20);
    expect(before).toBe(model.nextLine);
  });

  it.each(['idx', 'out'])('loses only the block in whose %s file a byte was changed', async (ending) => {
    await written(1);
    const [name] = names(whole, ending);
    const bytes = readFileSync(join(whole, name!));
    for (let at = 0; at < bytes.length; at++) {
      for (const mask of DEEP ? MASKS : [MASKS[at % MASKS.length]!]) {
        const changed = Buffer.from(bytes);
        changed[at]! ^= mask;
        const held = await afterDamage(1, (directory) => writeFileSync(join(directory, name!), changed));
        expect(heldNumbers(held).length).toBeLessThan(SMALL.length);
        // One is a span that reaches back into bytes covered by another.
        expect(heldNumbers(held).length).toBeGreaterThanOrEqual(SMALL.length - 3);
      }
    }
  });

  it('is read up to what a crash has appended incompletely', async () => {
    const model = await written(1);
    for (const ending of ['idx', 'out']) {
      const { nextLine } = await afterDamage(1, (directory) => {
        appendFileSync(join(directory, names(directory, ending)[0]!), 'TNH1 and what looks like more');
      });
      expect(nextLine).toBe(model.nextLine);
    }
  });
});

describe('a history of several segments', () => {
  const TIMES = 30;

  it.each(['idx', 'out'])('keeps everything else if one of its %s files is cut or missing', async (ending) => {
    const model = await written(TIMES);
    const files = names(whole, ending);
    expect(files.length).toBeGreaterThan(3);
    for (const [i, name] of files.entries()) {
      for (const damage of [unlinkSync, (path: string) => truncateSync(path, 9)]) {
        const held = await afterDamage(TIMES, (directory) => damage(join(directory, name)));
        expect(held.oldestLine > 0).toBe(i === 0);
        expect(held.lostLines.length > 0 || i === 0).toBe(held.nextLine === model.nextLine);
        expect(heldNumbers(held).length).toBeLessThan(model.nextLine);
        expect(heldNumbers(held).length).toBeGreaterThan((model.nextLine * (files.length - 2)) / files.length);
      }
    }
  });

  it('does not follow a link, wait for a pipe or accept other files in its directory', async () => {
    const model = await written(TIMES);
    const [first, second] = names(whole, 'idx');
    const held = await afterDamage(TIMES, (directory) => {
      unlinkSync(join(directory, first!));
      symlinkSync(join(whole, first!), join(directory, first!));
      unlinkSync(join(directory, second!));
      mkdirSync(join(directory, second!));
      writeFileSync(join(directory, 'stranger.out'), 'x');
    });
    expect(held.oldestLine).toBeGreaterThan(0);
    expect(held.lostLines).toEqual([]);
    expect(held.nextLine).toBe(model.nextLine);
    expect(readFileSync(join(whole, first!)).length).toBeGreaterThan(0);
  });

  it('deletes unusable files, so that they do not count', async () => {
    await written(TIMES);
    const files = names(whole, 'idx');
    unlinkSync(join(whole, files[1]!));
    const held = HistoryFiles.open(whole, LIMITS);
    expect(names(whole, 'idx')).toEqual([files[0], ...files.slice(2)]);
    const sizes = readdirSync(whole).map((name) => statSync(join(whole, name)).size);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(held.bytes);
  });
});

describe('a directory without a history', () => {
  it('is an empty one', async () => {
    for (const directory of [join(root, 'none'), root]) {
      const files = HistoryFiles.open(directory, LIMITS);
      expect([files.oldestLine, files.nextLine, files.outputStart, files.outputEnd, files.bytes]).toEqual([
        0, 0, 0, 0, 0,
      ]);
    }
  });
});
