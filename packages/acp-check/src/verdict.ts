/** Defines the verdict on a case. */

/**
 * The force of a rule. `MUST`: required by the protocol's text or schema. `SHOULD`: recommended, or implied without
 * being stated. `advice`: not specified, but important to agents.
 */
export type Level = 'MUST' | 'SHOULD' | 'advice';

export type Outcome = 'pass' | 'fail' | 'skipped';

/** A request that the check sent, and its response, as JSON of limited length. */
export interface RecordedExchange {
  readonly request: string;
  /** Null as long as there is no response. */
  readonly answer: string | null;
}

export interface Verdict {
  readonly name: string;
  readonly rule: string;
  readonly level: Level;
  readonly source: string;
  readonly outcome: Outcome;
  /** Why the case failed or was skipped; empty if it passed. */
  readonly seen: string;
  /** The last request before the failure, or null if the case did not fail. */
  readonly exchange: RecordedExchange | null;
  readonly durationMs: number;
}
