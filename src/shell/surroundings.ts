/** What the shells that are followed in one terminal have in common: types alone. */
import type { CommandLog } from './command-log.js';
import type { InputProbe } from '../processes/input-probe.js';
import type { Refusal } from './session/effects.js';
import type { FollowedIdentity } from './handed-followed.js';
import type { ShellDisplay, ShellTerminal } from './display.js';

/** What the shells of one terminal have in common. */
export interface Surroundings {
  readonly terminal: ShellTerminal;
  readonly log: CommandLog;
  readonly display: ShellDisplay;
  /** The command of a shell is over: so is whatever ran within. */
  ending(shell: FollowedIdentity): void;
  /** A command that was asked for will not be run. */
  refused(command: number, why: Refusal, shell: FollowedIdentity): void;
  /** Types what was kept back. */
  typeKept(): void;
  /** Who waits for input, as the kernel says. */
  probe(): InputProbe;
}
