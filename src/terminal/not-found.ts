/** The error for a missing terminal, with the same text in every manager. */
import { TerminalError } from '../errors.js';

/** @param isName - Whether a terminal has this as its name: `get` would have found it. */
export function notFound(id: string, isName: boolean): TerminalError {
  const why = isName
    ? `; it is the name of one: all methods but get take the id, which get(${JSON.stringify(id)}) tells`
    : '; it never existed, was removed, or expired';
  return new TerminalError('TERMINAL_NOT_FOUND', `Terminal ${id} not found${why}`, { terminalId: id });
}
