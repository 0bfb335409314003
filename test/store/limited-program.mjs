/**
 * Fills a history until the kernel's limit on the size of files refuses a batch, lifts the limit and appends that batch
 * again. Says on stdout what was held before, after it was refused, and in the end. A program of its own, for only a
 * process that ignores the signal is told by an error.
 */
import { execFileSync } from 'node:child_process';
import { Lines } from '../../dist/history/lines.js';
import { HistoryFiles } from '../../dist/store/history-files.js';

const WIDTH = 78;
const TIME = 1_750_000_000_000;
const [directory, count] = process.argv.slice(2);
process.on('SIGXFSZ', () => undefined);

const files = HistoryFiles.create(directory, { maxBytes: 16 << 20, segmentBytes: 200_000 });
const ends = () => [files.nextLine, files.outputEnd];

/** As `plainStep` of the tests' model makes them. */
function nextBatch() {
  const [fromLine, fromOffset] = ends();
  const output = [Buffer.from(`\r\n${'x'.repeat(WIDTH)}`.repeat(Number(count)))];
  const lines = new Lines();
  for (let i = 0; i < Number(count); i++) lines.pushSpan(fromOffset + 2 + i * (WIDTH + 2), WIDTH, TIME, '');
  return { fromLine, fromOffset, lines: lines.range(0, Number(count)), output };
}

let batches = 0;
let refusal = null;
let before;
let batch;
while (refusal === null) {
  before = ends();
  batch = nextBatch();
  batches++;
  refusal = await files.append(batch).then(
    () => null,
    (error) => error.code,
  );
}
const refused = ends();
execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited:']);
await files.append(batch);
process.stdout.write(JSON.stringify({ code: refusal, before, refused, after: ends(), batches }));
