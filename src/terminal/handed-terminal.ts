/** Hand-off state of a terminal: plain data, except for byte arrays and the descriptor. */
import type { KeptCommand } from '../shell/command-log.js';
import type { HandedOutputs } from '../shell/command-outputs.js';
import type { Ending } from './ending.js';
import type { HandedShell } from '../shell/handed-shell.js';
import type { Identity } from './identity.js';
import type { InputsState } from './inputs.js';
import type { PerTerminalOptions } from '../contract/options.js';
import type { HoldState } from './hold.js';
import type { HandedPty } from '../pty/pty.js';
import type { HandedTranscript } from '../transcript/handed-transcript.js';

/** All the state that a hand-off to another process needs. */
export interface HandedTerminal {
  readonly identity: Identity;
  readonly lastActivity: number;
  /** On the monotonic clock, like `startedAt`. */
  readonly touchedAt: number;
  readonly startedAt: number;
  readonly ending: Ending | null;
  readonly endedAt: number | null;
  readonly size: { readonly cols: number; readonly rows: number };
  /** Settings of this terminal, which take precedence over the receiver's options. */
  readonly settings: PerTerminalOptions;
  readonly isSaved: boolean;
  readonly inputs: InputsState;
  readonly hold: HoldState | null;
  readonly transcript: HandedTranscript;
  readonly pty: HandedPty;
  readonly commands: readonly KeptCommand[];
  /** What readers were shown of the command outputs. */
  readonly outputs: HandedOutputs;
  readonly shell: HandedShell | null;
}
