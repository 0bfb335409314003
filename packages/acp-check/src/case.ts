/** What a case is. It knows no rule. */
import type { Stage } from './stage.js';
import type { Level } from './verdict.js';

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
  /** Ends in order, or by `Breach` or `NotApplicable` (breach.ts). Each other error is a failure, too. */
  run(stage: Stage): Promise<void>;
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
