/**
 * Maps national and graphic character sets to the final characters of the `ESC (` sequences that designate them. The
 * emulator stores only the sets, so this module designates each set once to build the map.
 */
import { createEmulator } from './emulator.js';
import type { Charset } from './internals.js';

const ASCII = 'B';
const NAMES = '0A4C5RQKYE6ZH7=';

let names: Map<Charset, string> | null = null;

/** Returns what follows `ESC (` to designate this set. */
export function charsetName(charset: Charset | undefined): string {
  names ??= askEmulator();
  return (charset && names.get(charset)) ?? ASCII;
}

function askEmulator(): Map<Charset, string> {
  const { terminal, core } = createEmulator(2, 1);
  const found = new Map<Charset, string>();
  for (const name of NAMES) {
    core.write(`\x1b(${name}`);
    const { charset } = core;
    if (charset) found.set(charset, name);
  }
  terminal.dispose();
  return found;
}
