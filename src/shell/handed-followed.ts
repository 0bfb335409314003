/** Identity and hand-off state of an integrated shell: plain data. */
import type { ShellPlace } from '../contract/command.js';
import type { ExecOptions } from '../contract/manager.js';
import type { SessionData } from './session/data.js';
import type { FollowedKind } from './shells.js';
import type { HandedWay } from './command-way.js';

/** See `ExecOptions`. */
export type WantedOptions = Pick<ExecOptions, 'key' | 'place'>;

/** A command that is to run. */
export interface WantedCommand {
  readonly commandId: number;
  readonly text: string;
  /** See `KeptCommand`. */
  readonly key?: string | undefined;
  /** See `ExecOptions`. */
  readonly place?: ShellPlace | undefined;
}

/** Identifies the shell. */
export interface FollowedIdentity {
  readonly kind: FollowedKind;
  readonly version: string;
  /** Process id on the machine where the shell runs; its marks carry it. */
  readonly instance: number;
  /** Process id on this machine; null if unknown, for example because the shell runs on another machine. */
  readonly pid: number | null;
  /** The command within which the shell runs; null: it is the program of the terminal. */
  readonly within: number | null;
}

/** All the state that a hand-off of the shell to another process needs. */
export interface HandedFollowed extends Omit<FollowedIdentity, 'instance'> {
  readonly way: HandedWay;
  readonly session: SessionData;
  readonly wanted: WantedCommand | null;
  readonly running: number | null;
  /** Base64: the line that the user has half typed. */
  readonly half: string;
}
