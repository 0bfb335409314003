/** Defines the context that the integrated shells of one terminal share. Types only. */
import type { CommandLog } from './command-log.js';
import type { InputProbe } from '../processes/input-probe.js';
import type { CommandRefusal } from './session/effects.js';
import type { ShellIdentity } from './shell-hand-off.js';
import type { ShellDisplay, ShellTerminal } from './display.js';

export interface ShellContext {
  readonly terminal: ShellTerminal;
  readonly log: CommandLog;
  readonly display: ShellDisplay;
  /** Called when a command of a shell is over, and everything that ran within it with it. */
  beforeEnd(shell: ShellIdentity): void;
  /** Called when a requested command will not run. */
  refused(command: number, why: CommandRefusal, shell: ShellIdentity): void;
  /** Types the input that was held back. */
  typeDelayed(): void;
  /** Returns the process that is waiting for input, according to the kernel. */
  probe(): InputProbe;
}
