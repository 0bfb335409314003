/** Why a terminal has ended, as it is kept and told. Pure: it knows no terminal. */
import type { EndedBy, EndReason } from '../contract/ending.js';

/** What ends a terminal, beside its program itself. */
export interface Ending {
  readonly reason: EndReason;
  /** Whose value was reached. */
  readonly setting?: string | undefined;
}

export const DELETED: Ending = { reason: 'deleted' };
export const SHUTDOWN: Ending = { reason: 'shutdown' };

/** How a program ended; both are null where that is not known. */
export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** @param ending - Who has ended it; null: nobody here has. */
export function endedByOf(exit: Exit, endedAt: number, ending: Ending | null): EndedBy {
  return { ...(ending ?? { reason: reasonOf(exit) }), at: new Date(endedAt).toISOString() };
}

function reasonOf({ exitCode, signal }: Exit): EndReason {
  if (signal !== null) return 'signal';
  return exitCode === null ? 'unknown' : 'exit';
}
