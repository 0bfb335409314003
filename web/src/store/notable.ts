/**
 * Decides what to notify the user about: a new question, or the end of a command that ran for at least a minute. Pure.
 */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import type { Fleet } from './fleet.js';
import { asks, wanted } from './state-of.js';

const LONG_MS = 60_000;

export interface Notice {
  readonly terminal: OverviewTerminal;
  readonly words: string;
}

export function noticesOf(before: Fleet, after: Fleet): Notice[] {
  return [...after.values()].flatMap((terminal) => {
    const known = before.get(terminal.id);
    if (known === undefined || known === terminal) return [];
    const words = questionWords(known, terminal) ?? endWords(known, terminal);
    return words === null ? [] : [{ terminal, words }];
  });
}

/** Returns the words for a question that is new, or null. */
export function questionWords(known: OverviewTerminal, { waiting }: OverviewTerminal): string | null {
  return asks(waiting) && waiting.id !== known.waiting?.id ? `is waiting for ${wanted(waiting)}` : null;
}

function endWords(known: OverviewTerminal, { lastCommand }: OverviewTerminal): string | null {
  const isNew = known.lastCommand?.commandId === lastCommand?.commandId && known.lastCommand?.ended === null;
  if (!isNew || !lastCommand?.ended) return null;
  if (Date.parse(lastCommand.ended) - Date.parse(lastCommand.started) < LONG_MS) return null;
  return lastCommand.exitCode === null ? 'a command has ended' : `a command has ended, exit ${lastCommand.exitCode}`;
}
