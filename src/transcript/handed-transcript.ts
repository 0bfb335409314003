/** What a transcript is in another process, to go on with there. */
import type { KeptLine } from '../history/lines.js';
import type { SeenState } from '../history/seen.js';
import type { Beginning } from './open-lines.js';

/** All of a transcript's state. Plain data, but for the bytes. */
export interface HandedTranscript {
  readonly firstLine: number;
  readonly lines: readonly KeptLine[];
  readonly outputStart: number;
  readonly output: Buffer;
  /** What brings a fresh screen to what this one shows; the last `heldBack` bytes of the output come after it. */
  readonly screen: string;
  readonly heldBack: number;
  readonly openText: string | null;
  readonly beginnings: readonly Beginning[];
  readonly clearedAt: number;
  readonly seen: SeenState;
}
