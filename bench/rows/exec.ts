/**
 * What it costs to know how a command went: `exec` against a line with a marker, typed into the same shell.
 */
import { runContender } from '../contender.js';
import type { Where } from '../hosts.js';
import { quantile, ratios } from '../numbers.js';
import { byTurns } from '../row.js';
import type { Finding, Row } from '../row.js';

export interface ExecRequest {
  /** How often `true` is run. */
  readonly runs: number;
  /** Of the engine. */
  readonly where: Where;
}

export interface ExecAnswer {
  /** Of `true`, one a run. */
  readonly shortMs: readonly number[];
  /** Of a command of `LONG_COMMAND_CHARS`. */
  readonly longMs: number;
  /** Of a command that prints `LINES`. */
  readonly linesMs: number;
}

export const LONG_COMMAND_CHARS = 100_000;
export const LINES = 100_000;
const RUNS = 300;
const QUICK_RUNS = 100;

export const exec: Row = {
  name: 'exec',
  what:
    '`true` through `exec` in a bash until the result is there, against a bare Node PTY loop that types it with a marker ' +
    'behind it: the engine in this process, and in a host process with history on disk. Beside it, a command of 100 KB, ' +
    'and one that prints 100,000 lines.',
  async measure(run) {
    const runs = run.isQuick ? QUICK_RUNS : RUNS;
    const engine = (where: Where) => () =>
      runContender<ExecAnswer>('exec-engine', { runs, where } satisfies ExecRequest);
    const times = await byTurns(run, {
      bare: () => runContender<number[]>('exec-bare', { runs, where: 'process' } satisfies ExecRequest),
      engine: engine('process'),
      host: engine('host'),
    });
    const bare = times.bare.map((timesMs) => quantile(timesMs, 0.5));
    return [
      { measure: '`true`, p50, bare Node loop', unit: 'ms', samples: bare },
      ...findings('engine', times.engine, bare),
      ...findings('host', times.host, bare),
    ];
  },
};

function findings(who: string, answers: readonly ExecAnswer[], bare: readonly number[]): Finding[] {
  const at = (share: number) => answers.map(({ shortMs }) => quantile(shortMs, share));
  return [
    { measure: `\`true\`, p50, ${who}`, unit: 'ms', samples: at(0.5) },
    { measure: `\`true\`, p99, ${who}`, unit: 'ms', samples: at(0.99) },
    { measure: `\`true\`, p50, ${who} : bare`, unit: '×', samples: ratios(at(0.5), bare), goal: { atMost: 2 } },
    { measure: `100 KB of command, ${who}`, unit: 'ms', samples: answers.map(({ longMs }) => longMs) },
    { measure: `100,000 lines, ${who}`, unit: 'ms', samples: answers.map(({ linesMs }) => linesMs) },
  ];
}
