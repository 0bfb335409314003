/** Defines the hand-off state of the shells of a terminal, as plain data. */
import type { ShellHandOff } from './shell-hand-off.js';
import type { PendingShellHandOff } from './nested/pending-shell.js';
import type { DisplayHandOff } from './display.js';

/** All the state that a hand-off of a terminal's shells to another process needs. */
export interface ShellStackHandOff {
  /** Outermost first. */
  readonly shells: readonly ShellHandOff[];
  /** Output received but not passed on, in base64. */
  readonly pending: string;
  /** Input that the user typed but that was not passed to the shell yet, in base64. */
  readonly kept: string;
  readonly display: DisplayHandOff;
  readonly arrival: PendingShellHandOff | null;
}
