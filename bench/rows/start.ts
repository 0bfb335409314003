/** The time from starting the server until the first request is answered. */
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { ratios } from '../numbers.js';
import { byTurns } from '../row.js';
import type { BenchRow } from '../row.js';
import { SERVE, ServerProcess } from '../server-process.js';

/** A start is short and its duration varies, so there are more starts than rounds. */
const MIN_STARTS = 10;

const EXPRESS = [process.execPath, fileURLToPath(new URL('../reference/express-app.mjs', import.meta.url))];
const NPM_START = ['npm', 'start', '--silent', '--', '--port', '0'];

export const start: BenchRow = {
  name: 'start',
  what:
    'From the start of the process to the first answered request: `tenacitty serve`, a bare app on the same ' +
    'Express version, and `npm start` with everything already built; at least 10 times each.',
  async measure(run) {
    const rounds = Math.max(run.rounds, MIN_STARTS);
    const timesMs = await byTurns(
      { ...run, rounds },
      {
        express: () => startAndAsk(EXPRESS, '/'),
        tenacitty: () => startAndAsk(SERVE, '/api/terminals'),
        npmStart: () => startAndAsk(NPM_START, '/api/terminals'),
      },
    );
    return [
      { measure: 'tenacitty', unit: 'ms', samples: timesMs.tenacitty },
      { measure: 'bare Express', unit: 'ms', samples: timesMs.express },
      {
        measure: 'tenacitty : Express',
        unit: '×',
        samples: ratios(timesMs.tenacitty, timesMs.express),
        goal: { atMost: 2 },
      },
      { measure: 'npm start, warm', unit: 'ms', samples: timesMs.npmStart },
    ];
  },
};

async function startAndAsk(command: readonly string[], path: string): Promise<number> {
  const begin = performance.now();
  const server = await ServerProcess.start(command);
  try {
    await server.call('GET', path);
    return performance.now() - begin;
  } finally {
    await server.stop();
  }
}
