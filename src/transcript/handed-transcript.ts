/** Hand-off state of a transcript. */
import type { KeptLine } from '../history/lines.js';
import type { SeenState } from '../history/seen.js';
import type { Beginning } from './open-lines.js';

/** The complete state of a transcript. Plain data, except for the bytes. */
export interface HandedTranscript {
  readonly firstLine: number;
  readonly lines: readonly KeptLine[];
  readonly outputStart: number;
  readonly output: Buffer;
  /** Output that brings a new screen to the state of this one; the last `heldBack` bytes of the output follow it. */
  readonly screen: string;
  readonly heldBack: number;
  readonly openText: string | null;
  readonly beginnings: readonly Beginning[];
  readonly clearedAt: number;
  readonly seen: SeenState;
}
