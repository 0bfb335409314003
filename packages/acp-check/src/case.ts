/** Defines a case: one rule, and how to check it. */
import type { CaseContext } from './case-context.js';
import type { Level } from './verdict.js';

/**
 * When a case runs. `turn`: during the prompt, concurrently with others. `last`: after those. `after`: at the end of
 * the turn, where it leaves something behind. `lost`: in a separate turn, in the middle of which the agent exits. The
 * checker judges what `after` and `lost` cases leave behind.
 */
export type CasePhase = 'turn' | 'last' | 'after' | 'lost';

export interface Case {
  /** The name that selects the case, in the form `subject-what`. */
  readonly name: string;
  /** The rule to check, as a sentence without a full stop. */
  readonly rule: string;
  readonly level: Level;
  /** The rule's source: page and section at agentclientprotocol.com. */
  readonly source: string;
  /** Default: `turn`. */
  readonly moment?: CasePhase;
  /**
   * Returns if the case passes, and otherwise throws `RuleViolation` or `NotApplicable` (rule-violation.ts). Any other
   * error also counts as a failure.
   */
  run(context: CaseContext): Promise<void>;
}

/** Sections of the protocol that cases refer to. */
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
  silent: 'not specified by the protocol',
} as const;
