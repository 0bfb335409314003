/**
 * The cost of learning a command's result: `exec` compared with a line with a marker, typed into the same shell by a
 * loop that does nothing else.
 */
import { runContender } from '../contender.js';
import type { TerminalLocation } from '../hosts.js';
import { quantile, ratios } from '../numbers.js';
import { byTurns } from '../row.js';
import type { Measurement, BenchRow } from '../row.js';

export interface EngineExecRequest {
  /** How often `true` is run. */
  readonly runs: number;
  /** Of the engine. */
  readonly where: TerminalLocation;
}

export interface BareExecRequest {
  readonly runs: number;
  /** `same`: the engine's shell with its start files, waiting for the prompt; `bare`: neither. */
  readonly shell: 'same' | 'bare';
}

/** The environment of the shells, in addition to the existing one. */
export const SHELL_ENV = { HOME: '/nonexistent', TERM: 'xterm-256color' };

export interface ExecAnswer {
  /** Of `true`, one value per run. */
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

export const exec: BenchRow = {
  name: 'exec',
  what:
    '`true` through `exec` in a bash, sequentially, until the result arrives: with the engine in this process, ' +
    'and in a host process with history on disk. Compared with a bare Node PTY loop that types it, followed by ' +
    'a marker, into the same shell with the same start files, and waits for the prompt before the next; and ' +
    'with one that does neither. Also a command of 100 KB, and one that prints 100,000 lines.',
  async measure(run) {
    const runs = run.isQuick ? QUICK_RUNS : RUNS;
    const engine = (where: TerminalLocation) => () =>
      runContender<ExecAnswer>('exec-engine', { runs, where } satisfies EngineExecRequest);
    const bare = (shell: BareExecRequest['shell']) => () =>
      runContender<number[]>('exec-bare', { runs, shell } satisfies BareExecRequest);
    const times = await byTurns(run, {
      bare: bare('bare'),
      same: bare('same'),
      engine: engine('process'),
      host: engine('host'),
    });
    const p50 = { bare: times.bare.map(median), same: times.same.map(median) };
    return [
      { measure: '`true`, p50, bare loop, same shell to its prompt', unit: 'ms', samples: p50.same },
      { measure: '`true`, p50, bare loop, no start files, to the marker', unit: 'ms', samples: p50.bare },
      ...findings('engine', times.engine, p50),
      ...findings('host', times.host, p50),
    ];
  },
};

const median = (timesMs: readonly number[]): number => quantile(timesMs, 0.5);

function findings(
  contender: string,
  answers: readonly ExecAnswer[],
  { same, bare }: Readonly<Record<BareExecRequest['shell'], readonly number[]>>,
): Measurement[] {
  const at = (share: number) => answers.map(({ shortMs }) => quantile(shortMs, share));
  return [
    { measure: `\`true\`, p50, ${contender}`, unit: 'ms', samples: at(0.5) },
    { measure: `\`true\`, p99, ${contender}`, unit: 'ms', samples: at(0.99) },
    {
      measure: `\`true\`, p50, ${contender} : same shell`,
      unit: '×',
      samples: ratios(at(0.5), same),
      goal: { atMost: 2 },
    },
    { measure: `\`true\`, p50, ${contender} : no start files`, unit: '×', samples: ratios(at(0.5), bare) },
    { measure: `100 KB of command, ${contender}`, unit: 'ms', samples: answers.map(({ longMs }) => longMs) },
    { measure: `100,000 lines, ${contender}`, unit: 'ms', samples: answers.map(({ linesMs }) => linesMs) },
  ];
}
