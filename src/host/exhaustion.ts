/**
 * Keeps the process alive when it temporarily runs out of file descriptors or memory, because it holds many terminals.
 * The operation that needed them fails and its caller gets the error; everything else continues.
 */
import { inspect } from 'node:util';
import type { EngineLog } from '../contract/options.js';

const EXHAUSTED: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EAGAIN'];

/** After this call, only uncaught exceptions of other kinds end the process. */
export function surviveExhaustion(log: EngineLog): void {
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (!EXHAUSTED.includes(error.code)) return end(error);
    log('error', 'Out of file descriptors or memory; the host process continues', { error: error.message });
  });
}

/** Prints the error and exits, as Node does by default. */
function end(error: unknown): void {
  process.stderr.write(`${inspect(error)}\n`);
  process.exit(1);
}
