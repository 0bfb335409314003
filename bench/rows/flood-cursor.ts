/** Floods of programs that address the cursor, compared with reading alone and with the emulator alone. */
import { runContender } from '../contender.js';
import type { EmulatorFlood } from '../contenders/flood-emulator.js';
import type { EngineFlood } from '../contenders/flood-engine.js';
import { editor, processMonitor, progressBars } from '../inputs/cursor-programs.js';
import { withInputFile } from '../inputs/input-file.js';
import { BYTES_PER_MB, ratios } from '../numbers.js';
import type { FloodCost } from '../reference/reference.js';
import { byTurns, expectSame } from '../row.js';
import type { Measurement, BenchRow, BenchRun } from '../row.js';

/** Less than for log lines, because an emulator takes as long for it. */
const FULL_BYTES = 60 * BYTES_PER_MB;
const QUICK_BYTES = 15 * BYTES_PER_MB;

const PROGRAMS = { editor, 'process monitor': processMonitor, 'progress bars': progressBars };

export const floodCursor: BenchRow = {
  name: 'flood-cursor',
  what:
    '`cat` of 60 MB (quick: 15) each of an editor that scrolls and redraws, a process monitor that repaints ' +
    'the whole screen, and six progress bars. Compared with a loop that reads and discards the output, and ' +
    'with such a loop that feeds only `@xterm/headless`.',
  async measure(run) {
    const findings: Measurement[] = [];
    for (const [name, makeBlock] of Object.entries(PROGRAMS)) {
      run.progress(name);
      findings.push(...(await measureProgram(run, name, makeBlock())));
    }
    return findings;
  },
};

function measureProgram(run: BenchRun, name: string, block: Buffer): Promise<Measurement[]> {
  const bytes = run.isQuick ? QUICK_BYTES : FULL_BYTES;
  return withInputFile(name.replaceAll(' ', '-'), block, bytes, async (file) => {
    const { path } = file;
    const { reference, engine, emulator } = await byTurns(run, {
      reference: () => run.reference.flood(path),
      engine: () => runContender<EngineFlood>('flood-engine', { file: path, tailLines: 1 }),
      emulator: () => runContender<EmulatorFlood>('flood-emulator', { file: path }),
    });
    engine.forEach((flood, round) => {
      expectSame(`the number of bytes (${name})`, flood.bytes, file.outputBytes);
      expectSame(`the screen (${name})`, flood.screen, emulator[round]!.screen);
    });
    return programFindings(run, name, file.bytes / BYTES_PER_MB, { reference, engine, emulator });
  });
}

interface Floods {
  readonly reference: readonly FloodCost[];
  readonly engine: readonly FloodCost[];
  readonly emulator: readonly FloodCost[];
}

function programFindings(
  run: BenchRun,
  name: string,
  mb: number,
  { reference, engine, emulator }: Floods,
): Measurement[] {
  const ms = (floods: readonly FloodCost[]) => floods.map((flood) => flood.ms);
  const cpu = (floods: readonly FloodCost[]) => floods.map(({ cpuMs }) => cpuMs / mb);
  // The other's time divided by the engine's is the engine's speed divided by the other's.
  const vsReference = ratios(ms(reference), ms(engine));
  const vsEmulator = ratios(ms(emulator), ms(engine));
  const { name: referenceName } = run.reference;
  return [
    { measure: `${name}: speed, engine : ${referenceName}`, unit: '×', samples: vsReference, goal: { atLeast: 0.35 } },
    { measure: `${name}: speed, engine : emulator alone`, unit: '×', samples: vsEmulator, goal: { atLeast: 1 } },
    { measure: `${name}: CPU, engine : emulator alone`, unit: '×', samples: ratios(cpu(engine), cpu(emulator)) },
    { measure: `${name}: CPU, engine`, unit: 'ms/MB', samples: cpu(engine) },
  ];
}
