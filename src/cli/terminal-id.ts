/** From what a person gives as ID to a terminal: its id, the beginning of one, or its name. It knows no command. */
import { commandName } from '../command-name.js';
import type { TerminalManager } from '../contract/manager.js';
import { currentOf, isName, MIN_ID_PREFIX } from '../contract/name.js';
import type { TerminalSummary } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';

/** What lists show; longer where two begin alike. */
const SHORT_LENGTH = 8;
const MAX_CANDIDATES = 8;

/**
 * The terminal whose id is, or begins with, what was given, or the current one of that name.
 *
 * @throws `TERMINAL_NOT_FOUND` if there is none, or more than one; the message lists those. `HOST_UNRESPONSIVE` if
 * that cannot be told.
 */
export async function findTerminal(manager: TerminalManager, given: string): Promise<TerminalSummary> {
  const terminals = await manager.list();
  try {
    return pickTerminal(terminals, given);
  } catch (error) {
    return throwUnlessIncomplete(manager, error, JSON.stringify(given));
  }
}

/**
 * Throws the refusal of a terminal that is not there; another where that cannot be told.
 *
 * @param what - Names the terminal that was asked for.
 */
export async function throwUnlessIncomplete(manager: TerminalManager, refusal: unknown, what: string): Promise<never> {
  const { isIncomplete, problems } = await manager.summary();
  if (!isIncomplete) throw refusal;
  const message = `It cannot be told whether there is a terminal ${what}: ${problems.join('; ')}`;
  throw new TerminalError('HOST_UNRESPONSIVE', message);
}

/** As `findTerminal`, among terminals already listed. */
export function pickTerminal(terminals: readonly TerminalSummary[], typed: string): TerminalSummary {
  // Ids are in lower case, and not always copied so.
  const given = typed.toLowerCase();
  const exact = terminals.find(({ id }) => id === given);
  if (exact) return exact;
  // No id is a name, nor is what one begins with.
  const named = isName(given) ? currentOf(terminals.filter(({ name }) => name === given)) : undefined;
  if (named) return named;
  const matches = given.length >= MIN_ID_PREFIX ? terminals.filter(({ id }) => id.startsWith(given)) : [];
  if (matches.length === 1) return matches[0]!;
  throw matches.length === 0 ? unknown(given) : ambiguous(given, matches);
}

/** Whether it names one of them, or several. */
export function isId(terminals: readonly TerminalSummary[], typed: string): boolean {
  const given = typed.toLowerCase();
  return terminals.some(({ id, name }) => name === given || (given.length >= MIN_ID_PREFIX && id.startsWith(given)));
}

function unknown(given: string): TerminalError {
  const hint =
    given.length < MIN_ID_PREFIX && /^[0-9a-f-]+$/.test(given)
      ? ` An id may be shortened, to ${MIN_ID_PREFIX} characters at least.`
      : '';
  const message = `There is no terminal ${JSON.stringify(given)}.${hint} See ${commandName()} ls.`;
  return new TerminalError('TERMINAL_NOT_FOUND', message, { terminalId: given });
}

function ambiguous(given: string, matches: readonly TerminalSummary[]): TerminalError {
  const lines = [`${matches.length} terminals have an id that begins with ${given}:`, ...listedLines(matches)];
  return new TerminalError('TERMINAL_NOT_FOUND', lines.join('\n'), { terminalId: given });
}

/** For a choice among them. */
export function listedLines(terminals: readonly TerminalSummary[]): string[] {
  const shown = terminals.slice(0, MAX_CANDIDATES).map(({ id, name, status, shell }) => {
    return `  ${id}  ${status}  ${shell}${name === null ? '' : `  ${name}`}`;
  });
  return terminals.length > MAX_CANDIDATES ? [...shown, `  and ${terminals.length - MAX_CANDIDATES} more`] : shown;
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

/** A terminal as the REST API gives it: its id has two names there. */
export function asInRest<Terminal extends Pick<TerminalSummary, 'id'>>(
  terminal: Terminal,
): Terminal & { readonly terminalId: string } {
  return { ...terminal, terminalId: terminal.id };
}

/** For talk about one terminal, which may have a name. */
export function called({ id, name }: Pick<TerminalSummary, 'id' | 'name'>): string {
  return name === null ? shortId(id) : `${shortId(id)} (${name})`;
}

/** For talk about one terminal. */
export function shortId(id: string): string {
  return id.slice(0, SHORT_LENGTH);
}
