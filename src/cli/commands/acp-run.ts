/** `tenacitty acp run`: a client in the terminal for an agent that speaks ACP. */
import { TerminalError } from '../../errors.js';

export function acpRun(): Promise<number> {
  throw new TerminalError('INTERNAL_ERROR', 'acp run is not there yet.');
}
