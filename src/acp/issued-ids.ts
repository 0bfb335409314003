/**
 * Remembers which terminal ids an agent has received, and for which session, to distinguish a released terminal from
 * one that never existed. Pure.
 */

/** Maximum number of ids, more than any agent refers to again. Further ids displace the oldest. */
export const MAX_REMEMBERED_IDS = 10_000;

export class IssuedIds {
  readonly #most: number;
  readonly #sessionIds = new Map<string, string>();

  constructor(most = MAX_REMEMBERED_IDS) {
    this.#most = most;
  }

  /** Adds an id as the newest, even if it has been added before. */
  add(terminalId: string, sessionId: string): void {
    this.#sessionIds.delete(terminalId);
    this.#sessionIds.set(terminalId, sessionId);
    if (this.#sessionIds.size > this.#most) this.#sessionIds.delete(this.#sessionIds.keys().next().value!);
  }

  sessionOf(terminalId: string): string | undefined {
    return this.#sessionIds.get(terminalId);
  }
}
