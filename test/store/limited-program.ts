/**
 * Fills a history until the kernel's limit on file sizes refuses a batch, lifts the limit and appends that batch again.
 * Prints what was held before, after the refusal, and at the end. A separate program, because only a process that
 * ignores the signal gets an error.
 */
import { execFileSync } from 'node:child_process';
import { HistoryFiles } from '../../src/store/history-files.js';
import { HistoryModel, plainStep } from './history-model.js';

const [directory, count] = process.argv.slice(2);
process.on('SIGXFSZ', () => undefined);

const files = HistoryFiles.create(directory!, { maxBytes: 16 << 20, segmentBytes: 200_000 });
const ends = (): number[] => [files.nextLine, files.outputEnd];
const model = new HistoryModel();

let batches = 0;
let code: unknown;
let before: number[];
let batch;
do {
  before = ends();
  batch = model.next(plainStep(Number(count)));
  batches++;
  code = await files.append(batch).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code,
  );
} while (code === null);
const refused = ends();
execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited:']);
await files.append(batch);
process.stdout.write(JSON.stringify({ code, before, refused, after: ends(), batches }));
