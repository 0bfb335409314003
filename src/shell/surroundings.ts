/** What the integrated shells of one terminal share: types only. */
import type { CommandLog } from './command-log.js';
import type { InputProbe } from '../processes/input-probe.js';
import type { Refusal } from './session/effects.js';
import type { FollowedIdentity } from './handed-followed.js';
import type { ShellDisplay, ShellTerminal } from './display.js';

/** What the integrated shells of one terminal share. */
export interface Surroundings {
  readonly terminal: ShellTerminal;
  readonly log: CommandLog;
  readonly display: ShellDisplay;
  /** Called when a command of a shell is over, and with it everything that ran within. */
  ending(shell: FollowedIdentity): void;
  /** Called when a requested command will not run. */
  refused(command: number, why: Refusal, shell: FollowedIdentity): void;
  /** Types the input that was kept. */
  typeKept(): void;
  /** Returns which process waits for input, according to the kernel. */
  probe(): InputProbe;
}
