/** Identity and hand-off state of an integrated shell: plain data. */
import type { Caller } from '../contract/caller.js';
import type { ShellSnapshot } from '../contract/command.js';
import type { ExecOptions } from '../contract/manager.js';
import type { SessionData } from './session/data.js';
import type { TrackedKind } from './shells.js';
import type { TransportHandOff } from './command-transport.js';

/** See `ExecOptions`. */
export type CommandRequestOptions = Pick<ExecOptions, 'key' | 'place' | 'by'>;

/** A command that is to run. */
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
  /** Process id on the machine where the shell runs; its marks carry it. */
  readonly instance: number;
  /** Process id on this machine; null if unknown, for example because the shell runs on another machine. */
  readonly pid: number | null;
  /** The command within which the shell runs; null: it is the program of the terminal. */
  readonly within: number | null;
}

/** All the state that a hand-off of the shell to another process needs. */
export interface ShellHandOff extends Omit<ShellIdentity, 'instance'> {
  readonly way: TransportHandOff;
  readonly session: SessionData;
  readonly wanted: RequestedCommand | null;
  readonly running: number | null;
  /** Base64: the line that the user has half typed. */
  readonly half: string;
}
