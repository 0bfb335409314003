/** Simulates a busy machine in the deep run, so that faults meet delays as they would there. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { DEEP } from '../deep.js';

/** Lower priority than what is tested, but high enough to interrupt everything repeatedly. */
const NICENESS = 10;
/** Maximum CPU time of each process, so that a load that is not ended ends by itself. */
const MAX_SECONDS = 900;
/** Makes a system call in each iteration, and ends with its parent. */
const SCRIPT = `ulimit -t ${MAX_SECONDS}; while kill -0 $PPID 2>/dev/null; do :; done`;

/** In the deep run, for the whole file: one busy process per core. Checks that each was busy until the end. */
export function underLoad(): void {
  if (!DEEP) return;
  let load: ChildProcess[] = [];
  beforeAll(() => {
    load = Array.from({ length: availableParallelism() }, () =>
      spawn('nice', ['-n', String(NICENESS), 'sh', '-c', SCRIPT], { stdio: 'ignore' }),
    );
  });
  afterAll(() => Promise.all(load.map(end)));
}

async function end(busy: ChildProcess): Promise<void> {
  const ended = once(busy, 'close');
  if (!busy.kill('SIGKILL')) throw new Error(`the load ended before the tests did, with ${busy.exitCode}`);
  await ended;
}
