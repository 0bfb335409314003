/** What the doctor finds. */

export interface Finding {
  /** What was looked at. */
  readonly what: string;
  /** `note`: worth knowing, nothing to mend. */
  readonly state: 'ok' | 'note' | 'wrong';
  /** What was found and, where it is wrong, what to do. */
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
