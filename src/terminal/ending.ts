/** Describes why a terminal has ended, in the form that is stored and reported. Pure; does not depend on terminals. */
import type { EndedBy, EndReason } from '../contract/ending.js';

/** The cause of an ending other than the program itself. */
export interface EndCause {
  readonly reason: EndReason;
  /** The setting whose limit was reached. */
  readonly setting?: string | undefined;
}

export const SHUTDOWN: EndCause = { reason: 'shutdown' };

/** How a program ended; both are null if unknown. */
export interface ProgramExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** @param ending - The cause, or null if nothing in this process ended the terminal. */
export function endedByOf(exit: ProgramExit, endedAt: number, ending: EndCause | null): EndedBy {
  return { ...(ending ?? { reason: reasonOf(exit) }), at: new Date(endedAt).toISOString() };
}

function reasonOf({ exitCode, signal }: ProgramExit): EndReason {
  if (signal !== null) return 'signal';
  return exitCode === null ? 'unknown' : 'exit';
}
