/**
 * Remembers the ids given to an agent and their sessions, to distinguish a released terminal from one that never
 * existed. Pure.
 */

/** More than any agent refers to again. Beyond this number, the oldest ids are dropped. */
export const MOST_IDS_REMEMBERED = 10_000;

export class GivenIds {
  readonly #most: number;
  readonly #sessionIds = new Map<string, string>();

  constructor(most = MOST_IDS_REMEMBERED) {
    this.#most = most;
  }

  /** Adding an id again makes it the newest. */
  add(terminalId: string, sessionId: string): void {
    this.#sessionIds.delete(terminalId);
    this.#sessionIds.set(terminalId, sessionId);
    if (this.#sessionIds.size > this.#most) this.#sessionIds.delete(this.#sessionIds.keys().next().value!);
  }

  sessionOf(terminalId: string): string | undefined {
    return this.#sessionIds.get(terminalId);
  }
}
