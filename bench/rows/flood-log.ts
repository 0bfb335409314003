/** Floods of log lines into numbered, rendered, indexed history and screen, compared with reading alone. */
import { runContender } from '../contender.js';
import type { EngineFlood } from '../contenders/flood-engine.js';
import { withInputFile } from '../inputs/input-file.js';
import type { InputFile } from '../inputs/input-file.js';
import { colouredLog, lastLinesSeen, plainLog } from '../inputs/log-lines.js';
import { BYTES_PER_MB, ratios } from '../numbers.js';
import type { FloodCost } from '../reference/reference.js';
import { byTurns, expectSame } from '../row.js';
import type { Measurement, BenchRow, BenchRun } from '../row.js';

const FULL_BYTES = 200 * BYTES_PER_MB;
const QUICK_BYTES = 50 * BYTES_PER_MB;
const TAIL_LINES = 50;

export const floodPlain = floodRow('flood-plain', 'plain', plainLog);
export const floodColoured = floodRow('flood-coloured', 'coloured', colouredLog);

function floodRow(name: string, kind: string, makeBlock: () => Buffer): BenchRow {
  const what =
    `\`cat\` of 200 MB (quick: 50) of ${kind} log lines into a terminal, until it has ended and its last lines ` +
    'and screen have been read, compared with loops that read and discard the output.';
  return { name, what, measure: (run) => measureFlood(run, name, makeBlock()) };
}

async function measureFlood(run: BenchRun, name: string, block: Buffer): Promise<Measurement[]> {
  return withInputFile(name, block, run.isQuick ? QUICK_BYTES : FULL_BYTES, async (file) => {
    const { path } = file;
    const floods = await byTurns(run, {
      reference: () => run.reference.flood(path),
      engine: () => runContender<EngineFlood>('flood-engine', { file: path, tailLines: TAIL_LINES }),
      bare: () => runContender<FloodCost>('flood-bare', { file: path }),
    });
    for (const flood of floods.engine) checkEngine(flood, file, lastLinesSeen(block, TAIL_LINES));
    return findings(run, file, floods);
  });
}

function checkEngine(flood: EngineFlood, file: InputFile, tail: string): void {
  expectSame('the number of bytes', flood.bytes, file.outputBytes);
  expectSame('the number of lines', flood.totalLines, file.lines);
  expectSame('the tail', flood.tail, tail);
}

interface Floods {
  readonly reference: readonly FloodCost[];
  readonly engine: readonly FloodCost[];
  readonly bare: readonly FloodCost[];
}

function findings(run: BenchRun, { bytes }: InputFile, { reference, engine, bare }: Floods): Measurement[] {
  const mb = bytes / BYTES_PER_MB;
  const speed = (floods: readonly FloodCost[]) => floods.map(({ ms }) => (mb / ms) * 1000);
  const cpu = (floods: readonly FloodCost[]) => floods.map(({ cpuMs }) => cpuMs / mb);
  const vsReference = ratios(speed(engine), speed(reference));
  return [
    { measure: `speed, engine : ${run.reference.name}`, unit: '×', samples: vsReference, goal: { atLeast: 0.8 } },
    { measure: 'CPU, engine', unit: 'ms/MB', samples: cpu(engine), goal: { atMost: 3 } },
    { measure: `CPU, ${run.reference.name}`, unit: 'ms/MB', samples: cpu(reference) },
    { measure: 'CPU, bare Node loop', unit: 'ms/MB', samples: cpu(bare) },
    { measure: 'speed, engine : bare Node loop', unit: '×', samples: ratios(speed(engine), speed(bare)) },
    { measure: 'speed, engine', unit: 'MB/s', samples: speed(engine) },
    { measure: `speed, ${run.reference.name}`, unit: 'MB/s', samples: speed(reference) },
  ];
}
