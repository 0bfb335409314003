/**
 * The cost of a command for an ACP agent: create, wait, output and release, compared with a client that uses plain
 * pipes.
 */
import { runContender } from '../contender.js';
import type { TerminalLocation } from '../hosts.js';
import { quantile, ratios } from '../numbers.js';
import { byTurns } from '../row.js';
import type { Measurement, BenchRow } from '../row.js';
import { compareClients } from './acp-clients.js';

export interface AcpRequest {
  /** How often `true` is run. */
  readonly runs: number;
  /** Where the terminals are held; `pipes`: the other client. */
  readonly where: TerminalLocation | 'pipes';
}

export interface AcpAnswer {
  /** Of `true`, one value per run. */
  readonly shortMs: readonly number[];
  /** Of a command that prints `OUTPUT_BYTES`. */
  readonly outputMs: number;
}

export const OUTPUT_BYTES = 10_000_000;
/** The limit that the agent requests. */
export const KEPT_BYTES = 1 << 20;
const RUNS = 100;
const QUICK_RUNS = 40;

export const acp: BenchRow = {
  name: 'acp',
  what:
    'The requests of an ACP agent for one command: `terminal/create`, `wait_for_exit`, `output` and `release`, ' +
    'as function calls in this process, for `true` and for 10 MB of lines of which 1 MiB is kept. Compared ' +
    'with a client as sketched in the protocol documentation: child_process with pipes, no terminal, no limit, ' +
    'killed by its pid. Then a small agent sends the same requests over its stdin and stdout, first to ' +
    '`tenacitty acp run` and then to acpx, which also uses pipes; the agent measures the times.',
  async measure(run) {
    const runs = run.isQuick ? QUICK_RUNS : RUNS;
    const client = (where: AcpRequest['where']) => () =>
      runContender<AcpAnswer>('acp', { runs, where } satisfies AcpRequest);
    const answers = await byTurns(run, { pipes: client('pipes'), process: client('process'), host: client('host') });
    return [
      ...measured('pipes', answers.pipes),
      ...compared('engine', answers.process, answers.pipes),
      ...compared('host', answers.host, answers.pipes),
      ...(await compareClients(run, OUTPUT_BYTES, KEPT_BYTES)),
    ];
  },
};

const p50 = (answers: readonly AcpAnswer[]) => answers.map(({ shortMs }) => quantile(shortMs, 0.5));
const outputMs = (answers: readonly AcpAnswer[]) => answers.map((one) => one.outputMs);

function measured(contender: string, answers: readonly AcpAnswer[]): Measurement[] {
  return [
    { measure: `\`true\`, p50, ${contender}`, unit: 'ms', samples: p50(answers) },
    { measure: `10 MB, ${contender}`, unit: 'ms', samples: outputMs(answers) },
  ];
}

function compared(contender: string, answers: readonly AcpAnswer[], pipes: readonly AcpAnswer[]): Measurement[] {
  return [
    ...measured(contender, answers),
    { measure: `\`true\`, p50, ${contender} : pipes`, unit: '×', samples: ratios(p50(answers), p50(pipes)) },
    { measure: `10 MB, ${contender} : pipes`, unit: '×', samples: ratios(outputMs(answers), outputMs(pipes)) },
  ];
}
