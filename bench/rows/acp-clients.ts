/**
 * The cost of a command for an agent that uses tenacitty's client, over its pipes, compared with the best other client.
 */
import { acpx, acpxName, askOnce, tenacitty, whyNoAcpx } from '../acp-clients.js';
import type { AgentTimes, ClientCommand, CommandTime } from '../acp-clients.js';
import { median, ratios } from '../numbers.js';
import { byTurns } from '../row.js';
import type { Measurement, BenchRun } from '../row.js';

const RUNS = 15;
const OUTPUTS = 3;

/** The name in the results. */
const OURS = 'acp run';

/** Of one turn; the median if there are several values. */
const MEASURES: Readonly<Record<string, (times: AgentTimes) => number>> = {
  'first `true`, to output': ({ first }) => first.outputMs,
  '`true`, p50, to output': ({ short }) => median(short.map(outputMs)),
  '`true`, p50, to release': ({ short }) => median(short.map(releaseMs)),
  '10 MB, to output': ({ long }) => median(long.map(outputMs)),
  '10 MB, to release': ({ long }) => median(long.map(releaseMs)),
};

/** Measures only tenacitty's client if the other one is not available, and reports why. */
export async function compareClients(run: BenchRun, outputBytes: number, keptBytes: number): Promise<Measurement[]> {
  const turn = (client: ClientCommand) => () => askOnce(client, [RUNS, OUTPUTS, outputBytes, keptBytes]);
  const ours = turn(tenacitty);
  const reason = whyNoAcpx();
  if (reason === undefined) {
    const times = await byTurns(run, { acpx: turn(acpx), [OURS]: ours });
    return compared(times[OURS], times.acpx, acpxName());
  }
  run.progress(`without acpx: ${reason}`);
  const alone = await byTurns(run, { [OURS]: ours });
  return [...measured(OURS, alone[OURS]), { measure: `acpx: ${reason}`, unit: 'ms', samples: [] }];
}

const outputMs = (time: CommandTime): number => time.outputMs;
const releaseMs = (time: CommandTime): number => time.releaseMs;

function measured(contender: string, times: readonly AgentTimes[]): Measurement[] {
  return Object.entries(MEASURES).map(([name, of]) => ({
    measure: `${name}, ${contender}`,
    unit: 'ms',
    samples: times.map(of),
  }));
}

function compared(ours: readonly AgentTimes[], others: readonly AgentTimes[], other: string): Measurement[] {
  const relative = Object.entries(MEASURES).map(([name, of]) => ({
    measure: `${name}, ${OURS} : ${other}`,
    unit: '×',
    samples: ratios(ours.map(of), others.map(of)),
  }));
  return [...measured(other, others), ...measured(OURS, ours), ...relative];
}
