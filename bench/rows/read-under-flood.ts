/** Whether one terminal's flood slows down readers of another: reads over HTTP, idle and while ten terminals flood. */
import { performance } from 'node:perf_hooks';
import { FLOOD_PROGRAM } from '../inputs/programs.js';
import { quantile, ratios } from '../numbers.js';
import { byTurns } from '../row.js';
import type { BenchRow } from '../row.js';
import { ServerProcess } from '../server-process.js';

const FLOODS = 10;
const READS = 500;
const QUICK_READS = 200;
const WARM_UP_READS = 200;

interface Reads {
  readonly idle: readonly number[];
  readonly flooded: readonly number[];
}

export const readUnderFlood: BenchRow = {
  name: 'read-under-flood',
  what:
    'GET …/output?mode=tail&tailLines=50 of a quiet terminal over a persistent connection, with the server ' +
    `idle and while ${FLOODS} of its other terminals flood.`,
  async measure(run) {
    const reads = run.isQuick ? QUICK_READS : READS;
    const { server } = await byTurns(run, { server: () => measureServer(reads) });
    const at = (key: keyof Reads, share: number) => server.map((times) => quantile(times[key], share));
    const p99 = at('flooded', 0.99);
    return [
      { measure: 'idle: p50', unit: 'ms', samples: at('idle', 0.5) },
      { measure: 'idle: p99', unit: 'ms', samples: at('idle', 0.99) },
      { measure: `${FLOODS} floods: p50`, unit: 'ms', samples: at('flooded', 0.5) },
      { measure: `${FLOODS} floods: p99`, unit: 'ms', samples: p99, goal: { atMost: 20 } },
      { measure: 'p99, floods : idle', unit: '×', samples: ratios(p99, at('idle', 0.99)), goal: { atMost: 5 } },
    ];
  },
};

async function measureServer(reads: number): Promise<Reads> {
  const server = await ServerProcess.start();
  try {
    const id = await server.createTerminal({ command: 'sh', args: ['-c', 'seq 1 5000; exec sleep 3600'] });
    const read = () => server.call('GET', `/api/terminals/${id}/output?mode=tail&tailLines=50`);
    await timesOf(WARM_UP_READS, read);
    const idle = await timesOf(reads, read);
    for (let i = 0; i < FLOODS; i++) await server.createTerminal({ command: 'sh', args: ['-c', FLOOD_PROGRAM] });
    const flooded = await timesOf(reads, read);
    return { idle, flooded };
  } finally {
    await server.stop();
  }
}

async function timesOf(count: number, call: () => Promise<unknown>): Promise<number[]> {
  const timesMs: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await call();
    timesMs.push(performance.now() - start);
  }
  return timesMs;
}
