/**
 * Runs short programs directly, a few at a time, and counts how many bytes each had delivered when its exit was
 * reported.
 */
import { answer, request } from '../contender.js';
import { READERS } from './exit-loss-readers.js';
import type { LossRequest } from '../rows/exit-loss.js';

/** The number of concurrent programs. */
const CONCURRENT = 4;

const { reader, lastNumber, runs } = request<LossRequest>();
const read = READERS[reader];
let left = runs;
const counts: number[] = [];

async function work(): Promise<void> {
  while (left-- > 0) counts.push(await read(String(lastNumber)));
}

await Promise.all(Array.from({ length: CONCURRENT }, work));
answer(counts);
