/** Reads the tail of a history of a given length many times; returns the median in microseconds. */
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { LocalTerminalManager, untilExited } from '../engine.js';
import { median, US_PER_MS } from '../numbers.js';
import { expectSame } from '../row.js';

const WARM_UP_READS = 500;
const READS = 3000;
/** `seq` writes at most 8 digits, CR and LF per line; this leaves room for all of them. */
const MAX_LINE_BYTES = 16;
const MIN_BUFFER_BYTES = 1 << 20;

const { lines, tailLines } = request<{ lines: number; tailLines: number }>();
const maxBufferBytes = Math.max(MIN_BUFFER_BYTES, lines * MAX_LINE_BYTES);
const manager = new LocalTerminalManager({ maxBufferLines: lines, maxBufferBytes });
const { id } = await manager.create({ command: 'seq', args: ['1', String(lines)] });
await untilExited(manager, id);
expectSame('the length of the history', (await manager.stats(id)).bufferSize, lines);

const timesUs: number[] = [];
for (let i = -WARM_UP_READS; i < READS; i++) {
  const start = performance.now();
  const { output } = await manager.read(id, { mode: 'tail', tailLines });
  if (i >= 0) timesUs.push((performance.now() - start) * US_PER_MS);
  else expectSame('the newest line', output.slice(output.lastIndexOf('\n') + 1), String(lines));
}
answer(median(timesUs));
