/** Defines the hand-off state of terminals: plain data, except for byte arrays and the descriptor. */
import type { LoggedCommand } from '../shell/command-log.js';
import type { OutputsHandOff } from '../shell/command-outputs.js';
import type { EndCause } from './ending.js';
import type { ShellStackHandOff } from '../shell/shell-stack-hand-off.js';
import type { Identity } from './identity.js';
import type { InputHistoryState } from './input/input-history.js';
import type { PerTerminalOptions } from '../contract/options.js';
import type { HoldState } from './hold.js';
import type { PtyHandOff } from '../pty/pty.js';
import type { Asked } from './questions/questions.js';
import type { TranscriptHandOff } from '../transcript/transcript-hand-off.js';
import type { EventLogState } from './watch/event-log.js';

/** What another process needs to take over from a manager. */
export interface ManagerHandOff {
  readonly terminals: readonly TerminalHandOff[];
  /** Missing if the terminals come from an older version that has no events. */
  readonly events?: EventLogState | undefined;
}

/** All the state that a hand-off to another process needs. */
export interface TerminalHandOff {
  readonly identity: Identity;
  readonly lastActivity: number;
  /** The time of its last activity. Like `startedAt`, on the monotonic clock. */
  readonly touchedAt: number;
  readonly startedAt: number;
  readonly ending: EndCause | null;
  readonly endedAt: number | null;
  readonly size: { readonly cols: number; readonly rows: number };
  /** Settings of this terminal, which take precedence over the receiver's options. */
  readonly settings: PerTerminalOptions;
  readonly isSaved: boolean;
  readonly inputs: InputHistoryState;
  readonly hold: HoldState | null;
  readonly asked: Asked | null;
  readonly transcript: TranscriptHandOff;
  readonly pty: PtyHandOff;
  readonly commands: readonly LoggedCommand[];
  /** The parts of the command outputs that readers have been shown. */
  readonly outputs: OutputsHandOff;
  readonly shell: ShellStackHandOff | null;
}
