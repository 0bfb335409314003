/** The round-trip time of one byte over a WebSocket, compared with a bare server. */
import { runContender } from '../contender.js';
import type { LiveEchoRequest } from '../contenders/live-echo.js';
import type { LiveServer } from '../live-terminal.js';
import { quantile } from '../numbers.js';
import { byTurns, type BenchRow, type Measurement } from '../row.js';

const ECHOES = 1000;
const QUICK_ECHOES = 300;
const MAX_RATIO = 1.3;

export const liveEcho: BenchRow = {
  name: 'live-echo',
  what:
    'One byte typed into a raw `cat` over a WebSocket, until its echo arrives: with terminals in hosts, and in a bare ' +
    'server of `ws` and node-pty. The ratio leaves out the measured round trip of a byte over a Unix socket, which ' +
    'terminals that outlive the server cannot avoid.',
  async measure(run) {
    const echoes = run.isQuick ? QUICK_ECHOES : ECHOES;
    const echo = (where: LiveServer) => () =>
      runContender<number[]>('live-echo', { where, echoes } satisfies LiveEchoRequest);
    const times = await byTurns(run, {
      hop: () => runContender<number[]>('unix-hop', { echoes }),
      bare: echo('bare'),
      live: echo('tenacitty'),
    });
    return [0.5, 0.99].flatMap((share) => findings(times, share));
  },
};

type Times = Readonly<Record<'hop' | 'bare' | 'live', readonly number[][]>>;

function findings(times: Times, share: number): Measurement[] {
  const name = `p${share * 100}`;
  const [hop, bare, live] = (['hop', 'bare', 'live'] as const).map((each) =>
    times[each].map((timesMs) => quantile(timesMs, share)),
  ) as [number[], number[], number[]];
  const samples = live.map((ms, round) => (ms - hop[round]!) / bare[round]!);
  return [
    { measure: `${name}, (WebSocket − hop) : bare`, unit: '×', samples, goal: { atMost: MAX_RATIO } },
    { measure: `${name}, WebSocket`, unit: 'ms', samples: live },
    { measure: `${name}, bare ws + node-pty`, unit: 'ms', samples: bare },
    { measure: `${name}, hop over a Unix socket`, unit: 'ms', samples: hop },
  ];
}
