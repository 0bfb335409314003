/** Defines the hand-off state of a transcript. */
import type { ArchiveStart } from '../history/archive.js';
import type { StoredLine } from '../history/line-buffer.js';
import type { RevisionState } from '../history/revision-tracker.js';
import type { TrackState } from '../history/track.js';
import type { LineStart } from './unfinished-lines.js';

/** The complete state of a transcript. Plain data, except for the bytes. */
export interface TranscriptHandOff {
  readonly firstLine: number;
  readonly lines: readonly StoredLine[];
  readonly outputStart: number;
  readonly output: Buffer;
  /** Output that brings a new screen to the state of this one; the last `heldBack` bytes of the output follow it. */
  readonly screen: string;
  readonly heldBack: number;
  readonly openText: string | null;
  readonly beginnings: readonly LineStart[];
  readonly clearedAt: number;
  readonly seen: RevisionState;
  /** Absent if a host of an earlier version hands over. */
  readonly track?: TrackState | undefined;
}

/** Returns where the history of the new transcript begins. */
export function startOf({ firstLine, outputStart, track }: TranscriptHandOff): ArchiveStart {
  return { line: firstLine, offset: outputStart, track };
}
