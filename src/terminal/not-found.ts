/** Creates the error for a missing terminal, with the same text in every manager. */
import { TerminalError } from '../errors.js';

/** @param isName - Whether a terminal has this name, so that `get` would have found it. */
export function notFound(id: string, isName: boolean): TerminalError {
  const why = isName
    ? `; a terminal has this name, but only get accepts a name: use the id that get(${JSON.stringify(id)}) returns`
    : '; it never existed, was removed, or expired';
  return new TerminalError('TERMINAL_NOT_FOUND', `Terminal ${id} not found${why}`, { terminalId: id });
}
