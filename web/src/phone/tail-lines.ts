/** Merges pages of lines into the last lines of a terminal. Pure. */
import type { CommandRecord } from '../../../src/contract/command.js';

const MAX_LINES = 600;

export interface TailLine {
  readonly line: number;
  readonly text: string;
}

export interface Tail {
  readonly lines: readonly TailLine[];
  /** This line and all later ones may still change. */
  readonly mutableFrom: number;
}

export const EMPTY_TAIL: Tail = { lines: [], mutableFrom: 0 };

interface Page {
  readonly entries?: readonly TailLine[] | undefined;
  readonly mutableFrom: number;
}

/** Replaces the lines from `since` on by those of the page. */
export function withPage({ lines }: Tail, { entries = [], mutableFrom }: Page, since: number): Tail {
  const kept = lines.filter(({ line }) => line < since);
  const added = entries.map(({ line, text }) => ({ line, text }));
  return { lines: [...kept, ...added].slice(-MAX_LINES), mutableFrom };
}

/** Returns the command that printed this line, or null; of nested commands the innermost one. */
export function commandAt(commands: readonly CommandRecord[], line: number): CommandRecord | null {
  return commands.findLast(({ fromLine, toLine }) => fromLine <= line && (toLine === null || line <= toLine)) ?? null;
}
