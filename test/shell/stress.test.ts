/**
 * Tests many commands from many callers in one terminal: each command has its own output and exit code, and the order
 * of each caller is preserved.
 */
import type { CommandResult } from '../../src/contract/command.js';
import { runs } from '../deep.js';
import { expectEnd, shellOfTest, underTest, untilTaken } from './shell-at-work.js';
import type { ShellAtWork } from './shell-at-work.js';

/** Nothing here takes nearly as long, except on a busy machine. */
const STRESS_TIMEOUT_MS = 240_000;
const WRITERS = 4;
const RUNS = runs({ normal: 50, deep: 300 });
/** Exit codes up to 199. */
const EXIT_CODES = 200;
const CALLERS = 20;
const RUNS_OF_A_CALLER = 5;

let at: ShellAtWork;
const startShell = shellOfTest();

/** Prints numbered lines forever, each in one write. */
const WRITER =
  `python3 -c 'import itertools, time\n` +
  `for i in itertools.count(): print("NOISE%d" % i, flush=True); time.sleep(0.001)' &`;

/** Returns what a command itself has printed, among writers; lines of two writers may run into each other. */
function ownOutput({ output }: CommandResult): string {
  return output.replaceAll(/NOISE\d+|\n/g, '');
}

describe.each(underTest())('%s', (name) => {
  it(
    `runs ${RUNS} commands next to ${WRITERS} jobs that print constantly: each output and exit code is its own`,
    async () => {
      at = await startShell(name);
      await at.exec({ fish: 'function fail; return $argv[1]; end', other: 'fail() { return "$1"; }' });
      for (let i = 0; i < WRITERS; i++) await at.exec(WRITER);
      await at.shows('NOISE9');
      const wrong: unknown[] = [];
      for (let i = 0; i < RUNS; i++) {
        const result = await at.exec(`echo R${i}; fail ${i % EXIT_CODES}`);
        const isRight = result.completed && result.via === 'marker' && result.exitCode === i % EXIT_CODES;
        if (!isRight || ownOutput(result) !== `R${i}`) wrong.push([i, result]);
      }
      expect(wrong).toEqual([]);
    },
    STRESS_TIMEOUT_MS,
  );

  it(
    `serves ${CALLERS} concurrent callers: none are confused, and each is served in its own order`,
    async () => {
      at = await startShell(name);
      await at.exec({ fish: 'set n 0', other: 'n=0' });
      const count = at.isFish ? 'set n (math $n + 1)' : 'n=$((n+1))';
      const call = async (caller: number): Promise<CommandResult[]> => {
        const results: CommandResult[] = [];
        for (let turn = 0; turn < RUNS_OF_A_CALLER; turn++) {
          results.push(await untilTaken(() => at.exec(`${count}; echo caller ${caller} turn ${turn} as $n`)));
        }
        return results;
      };
      const results = await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
      results.forEach((own, caller) =>
        own.forEach((result, turn) => expectEnd(result, 0, `caller ${caller} turn ${turn} as ${result.commandId - 1}`)),
      );
      const ids = results.flatMap((own) => own.map(({ commandId }) => commandId)).sort((a, b) => a - b);
      expect(ids).toEqual(Array.from({ length: CALLERS * RUNS_OF_A_CALLER }, (_, index) => index + 2));
    },
    STRESS_TIMEOUT_MS,
  );
});
