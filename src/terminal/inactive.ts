/** Creates the error for a terminal whose program has ended, with the same text wherever the terminal is held. */
import { TerminalError } from '../errors.js';
import type { ProgramExit } from './ending.js';

/**
 * @param next - What the caller can do to continue.
 * @param isLost - Whether the program was lost with its host process.
 */
export function inactive(id: string, { exitCode, signal }: ProgramExit, next: string, isLost = false): TerminalError {
  const how = isLost ? 'was lost with its host process' : `has ended (${signal ?? `exit code ${exitCode}`})`;
  const message = `The program in terminal ${id} ${how}; its output can still be read. To continue, ${next}.`;
  return new TerminalError('TERMINAL_INACTIVE', message, { terminalId: id, exitCode, signal });
}
