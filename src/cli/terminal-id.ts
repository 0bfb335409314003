/** From what a person gives as ID to a terminal: its id, or the beginning of one. It knows no command. */
import type { TerminalManager } from '../contract/manager.js';
import type { TerminalSummary } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';

/** Fewer would name another terminal tomorrow. */
export const MIN_PREFIX = 4;
/** What lists show; longer where two begin alike. */
const SHORT_LENGTH = 8;
const MAX_CANDIDATES = 8;

/**
 * The terminal whose id is, or begins with, what was given.
 *
 * @throws `TERMINAL_NOT_FOUND` if there is none, or more than one; the message lists those. `HOST_UNRESPONSIVE` if
 * that cannot be told.
 */
export async function findTerminal(manager: TerminalManager, given: string): Promise<TerminalSummary> {
  const terminals = await manager.list();
  try {
    return pickTerminal(terminals, given);
  } catch (error) {
    const { isIncomplete, problems } = await manager.summary();
    if (!isIncomplete) throw error;
    const message = `It cannot be told whether there is a terminal ${JSON.stringify(given)}: ${problems.join('; ')}`;
    throw new TerminalError('HOST_UNRESPONSIVE', message, { terminalId: given });
  }
}

/** As `findTerminal`, among terminals already listed. */
export function pickTerminal(terminals: readonly TerminalSummary[], typed: string): TerminalSummary {
  // Ids are in lower case, and not always copied so.
  const given = typed.toLowerCase();
  const exact = terminals.find(({ id }) => id === given);
  if (exact) return exact;
  const matches = given.length >= MIN_PREFIX ? terminals.filter(({ id }) => id.startsWith(given)) : [];
  if (matches.length === 1) return matches[0]!;
  throw matches.length === 0 ? unknown(given) : ambiguous(given, matches);
}

function unknown(given: string): TerminalError {
  const hint = given.length < MIN_PREFIX ? ` An id may be shortened, to ${MIN_PREFIX} characters at least.` : '';
  const message = `There is no terminal ${JSON.stringify(given)}.${hint} See tenacitty ls.`;
  return new TerminalError('TERMINAL_NOT_FOUND', message, { terminalId: given });
}

function ambiguous(given: string, matches: readonly TerminalSummary[]): TerminalError {
  const shown = matches.slice(0, MAX_CANDIDATES).map(({ id, status, shell }) => `  ${id}  ${status}  ${shell}`);
  const more = matches.length > MAX_CANDIDATES ? [`  and ${matches.length - MAX_CANDIDATES} more`] : [];
  const lines = [`${matches.length} terminals have an id that begins with ${given}:`, ...shown, ...more];
  return new TerminalError('TERMINAL_NOT_FOUND', lines.join('\n'), { terminalId: given });
}

/** Each id as short as it can be said: eight characters, or as many as tell it from the others. */
export function shortIds(ids: readonly string[]): Map<string, string> {
  const isUnique = (id: string, length: number) =>
    !ids.some((other) => other !== id && other.startsWith(id.slice(0, length)));
  const shorten = (id: string): string => {
    let length = SHORT_LENGTH;
    while (length < id.length && !isUnique(id, length)) length++;
    return id.slice(0, length);
  };
  return new Map(ids.map((id) => [id, shorten(id)]));
}

/** For talk about one terminal. */
export function shortId(id: string): string {
  return id.slice(0, SHORT_LENGTH);
}
