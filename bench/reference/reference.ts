/** The reference for floods: a C read loop, compiled here if there is a compiler, otherwise a bare loop in Node. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, runContender, runProgram } from '../contender.js';

/**
 * Read before a flood is measured by all contenders except the C loop: a server runs for longer than the second in
 * which its code is loaded and compiled.
 */
export const WARM_UP_BYTES = '30000000';

/** The cost of reading everything a program writes. CPU is the user and system time of the reading process. */
export interface FloodCost {
  readonly ms: number;
  readonly cpuMs: number;
  readonly bytes: number;
}

export interface Reference {
  /** Its name in the results. */
  readonly name: string;
  /** Reads all output of `cat file` in a pseudo-terminal. */
  flood(file: string): Promise<FloodCost>;
}

export const BUILD_DIRECTORY = join(ROOT, 'bench', '.build');
const SOURCE = fileURLToPath(new URL('forkpty.c', import.meta.url));

const BARE_NODE: Reference = {
  name: 'bare Node loop (no C compiler here)',
  flood: (file) => runContender<FloodCost>('flood-bare', { file }),
};

/** Compiles the C loop; without a compiler, returns the loop in Node. */
export function buildReference(): Reference {
  mkdirSync(BUILD_DIRECTORY, { recursive: true });
  const program = join(BUILD_DIRECTORY, 'forkpty');
  const { status } = spawnSync('cc', ['-O2', '-o', program, SOURCE, '-lutil'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) return BARE_NODE;
  return { name: 'C forkpty loop', flood: (file) => runProgram<FloodCost>(program, ['cat', file]) };
}
