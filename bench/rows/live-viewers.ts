/** Whether many viewers of a terminal slow its program down. */
import { runContender } from '../contender.js';
import type { ViewedFlood, ViewersRequest } from '../contenders/live-viewers.js';
import { withInputFile } from '../inputs/input-file.js';
import { plainLog } from '../inputs/log-lines.js';
import { BYTES_PER_MB, MS_PER_S, ratios } from '../numbers.js';
import { byTurns, type BenchRow, type Measurement } from '../row.js';

const FULL_BYTES = 50 * BYTES_PER_MB;
const QUICK_BYTES = 20 * BYTES_PER_MB;

export const liveViewers: BenchRow = {
  name: 'live-viewers',
  what:
    '`cat` of 50 MB (quick: 20) of plain log lines while 1, 10 and 100 clients of WebSockets view it, until the program ' +
    'has written all of it. Clients that read too slowly skip output. The clients are sockets of one process that ' +
    'discard what they read.',
  async measure(run) {
    return withInputFile('live-viewers', plainLog(), run.isQuick ? QUICK_BYTES : FULL_BYTES, async (file) => {
      const flood = (viewers: number) => () =>
        runContender<ViewedFlood>('live-viewers', { file: file.path, viewers } satisfies ViewersRequest);
      const { one, ten, hundred } = await byTurns(run, { one: flood(1), ten: flood(10), hundred: flood(100) });
      const mb = file.bytes / BYTES_PER_MB;
      return [
        { ...slowdown(100, hundred, one), goal: { atLeast: 0.8 } },
        slowdown(10, ten, one),
        ...costs(1, one, mb),
        ...costs(10, ten, mb),
        ...costs(100, hundred, mb),
      ];
    });
  },
};

type Floods = readonly ViewedFlood[];
const timesMs = (floods: Floods): number[] => floods.map(({ ms }) => ms);

function slowdown(viewers: number, floods: Floods, one: Floods): Measurement {
  const samples = ratios(timesMs(one), timesMs(floods));
  return { measure: `speed of the program, ${viewers} viewers : 1 viewer`, unit: '×', samples };
}

function costs(viewers: number, floods: Floods, mb: number): Measurement[] {
  const per = (amount: (flood: ViewedFlood) => number): number[] => floods.map(amount);
  return [
    {
      measure: `speed of the program, ${viewers} viewers`,
      unit: 'MB/s',
      samples: per(({ ms }) => (mb * MS_PER_S) / ms),
    },
    {
      measure: `received by all, ${viewers} viewers`,
      unit: 'MB/s',
      samples: per(({ ms, received }) => (received / BYTES_PER_MB) * (MS_PER_S / ms)),
    },
    { measure: `memory, ${viewers} viewers`, unit: 'MB', samples: per(({ memoryMb }) => memoryMb) },
  ];
}
