/** Defines the result of a check by `tenacitty doctor`. */

export interface Finding {
  /** What was checked. */
  readonly what: string;
  /** `note`: not a problem, but worth knowing. */
  readonly state: 'ok' | 'note' | 'wrong';
  /** What was found and, if something is wrong, what to do. */
  readonly says: string;
}

export function ok(what: string, says: string): Finding {
  return { what, state: 'ok', says };
}

export function note(what: string, says: string): Finding {
  return { what, state: 'note', says };
}

export function wrong(what: string, says: string): Finding {
  return { what, state: 'wrong', says };
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
