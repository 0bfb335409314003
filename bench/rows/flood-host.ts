/**
 * A flood of plain log lines through a host process to a follower in another process, compared with the engine in one
 * process and with reading alone.
 */
import { runContender } from '../contender.js';
import type { EngineFlood } from '../contenders/flood-engine.js';
import type { FollowedFlood, FollowRequest } from '../contenders/flood-followed.js';
import { withInputFile } from '../inputs/input-file.js';
import type { InputFile } from '../inputs/input-file.js';
import { lastLinesSeen, plainLog } from '../inputs/log-lines.js';
import { BYTES_PER_MB, ratios } from '../numbers.js';
import type { FloodCost } from '../reference/reference.js';
import { byTurns, expectSame } from '../row.js';
import type { Measurement, BenchRow, BenchRun } from '../row.js';

const FULL_BYTES = 200 * BYTES_PER_MB;
const QUICK_BYTES = 50 * BYTES_PER_MB;
const TAIL_LINES = 50;

export const floodHost: BenchRow = {
  name: 'flood-host',
  what:
    '`cat` of 200 MB (quick: 50) of plain log lines in a host process, until a second process has received all ' +
    'of it: a subscriber (with history on disk, the default, and in memory only) or a reader that follows ' +
    'cursors. Compared with the engine in one process, in memory, without a follower, and with a loop that ' +
    'reads and discards the output. CPU is that of host and follower together.',
  async measure(run) {
    const block = plainLog();
    return withInputFile('flood-host', block, run.isQuick ? QUICK_BYTES : FULL_BYTES, async (file) => {
      const floods = await measureFloods(run, file.path);
      const tail = lastLinesSeen(block, TAIL_LINES);
      for (const flood of [...floods.engine, ...followedOf(floods)]) checkFlood(flood, file, tail);
      for (const flood of [...floods.onDisk, ...floods.inMemory]) checkTaken(flood, file.outputBytes);
      for (const flood of floods.reader) checkTaken(flood, file.lines);
      return findings(run, file, floods);
    });
  },
};

interface Floods {
  readonly reference: readonly FloodCost[];
  readonly engine: readonly EngineFlood[];
  /** With a subscriber, by where the history is. */
  readonly onDisk: readonly FollowedFlood[];
  readonly inMemory: readonly FollowedFlood[];
  readonly reader: readonly FollowedFlood[];
}

const followedOf = ({ onDisk, inMemory, reader }: Floods): FollowedFlood[] => [...onDisk, ...inMemory, ...reader];

function measureFloods(run: BenchRun, file: string): Promise<Floods> {
  const tailLines = TAIL_LINES;
  const followed = (request: Pick<FollowRequest, 'where' | 'by'>) => () =>
    runContender<FollowedFlood>('flood-followed', { file, tailLines, ...request } satisfies FollowRequest);
  return byTurns(run, {
    reference: () => run.reference.flood(file),
    engine: () => runContender<EngineFlood>('flood-engine', { file, tailLines }),
    onDisk: followed({ where: 'host', by: 'subscriber' }),
    inMemory: followed({ where: 'host, memory', by: 'subscriber' }),
    reader: followed({ where: 'host', by: 'reader' }),
  });
}

function checkFlood(flood: EngineFlood, file: InputFile, tail: string): void {
  expectSame('the number of bytes', flood.bytes, file.outputBytes);
  expectSame('the number of lines', flood.totalLines, file.lines);
  expectSame('the tail', flood.tail, tail);
}

/** Checks that everything that the follower did not receive was reported as dropped. */
function checkTaken({ taken, missed }: FollowedFlood, all: number): void {
  expectSame('bytes that the follower received or was told were dropped', taken + missed, all);
}

function findings(run: BenchRun, file: InputFile, floods: Floods): Measurement[] {
  const { reference, engine, onDisk, inMemory, reader } = floods;
  const mb = file.bytes / BYTES_PER_MB;
  const speed = (some: readonly FloodCost[]) => some.map(({ ms }) => (mb / ms) * 1000);
  const of = (contender: string, some: readonly FollowedFlood[], all: number): Measurement[] => [
    {
      measure: `speed, ${contender} : ${run.reference.name}`,
      unit: '×',
      samples: ratios(speed(some), speed(reference)),
    },
    { measure: `speed, ${contender} : engine in process`, unit: '×', samples: ratios(speed(some), speed(engine)) },
    { measure: `speed, ${contender}`, unit: 'MB/s', samples: speed(some) },
    { measure: `CPU, ${contender}`, unit: 'ms/MB', samples: some.map(({ cpuMs }) => cpuMs / mb) },
    { measure: `CPU of the host, ${contender}`, unit: 'ms/MB', samples: some.map(({ hostCpuMs }) => hostCpuMs / mb) },
    { measure: `missed and told, ${contender}`, unit: '%', samples: some.map(({ missed }) => (100 * missed) / all) },
  ];
  const [first, ...rest] = of('subscriber', onDisk, file.outputBytes);
  return [
    { ...first!, goal: { atLeast: 0.65 } },
    ...rest,
    ...of('subscriber, memory only', inMemory, file.outputBytes),
    ...of('reader by cursor', reader, file.lines),
    { measure: 'speed, engine in process', unit: 'MB/s', samples: speed(engine) },
    { measure: 'CPU, engine in process', unit: 'ms/MB', samples: engine.map(({ cpuMs }) => cpuMs / mb) },
    { measure: `speed, ${run.reference.name}`, unit: 'MB/s', samples: speed(reference) },
  ];
}
