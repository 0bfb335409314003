/** Whether the cost of reading the tail depends on the size of the answer, not of the history. */
import { runContender } from '../contender.js';
import { ratios } from '../numbers.js';
import { byTurns } from '../row.js';
import type { Measurement, BenchRow } from '../row.js';

const TAIL_LINES = 50;
/** The baseline: long enough for every read to return the whole tail. */
const BASE_LINES = 10_000;
const LENGTHS = [10, BASE_LINES, 1_000_000];
const LONGEST = 10_000_000;
/**
 * Below this ratio, differences are noise and cache effects, not growth: the lengths of the histories differ by a
 * factor of a thousand.
 */
const MAX_RATIO = 1.5;

export const tail: BenchRow = {
  name: 'tail',
  what:
    `Reading the last ${TAIL_LINES} lines of histories of 10 (all of them), 10,000, 1 million and 10 million ` +
    'lines (the last not with --quick), in the same process; medians of 3000 reads. Flat means at most 1.5 × ' +
    'the time for 10,000 lines.',
  async measure(run) {
    const lengths = run.isQuick ? LENGTHS : [...LENGTHS, LONGEST];
    const ask = (lines: number) => () => runContender<number>('tail', { lines, tailLines: TAIL_LINES });
    const timesUs = await byTurns(run, Object.fromEntries(lengths.map((lines) => [String(lines), ask(lines)])));
    const base = timesUs[String(BASE_LINES)]!;
    return lengths.flatMap((lines): Measurement[] => {
      const samples = timesUs[String(lines)]!;
      const name = `${lines.toLocaleString('en')} lines`;
      const time: Measurement = { measure: name, unit: 'µs', samples };
      if (lines <= BASE_LINES) return [time];
      const measure = `${name} : ${BASE_LINES.toLocaleString('en')}`;
      return [time, { measure, unit: '×', samples: ratios(samples, base), goal: { atMost: MAX_RATIO } }];
    });
  },
};
