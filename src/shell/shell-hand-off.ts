/** Defines the identity and hand-off state of an integrated shell, as plain data. */
import type { Caller } from '../contract/caller.js';
import type { ShellSnapshot } from '../contract/command.js';
import type { ExecOptions } from '../contract/manager.js';
import type { SessionData } from './session/data.js';
import type { TrackedKind } from './shells.js';
import type { TransportHandOff } from './command-transport.js';

/** See `ExecOptions`. */
export type CommandRequestOptions = Pick<ExecOptions, 'key' | 'place' | 'by'>;

/** A requested command that has not begun. */
export interface RequestedCommand {
  readonly commandId: number;
  readonly text: string;
  /** See `LoggedCommand`. */
  readonly key?: string | undefined;
  /** See `ExecOptions`. */
  readonly place?: ShellSnapshot | undefined;
  /** Who requested it. */
  readonly by?: Caller | undefined;
}

/** Identifies the shell. */
export interface ShellIdentity {
  readonly kind: TrackedKind;
  readonly version: string;
  /** Process id on the machine that the shell runs on; its marks carry it. */
  readonly instance: number;
  /** Process id on this machine; null if unknown, for example because the shell runs on another machine. */
  readonly pid: number | null;
  /** The command that the shell runs within; null if the shell is the terminal's own program. */
  readonly within: number | null;
}

/** All the state that a hand-off of the shell to another process needs. */
export interface ShellHandOff extends Omit<ShellIdentity, 'instance'> {
  readonly way: TransportHandOff;
  readonly session: SessionData;
  readonly wanted: RequestedCommand | null;
  readonly running: number | null;
  /** The line that the user has half typed, in base64. */
  readonly half: string;
}
