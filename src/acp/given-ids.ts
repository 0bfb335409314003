/** The ids that an agent was given, and in which session: what tells a terminal that was released from one that never was. Pure. */

/** More than any agent takes up again; beyond it the oldest are forgotten. */
export const MOST_IDS_REMEMBERED = 10_000;

export class GivenIds {
  readonly #most: number;
  readonly #sessionIds = new Map<string, string>();

  constructor(most = MOST_IDS_REMEMBERED) {
    this.#most = most;
  }

  /** Whoever is told of once more is remembered for longer. */
  add(terminalId: string, sessionId: string): void {
    this.#sessionIds.delete(terminalId);
    this.#sessionIds.set(terminalId, sessionId);
    if (this.#sessionIds.size > this.#most) this.#sessionIds.delete(this.#sessionIds.keys().next().value!);
  }

  sessionOf(terminalId: string): string | undefined {
    return this.#sessionIds.get(terminalId);
  }
}
