/** Resolves the ID that a person uses for a terminal: its id, a prefix of its id, or its name. */
import { commandName } from '../command-name.js';
import type { TerminalManager } from '../contract/manager.js';
import { currentOf, isName, MIN_ID_PREFIX } from '../contract/name.js';
import type { TerminalSummary } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';

/** Length of an id in lists and messages. Lists show more if two ids begin alike. */
const SHORT_LENGTH = 8;
const MAX_CANDIDATES = 8;

/**
 * Returns the terminal whose id equals or starts with the given string, or the current terminal with that name.
 *
 * @throws `TERMINAL_NOT_FOUND` if there is no such terminal, or if there are several, in which case the message lists
 * them; `HOST_UNRESPONSIVE` if that cannot be determined, because a host is not responding.
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
 * Throws `refusal` if the terminal does not exist, or `HOST_UNRESPONSIVE` if the terminal could be in a host that is
 * not responding.
 *
 * @param what - Describes the terminal that was requested.
 */
export async function throwUnlessIncomplete(manager: TerminalManager, refusal: unknown, what: string): Promise<never> {
  const { isIncomplete, problems } = await manager.summary();
  if (!isIncomplete) throw refusal;
  const message = `Cannot determine whether there is a terminal ${what}: ${problems.join('; ')}`;
  throw new TerminalError('HOST_UNRESPONSIVE', message);
}

/** Like `findTerminal`, but searches terminals that have already been listed. */
export function pickTerminal(terminals: readonly TerminalSummary[], input: string): TerminalSummary {
  // Ids are in lower case, but may have been copied in upper case.
  const given = input.toLowerCase();
  const exact = terminals.find(({ id }) => id === given);
  if (exact) return exact;
  // A name never looks like an id or a prefix of one.
  const named = isName(given) ? currentOf(terminals.filter(({ name }) => name === given)) : undefined;
  if (named) return named;
  const matches = given.length >= MIN_ID_PREFIX ? terminals.filter(({ id }) => id.startsWith(given)) : [];
  if (matches.length === 1) return matches[0]!;
  throw matches.length === 0 ? unknown(given) : ambiguous(given, matches);
}

/** Returns whether the input is the name of a terminal, its id, or a prefix of an id. */
export function isId(terminals: readonly TerminalSummary[], input: string): boolean {
  const given = input.toLowerCase();
  return terminals.some(({ id, name }) => name === given || (given.length >= MIN_ID_PREFIX && id.startsWith(given)));
}

function unknown(given: string): TerminalError {
  const hint =
    given.length < MIN_ID_PREFIX && /^[0-9a-f-]+$/.test(given)
      ? ` An id can be shortened to its first ${MIN_ID_PREFIX} or more characters.`
      : '';
  const message = `There is no terminal ${JSON.stringify(given)}.${hint} See ${commandName()} ls.`;
  return new TerminalError('TERMINAL_NOT_FOUND', message, { terminalId: given });
}

function ambiguous(given: string, matches: readonly TerminalSummary[]): TerminalError {
  const lines = [`${matches.length} terminals have an id that starts with ${given}:`, ...listedLines(matches)];
  return new TerminalError('TERMINAL_NOT_FOUND', lines.join('\n'), { terminalId: given });
}

/** Lists terminals to choose from. */
export function listedLines(terminals: readonly TerminalSummary[]): string[] {
  const shown = terminals.slice(0, MAX_CANDIDATES).map(({ id, name, status, shell }) => {
    return `  ${id}  ${status}  ${shell}${name === null ? '' : `  ${name}`}`;
  });
  return terminals.length > MAX_CANDIDATES ? [...shown, `  and ${terminals.length - MAX_CANDIDATES} more`] : shown;
}

/** Returns the short form of each id: eight characters, or as many more as it needs to be unique. */
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

/** Returns a terminal as the REST API does, with its id under two names. */
export function asInRest<Terminal extends Pick<TerminalSummary, 'id'>>(
  terminal: Terminal,
): Terminal & { readonly terminalId: string } {
  return { ...terminal, terminalId: terminal.id };
}

/** Returns a terminal's short id and its name, if any, for messages. */
export function describeTerminal({ id, name }: Pick<TerminalSummary, 'id' | 'name'>): string {
  return name === null ? shortId(id) : `${shortId(id)} (${name})`;
}

/** Returns a short id, for messages about one terminal. */
export function shortId(id: string): string {
  return id.slice(0, SHORT_LENGTH);
}
