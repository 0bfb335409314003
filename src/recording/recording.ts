/** Defines a recording: what happened in a terminal, in order and with times. Types only. */
import type { TrackPage } from '../contract/recording.js';

/** What is known before the first event. Times are milliseconds since the epoch. */
export interface RecordingHead {
  readonly terminalId: string;
  readonly title: string;
  /** The program, or the command if this is the recording of a command. */
  readonly command: string;
  /** The size of the screen at the beginning. */
  readonly cols: number;
  readonly rows: number;
  readonly started: number;
  readonly timing: TrackPage['timing'];
  /** The offsets in the output between which this recording was requested. */
  readonly fromOffset: number;
  readonly toOffset: number;
  /** Number of bytes at the beginning that are no longer held. */
  readonly dropped: number;
  /** What brings a new emulator of this size to the state in which the first output was written; empty if it is new. */
  readonly snapshot: string;
}

export type RecordedEvent =
  | { readonly type: 'output'; readonly time: number; readonly bytes: Uint8Array }
  | { readonly type: 'resize'; readonly time: number; readonly cols: number; readonly rows: number }
  /** A command begins here, or output is missing. */
  | { readonly type: 'marker'; readonly time: number; readonly label: string }
  /** The program, or the command, has ended. */
  | { readonly type: 'exit'; readonly time: number; readonly status: number };

/** The events can be read once. */
export interface Recording {
  readonly head: RecordingHead;
  readonly events: AsyncIterable<RecordedEvent>;
}
