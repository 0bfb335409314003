/** Who a terminal is, as kept and handed on. It knows no terminal. */
import type { TerminalLabels } from '../contract/labels.js';

/** What a terminal is from its start on. */
export interface Identity {
  readonly id: string;
  /** Path of the shell or program. */
  readonly file: string;
  readonly args: readonly string[];
  /** Directory it was started in. */
  readonly startCwd: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly labels: TerminalLabels;
  /** How long it may run; null: for ever. */
  readonly timeLimitMs: number | null;
  /** Whether it is there for one command, and ends with it. */
  readonly endsWithCommand?: boolean;
}
