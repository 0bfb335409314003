/** The verdict on a case. */

/**
 * `MUST`: required by the protocol's text or schema. `SHOULD`: recommended, or implied without being stated. `advice`:
 * not specified, but harmful to agents.
 */
export type Level = 'MUST' | 'SHOULD' | 'advice';

export type Outcome = 'pass' | 'fail' | 'skipped';

/** A request that the check sent and its response, as JSON of limited length. */
export interface RecordedExchange {
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
  /** Why it failed or was skipped; empty if it passed. */
  readonly seen: string;
  /** If it failed: the last request before the failure. */
  readonly exchange: RecordedExchange | null;
  readonly durationMs: number;
}
