/** Whether all output of a short program is available when its exit is reported, even if it was not being read. */
import { runContender } from '../contender.js';
import type { READERS } from '../contenders/exit-loss-readers.js';
import type { Measurement, BenchRow } from '../row.js';

export interface LossRequest {
  readonly reader: keyof typeof READERS;
  /** The program is `seq 1 lastNumber`. */
  readonly lastNumber: number;
  readonly runs: number;
}

const RUNS = 1000;
const QUICK_RUNS = 200;
const LAST_NUMBER = 20_000;
/** Small enough for the kernel's buffer, so that the program ends although nothing reads its output. */
const PAUSED_LAST_NUMBER = 2000;

export const exitLoss: BenchRow = {
  name: 'exit-loss',
  what:
    `\`seq 1 ${LAST_NUMBER}\` × 1000 (quick: 200), 4 at a time: the number of runs whose output was incomplete ` +
    `when the exit was reported; the same with \`seq 1 ${PAUSED_LAST_NUMBER}\` and paused reading (a fifth of ` +
    'the runs). Compared with node-pty’s own reader.',
  async measure(run) {
    const runs = run.isQuick ? QUICK_RUNS : RUNS;
    const count = async (reader: LossRequest['reader'], isPaused: boolean): Promise<number[]> => {
      run.progress(reader);
      const lastNumber = isPaused ? PAUSED_LAST_NUMBER : LAST_NUMBER;
      const counts = await runContender<number[]>('exit-loss', {
        reader,
        lastNumber,
        runs: isPaused ? runs / 5 : runs,
      });
      return counts.map((bytes) => seqBytes(lastNumber) - bytes);
    };
    return [
      ...lossFindings('engine', await count('engine', false), { atMost: 0 }),
      ...lossFindings('engine, paused', await count('enginePaused', true), { atMost: 0 }),
      ...lossFindings('node-pty', await count('nodePty', false)),
      ...lossFindings('node-pty, paused', await count('nodePtyPaused', true)),
    ];
  },
};

function lossFindings(contender: string, missing: readonly number[], goal?: { atMost: number }): Measurement[] {
  const incomplete = missing.filter((bytes) => bytes !== 0).length;
  const found: Measurement = {
    measure: `${contender}: incomplete of ${missing.length}`,
    unit: 'runs',
    samples: [incomplete],
  };
  const most: Measurement = { measure: `${contender}: most bytes missing`, unit: 'B', samples: [Math.max(...missing)] };
  return [goal ? { ...found, goal } : found, most];
}

/** Bytes that `seq 1 n` writes to a terminal: its digits, and CR LF for each line. */
function seqBytes(n: number): number {
  let bytes = 2 * n;
  for (let least = 1; least <= n; least *= 10) bytes += n - least + 1;
  return bytes;
}
