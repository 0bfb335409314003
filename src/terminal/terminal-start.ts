/** Defines what a terminal is started with, and what it reports to its manager. Types only. */
import type { Caller } from '../contract/caller.js';
import type { TerminalLabels } from '../contract/labels.js';
import type { LaunchPlan } from '../launch/launch.js';
import type { PtyExit } from '../pty/pty.js';
import type { Integration } from '../shell/launch.js';
import type { TerminalChange } from './terminal-changes.js';
import type { TerminalHandOff } from './terminal-hand-off.js';

export interface TerminalEvents {
  /** Called when the program has ended; the history can still be read. */
  onExit(exit: PtyExit): void;
  onOutput(bytes: number): void;
  /** Reports a change to the watchers of all terminals. */
  onChange(change: TerminalChange): void;
}

/** What a terminal is created from; complete if another process hands the terminal over. */
export type TerminalParts = Pick<TerminalHandOff, 'identity' | 'size' | 'lastActivity'> &
  Partial<TerminalHandOff> & { readonly integration?: Integration | null };

/** What a terminal is started with. */
export interface TerminalStart {
  readonly launch: LaunchPlan;
  /** Set for a shell that is to be integrated. */
  readonly integration: Integration | null;
  readonly name: string | null;
  readonly labels: TerminalLabels;
  readonly timeLimitMs: number | null;
  readonly endsWithCommand: boolean;
  readonly createdBy: Caller;
}
