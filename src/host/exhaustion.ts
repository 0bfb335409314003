/**
 * A process that is out of descriptors or memory for a moment does not end of it, for it holds everybody's terminals: what
 * needed them fails, whoever asked for that is told, and all else goes on. It knows no terminals.
 */
import { inspect } from 'node:util';
import type { EngineLog } from '../contract/options.js';

const EXHAUSTED: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EAGAIN'];

/** From now on an exception that nobody catches ends the process only where it is of another kind. */
export function surviveExhaustion(log: EngineLog): void {
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (!EXHAUSTED.includes(error.code)) return end(error);
    log('error', 'Out of descriptors or memory; the host goes on', { error: error.message });
  });
}

/** As the runtime does by itself. */
function end(error: unknown): void {
  process.stderr.write(`${inspect(error)}\n`);
  process.exit(1);
}
