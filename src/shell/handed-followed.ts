/** Which shell is followed, and all that one process tells another of it: plain data. */
import type { ShellPlace } from '../contract/command.js';
import type { ExecOptions } from '../contract/manager.js';
import type { SessionData } from './session/data.js';
import type { FollowedKind } from './shells.js';
import type { HandedWay } from './command-way.js';

/** See `ExecOptions`. */
export type WantedOptions = Pick<ExecOptions, 'key' | 'place'>;

/** A command that is to be run. */
export interface WantedCommand {
  readonly commandId: number;
  readonly text: string;
  /** See `KeptCommand`. */
  readonly key?: string | undefined;
  /** See `ExecOptions`. */
  readonly place?: ShellPlace | undefined;
}

/** Which shell it is. */
export interface FollowedIdentity {
  readonly kind: FollowedKind;
  readonly version: string;
  /** Its process id where it runs, which its marks carry. */
  readonly instance: number;
  /** Of its process as it is known here; null: it is not, as on another machine. */
  readonly pid: number | null;
  /** The command within which it runs; null: it is the program of the terminal. */
  readonly within: number | null;
}

/** All that is needed to go on with it in another process. */
export interface HandedFollowed extends Omit<FollowedIdentity, 'instance'> {
  readonly way: HandedWay;
  readonly session: SessionData;
  readonly wanted: WantedCommand | null;
  readonly running: number | null;
  /** Base64: what somebody has half typed. */
  readonly half: string;
}
