/** Hand-off state of the shells of a terminal: plain data. */
import type { ShellHandOff } from './shell-hand-off.js';
import type { PendingShellHandOff } from './nested/pending-shell.js';
import type { DisplayHandOff } from './display.js';

/** All the state that a hand-off of a terminal's shells to another process needs. */
export interface ShellStackHandOff {
  /** Outermost first. */
  readonly shells: readonly ShellHandOff[];
  /** Base64: received, but not passed on. */
  readonly pending: string;
  /** Base64: typed by the user, but not given to the shell yet. */
  readonly kept: string;
  readonly display: DisplayHandOff;
  readonly arrival: PendingShellHandOff | null;
}
