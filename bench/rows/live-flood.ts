/** A flood of plain log lines to one client of a WebSocket, compared with a bare server and with reading alone. */
import { runContender } from '../contender.js';
import type { LiveFlood, LiveFloodRequest } from '../contenders/live-flood.js';
import { withInputFile, type InputFile } from '../inputs/input-file.js';
import { plainLog } from '../inputs/log-lines.js';
import type { LiveServer } from '../live-terminal.js';
import { BYTES_PER_MB, ratios } from '../numbers.js';
import type { FloodCost } from '../reference/reference.js';
import { byTurns, type BenchRow, type Measurement } from '../row.js';

const FULL_BYTES = 100 * BYTES_PER_MB;
const QUICK_BYTES = 30 * BYTES_PER_MB;

export const liveFlood: BenchRow = {
  name: 'live-flood',
  what:
    '`cat` of 100 MB (quick: 30) of plain log lines in a terminal of a server, with its terminals in hosts, until one ' +
    'client of a WebSocket that holds the terminal has received all of it. Compared with a bare server of `ws` and ' +
    'node-pty, and with a loop that reads and discards the output. CPU is that of server and host together.',
  async measure(run) {
    return withInputFile('live-flood', plainLog(), run.isQuick ? QUICK_BYTES : FULL_BYTES, async (file) => {
      const flood = (where: LiveServer) => () =>
        runContender<LiveFlood>('live-flood', { file, where } satisfies LiveFloodRequest);
      const { reference, bare, live } = await byTurns(run, {
        reference: () => run.reference.flood(file.path),
        bare: flood('bare'),
        live: flood('tenacitty'),
      });
      return findings(file, run.reference.name, { reference, bare, live });
    });
  },
};

interface Floods {
  readonly reference: readonly FloodCost[];
  readonly bare: readonly LiveFlood[];
  readonly live: readonly LiveFlood[];
}

function findings(file: InputFile, referenceName: string, { reference, bare, live }: Floods): Measurement[] {
  const mb = file.bytes / BYTES_PER_MB;
  const speed = (some: readonly FloodCost[]) => some.map(({ ms }) => (mb / ms) * 1000);
  const missed = live.map((flood) => (100 * flood.missed) / file.outputBytes);
  return [
    {
      measure: `speed, WebSocket : ${referenceName}`,
      unit: '×',
      samples: ratios(speed(live), speed(reference)),
      goal: { atLeast: 0.65 },
    },
    {
      measure: 'speed, WebSocket : bare ws + node-pty',
      unit: '×',
      samples: ratios(speed(live), speed(bare)),
      goal: { atLeast: 1 },
    },
    { measure: 'missed and told', unit: '%', samples: missed, goal: { atMost: 0 } },
    { measure: 'speed, WebSocket', unit: 'MB/s', samples: speed(live) },
    { measure: 'speed, bare ws + node-pty', unit: 'MB/s', samples: speed(bare) },
    { measure: `speed, ${referenceName}`, unit: 'MB/s', samples: speed(reference) },
    { measure: 'CPU, WebSocket', unit: 'ms/MB', samples: live.map(({ cpuMs }) => cpuMs / mb) },
    { measure: 'CPU, bare ws + node-pty', unit: 'ms/MB', samples: bare.map(({ cpuMs }) => cpuMs / mb) },
  ];
}
