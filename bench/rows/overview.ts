/** The time of an overview of all terminals over HTTP, for increasing numbers of terminals. */
import { performance } from 'node:perf_hooks';
import { quantile } from '../numbers.js';
import { byTurns, expectSame } from '../row.js';
import type { BenchRow } from '../row.js';
import { ServerProcess } from '../server-process.js';

const COUNTS = [10, 100, 500] as const;
const QUICK_COUNTS = [10, 100] as const;
const REQUESTS = 30;
const WARM_UP_REQUESTS = 5;
/** A shell at its prompt, with lines to show. */
const SHELL = { shell: 'bash', args: ['--norc', '--noprofile', '-i'], env: { PS1: 'line 1\nline 2\n$ ' } };

/** Milliseconds of each request, by number of terminals. */
type Times = ReadonlyMap<number, readonly number[]>;

export const overview: BenchRow = {
  name: 'overview',
  what:
    `GET /api/overview?limit=1000 over a persistent connection, with ${COUNTS.join(', ')} idle shells ` +
    `(${QUICK_COUNTS.join(', ')} with --quick): all of them in one answer.`,
  async measure(run) {
    const counts = run.isQuick ? QUICK_COUNTS : COUNTS;
    const { server } = await byTurns(run, { server: () => measureServer(counts) });
    return counts.flatMap((count) =>
      [0.5, 0.95].map((share) => ({
        measure: `${count} terminals: p${share * 100}`,
        unit: 'ms',
        samples: server.map((times) => quantile(times.get(count)!, share)),
      })),
    );
  },
};

async function measureServer(counts: readonly number[]): Promise<Times> {
  const server = await ServerProcess.start();
  try {
    const times = new Map<number, readonly number[]>();
    let created = 0;
    for (const count of counts) {
      for (; created < count; created++) await server.createTerminal(SHELL);
      times.set(count, await timesOf(server, count));
    }
    return times;
  } finally {
    await server.stop();
  }
}

async function timesOf(server: ServerProcess, count: number): Promise<number[]> {
  const timesMs: number[] = [];
  for (let request = -WARM_UP_REQUESTS; request < REQUESTS; request++) {
    const start = performance.now();
    const { terminals } = await server.call<{ terminals: unknown[] }>('GET', '/api/overview?limit=1000');
    if (request >= 0) timesMs.push(performance.now() - start);
    expectSame('the number of terminals', terminals.length, count);
  }
  return timesMs;
}
