/** What is said of a case when it has ended. */

/**
 * `MUST`: what the protocol says, or its schema. `SHOULD`: what it recommends, or what follows though it is not said.
 * `advice`: where it is silent, and agents are hurt all the same.
 */
export type Level = 'MUST' | 'SHOULD' | 'advice';

export type Outcome = 'pass' | 'fail' | 'skipped';

/** A request of the check and the answer to it, as JSON of at most so many characters. */
export interface Exchange {
  readonly request: string;
  /** Null while there is none. */
  readonly answer: string | null;
}

export interface Verdict {
  readonly name: string;
  readonly rule: string;
  readonly level: Level;
  readonly source: string;
  readonly outcome: Outcome;
  /** Why it failed or was skipped; empty where it passed. */
  readonly seen: string;
  /** Where it failed: what was asked last before that was seen. */
  readonly exchange: Exchange | null;
  readonly durationMs: number;
}
