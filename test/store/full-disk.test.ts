/**
 * Tests a disk that is full: nothing that was appended is lost, and appending continues when there is room. Uses a real
 * file system of 1 MiB where one can be mounted (tests run as root in CI), and the kernel's limit on file sizes.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HistoryFiles } from '../../src/store/history-files.js';
import { readRecord, writeRecord } from '../../src/store/record-file.js';
import { z } from 'zod';
import { expectSame, HistoryModel, plainStep, rangeOf } from './history-model.js';
import { where } from '../where.js';

const TSX = createRequire(import.meta.url).resolve('tsx');
const PROGRAM = join(import.meta.dirname, 'limited-program.ts');
const LIMITS = { maxBytes: 16 << 20, segmentBytes: 200_000 };

/** The directory in which each test creates its own. */
let place = tmpdir();
let root: string;
beforeEach(() => void (root = mkdtempSync(join(place, 'tenacitty-full-'))));
afterEach(() => {
  for (const files of opened.splice(0)) files.close();
  rmSync(root, { recursive: true, force: true });
});

const opened: HistoryFiles[] = [];
const filler = (): string => join(root, 'filler');

function create(directory: string): HistoryFiles {
  const files = HistoryFiles.create(directory, LIMITS);
  opened.push(files);
  return files;
}

function reopen(directory: string): HistoryFiles {
  const files = HistoryFiles.open(directory, LIMITS);
  opened.push(files);
  return files;
}

function onDisk(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

/** Appends batches until one is refused, and returns that batch. */
async function fill(
  files: HistoryFiles,
  model: HistoryModel,
  lines: number,
): Promise<ReturnType<HistoryModel['next']>> {
  for (;;) {
    const batch = model.next(plainStep(lines));
    try {
      await files.append(batch);
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/^(ENOSPC|EFBIG)$/) });
      return batch;
    }
  }
}

/** Checks that earlier data is intact, now and for another process, and that the tail that did not fit is not there. */
function expectUnharmed(
  files: HistoryFiles,
  directory: string,
  model: HistoryModel,
  end: { line: number; at: number },
): void {
  const before = new HistoryModel();
  before.lines.push(...model.lines.slice(0, end.line));
  expect([files.nextLine, files.outputEnd]).toEqual([end.line, end.at]);
  expect(Array.from({ length: end.line }, (_, n) => files.line(n))).toEqual(before.lines);
  expect(files.output(0, Infinity).equals(model.bytes(0, end.at))).toBe(true);
  expect(onDisk(directory)).toBe(files.bytes);
}

/** Mounts a file system of 1 MiB; returns null, with a message, if that is not permitted. */
function mountSmall(): string | null {
  const mountPoint = mkdtempSync(join(tmpdir(), 'tenacitty-small-'));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', mountPoint]);
  if (status === 0) return mountPoint;
  rmSync(mountPoint, { recursive: true });
  process.stderr.write(`No small file system can be mounted, files of limited size have to do: ${String(stderr)}\n`);
  return null;
}

const disk = mountSmall();
afterAll(() => {
  if (disk === null) return;
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

where(disk !== null, 'to mount a small file system').describe('a full disk', () => {
  beforeAll(() => void (place = disk!));
  afterAll(() => void (place = tmpdir()));

  it.each([10, 500, 3000])('takes no partial batch, and the same one when there is space (%i lines)', async (lines) => {
    writeFileSync(filler(), Buffer.alloc(300_000));
    const directory = join(root, 'history');
    const files = create(directory);
    const model = new HistoryModel();
    const batch = await fill(files, model, lines);
    const end = { line: batch.fromLine, at: batch.fromOffset };
    expectUnharmed(files, directory, model, end);
    await expect(files.append(batch)).rejects.toMatchObject({ code: 'ENOSPC' });
    expectUnharmed(reopen(directory), directory, model, end);
    rmSync(filler());
    await files.append(batch);
    expectSame(files, model);
    expectSame(reopen(directory), model);
  });

  it('takes a longer batch, or continues in another segment, when there is space', async () => {
    writeFileSync(filler(), Buffer.alloc(500_000));
    const files = create(join(root, 'history'));
    const model = new HistoryModel();
    const { fromLine, fromOffset, output } = await fill(files, model, 1000);
    rmSync(filler());
    const more = model.next(plainStep(100));
    const longer = { lines: rangeOf(model.lines.slice(fromLine)), output: [...output, ...more.output] };
    await files.append({ fromLine, fromOffset, ...longer });
    expectSame(files, model);
    await fill(files, model, 1000);
    files.restart(1_000_000, 2 ** 33);
    const elsewhere = new HistoryModel({ line: 1_000_000, offset: 2 ** 33 });
    await files.append(elsewhere.next(plainStep(1000)));
    expectSame(reopen(join(root, 'history')), elsewhere);
  });

  it('leaves a record unchanged', async () => {
    const path = join(root, 'record.json');
    await writeRecord(path, 'first');
    writeFileSync(filler(), Buffer.alloc(900_000));
    const large = 'x'.repeat(500_000);
    await expect(writeRecord(path, large)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readRecord(path, z.string())).toBe('first');
    expect(readdirSync(root).sort()).toEqual(['filler', 'record.json']);
  });
});

describe('a limit on the size of files', () => {
  it.each([10, 500, 3000])(
    'leads to no partial batch, and the same batch is taken when it is lifted (%i lines)',
    (lines) => {
      const directory = join(root, 'history');
      const program = [process.execPath, '--import', TSX, PROGRAM, directory, String(lines)];
      // tsx's own cache must not reach the limit.
      const env = { ...process.env, TSX_DISABLE_CACHE: '1' };
      const { status, stdout, stderr } = spawnSync('prlimit', ['--fsize=150000:', ...program], {
        encoding: 'utf8',
        env,
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const { code, before, refused, after, batches } = JSON.parse(stdout);
      expect(code).toBe('EFBIG');
      expect(refused).toEqual(before);
      const model = new HistoryModel();
      for (let i = 0; i < batches; i++) model.next(plainStep(lines));
      expect(after).toEqual([model.nextLine, model.end]);
      expectSame(reopen(directory), model);
    },
  );
});
