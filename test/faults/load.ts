/** A busy machine for the deep run, so that faults meet what they would meet there: nothing gets its turn at once. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { DEEP } from '../deep.js';

/** Less than what is tested, but not nothing: enough that everything is interrupted again and again. */
const NICENESS = 10;
/** Of the processor, for each; a load that nobody ends, ends. */
const MAX_SECONDS = 900;
/** Asks the kernel something at each turn, and is gone with who started it. */
const SCRIPT = `ulimit -t ${MAX_SECONDS}; while kill -0 $PPID 2>/dev/null; do :; done`;

/** In the deep run, for the whole file: one busy process for each core, which is proven to have been busy until the end. */
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
