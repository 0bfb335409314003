/** What a case is, and how one ends. It knows no rule. */
import type { Stage } from './stage.js';

/**
 * `MUST`: what the protocol says, or its schema. `SHOULD`: what it recommends, or what follows though it is not said.
 * `advice`: where it is silent, and agents are hurt all the same.
 */
export type Level = 'MUST' | 'SHOULD' | 'advice';

/**
 * `turn`: during the prompt, beside others. `last`: when those are over. `after`: it leaves something behind at the end
 * of the turn. `lost`: in a turn of its own, at whose height the agent dies. What the latter two leave, the checker judges.
 */
export type Moment = 'turn' | 'last' | 'after' | 'lost';

export interface Case {
  /** As it is asked for, `subject-what`. */
  readonly name: string;
  /** What has to hold, as a sentence without its full stop. */
  readonly rule: string;
  readonly level: Level;
  /** Where it stands: page and section at agentclientprotocol.com. */
  readonly source: string;
  /** Default: `turn`. */
  readonly moment?: Moment;
  /** Ends in order, or by `Breach` or `NotApplicable`. Each other error is a failure, too. */
  run(stage: Stage): Promise<void>;
}

/** The rule does not hold. The message says what was seen. */
export class Breach extends Error {
  override readonly name = 'Breach';
}

/** Here it cannot be told whether the rule holds; the message says why. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

export function demand(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new Breach(seen);
}

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

/** Sections of the protocol, as the cases name them. */
export const SOURCE = {
  create: 'Terminals: Executing Commands',
  output: 'Terminals: Getting Output',
  exit: 'Terminals: Waiting for Exit',
  kill: 'Terminals: Killing Commands',
  timeout: 'Terminals: Building a Timeout',
  release: 'Terminals: Releasing Terminals',
  embed: 'Terminals: Embedding in Tool Calls',
  support: 'Terminals: Checking Support',
  schema: 'Schema',
  cancellation: 'Cancellation',
  extensibility: 'Extensibility',
  transport: 'Transports: stdio',
  rpc: 'JSON-RPC 2.0',
  silent: 'the protocol is silent',
} as const;
