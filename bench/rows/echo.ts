/** The round-trip time of one byte through a terminal, alone and while eight others flood. */
import { runContender } from '../contender.js';
import type { TerminalLocation } from '../hosts.js';
import { quantile, ratios } from '../numbers.js';
import { byTurns } from '../row.js';
import type { Measurement, BenchRow } from '../row.js';

export interface EchoRequest {
  /** The number of terminals that flood meanwhile. */
  readonly floods: number;
  readonly echoes: number;
  /** Of the engine. */
  readonly where: TerminalLocation;
}

const FLOODS = 8;
const ECHOES = 1000;
const QUICK_ECHOES = 300;

export const echo: BenchRow = {
  name: 'echo',
  what:
    `One byte written to a raw \`cat\`, until a subscriber receives it back, alone and while ${FLOODS} terminals ` +
    'flood: with the engine in this process, and in a host process with history on disk. Compared with a bare ' +
    'Node PTY loop that keeps no history.',
  async measure(run) {
    const echoes = run.isQuick ? QUICK_ECHOES : ECHOES;
    const bare = (floods: number) => () => runContender<number[]>('echo-bare', { floods, echoes });
    const engine = (where: TerminalLocation, floods: number) => () =>
      runContender<number[]>('echo-engine', { floods, echoes, where } satisfies EchoRequest);
    const times = await byTurns(run, {
      bare: bare(0),
      engine: engine('process', 0),
      host: engine('host', 0),
      bareFlooded: bare(FLOODS),
      engineFlooded: engine('process', FLOODS),
      hostFlooded: engine('host', FLOODS),
    });
    return [
      ...bareFindings('alone', times.bare),
      ...compare('alone', 'engine', times.engine, times.bare),
      ...compare('alone', 'host', times.host, times.bare),
      ...bareFindings(`${FLOODS} floods`, times.bareFlooded),
      ...compare(`${FLOODS} floods`, 'engine', times.engineFlooded, times.bareFlooded),
      ...compare(`${FLOODS} floods`, 'host', times.hostFlooded, times.bareFlooded, { atMost: 3 }),
    ];
  },
};

const at = (rounds: number[][], share: number) => rounds.map((timesMs) => quantile(timesMs, share));

function bareFindings(when: string, bare: number[][]): Measurement[] {
  return [
    { measure: `${when}: p50, bare Node loop`, unit: 'ms', samples: at(bare, 0.5) },
    { measure: `${when}: p99, bare Node loop`, unit: 'ms', samples: at(bare, 0.99) },
  ];
}

function compare(
  when: string,
  contender: string,
  times: number[][],
  bare: number[][],
  p99Goal?: { atMost: number },
): Measurement[] {
  const goal = p99Goal && { goal: p99Goal };
  return [
    { measure: `${when}: p50, ${contender}`, unit: 'ms', samples: at(times, 0.5) },
    { measure: `${when}: p99, ${contender}`, unit: 'ms', samples: at(times, 0.99), ...goal },
    { measure: `${when}: p50, ${contender} : bare`, unit: '×', samples: ratios(at(times, 0.5), at(bare, 0.5)) },
    { measure: `${when}: p99, ${contender} : bare`, unit: '×', samples: ratios(at(times, 0.99), at(bare, 0.99)) },
  ];
}
