/** Decides whether a terminal has ended or failed since the user last looked at it. Pure. */
import type { OverviewTerminal } from '../../../src/contract/overview.js';
import type { Fleet } from './fleet.js';

type Looked = Pick<OverviewTerminal, 'status' | 'lastCommand'>;

/** What the user has seen of a terminal: the last command that had ended, and whether the terminal had. */
export interface Seen {
  readonly commandId: number;
  readonly isOver: boolean;
}
export type AllSeen = Readonly<Record<string, Seen>>;

export function seenOf({ status, lastCommand }: Looked): Seen {
  const isRunning = lastCommand !== null && lastCommand.ended === null;
  return { commandId: (lastCommand?.commandId ?? 0) - (isRunning ? 1 : 0), isOver: status !== 'active' };
}

export function isUnseen(terminal: Looked, known: Seen = { commandId: 0, isOver: false }): boolean {
  const { status, lastCommand } = terminal;
  if (status !== 'active') return !known.isOver;
  if (lastCommand === null || lastCommand.ended === null || lastCommand.commandId <= known.commandId) return false;
  return lastCommand.exitCode !== null && lastCommand.exitCode !== 0;
}

/**
 * Returns what has been seen after looking at a terminal, without terminals that no longer exist.
 *
 * @param known - Null if this browser has never looked: then nothing that exists counts as unseen.
 */
export function afterLooking(known: AllSeen | null, fleet: Fleet, open: string): AllSeen {
  const entries = [...fleet.values()].flatMap((terminal): [string, Seen][] => {
    const before = known === null || terminal.id === open ? seenOf(terminal) : known[terminal.id];
    return before === undefined ? [] : [[terminal.id, before]];
  });
  return Object.fromEntries(entries);
}
