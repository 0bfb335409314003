/** A terminal as one process hands it to another: plain data, but for bytes and the descriptor. */
import type { KeptCommand } from '../shell/command-log.js';
import type { HandedOutputs } from '../shell/command-outputs.js';
import type { Ending } from './ending.js';
import type { HandedShell } from '../shell/handed-shell.js';
import type { Identity } from './identity.js';
import type { InputsState } from './inputs.js';
import type { PerTerminalOptions } from '../contract/options.js';
import type { HandedPty } from '../pty/pty.js';
import type { HandedTranscript } from '../transcript/handed-transcript.js';

/** All that another process needs to go on with a terminal. */
export interface HandedTerminal {
  readonly identity: Identity;
  readonly lastActivity: number;
  /** By the clock of durations, as `startedAt`. */
  readonly touchedAt: number;
  readonly startedAt: number;
  readonly ending: Ending | null;
  readonly endedAt: number | null;
  readonly size: { readonly cols: number; readonly rows: number };
  /** What was set for this terminal, whatever the receiver's own options. */
  readonly settings: PerTerminalOptions;
  readonly isSaved: boolean;
  readonly inputs: InputsState;
  readonly transcript: HandedTranscript;
  readonly pty: HandedPty;
  readonly commands: readonly KeptCommand[];
  /** What readers were shown of their outputs. */
  readonly outputs: HandedOutputs;
  readonly shell: HandedShell | null;
}
