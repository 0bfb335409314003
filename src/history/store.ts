/**
 * Defines what a history needs from the disk: final lines, and bytes, beyond what memory holds. Types only; `store/`
 * implements the files.
 */
import type { TerminalScreen } from '../contract/output.js';
import type { LineChange } from './changes.js';
import type { StoredLine, LineRange } from './line-buffer.js';
import type { Span } from './spans.js';

/** What can be read back. Reads are synchronous: the files are in the system's cache or on a local disk. */
export interface HistoryStore {
  /** Number of the oldest line that can be read. */
  readonly oldestLine: number;
  /** Number after the newest line that can be read; equal to `oldestLine` if there is none. */
  readonly nextLine: number;
  /** Offset of the oldest byte of output that can be read. */
  readonly outputStart: number;
  /** Offset after the newest byte of output that can be read. */
  readonly outputEnd: number;
  /** Lines and bytes between the oldest and the newest that cannot be read because they are damaged. Normally none. */
  readonly lostLines: readonly Span[];
  readonly lostOutput: readonly Span[];
  /**
   * Line `n`, from `oldestLine` to before `nextLine`; it must not be lost. If its span is in bytes that are no longer
   * held, the line has its own text.
   */
  line(n: number): StoredLine;
  /**
   * Bytes from `from` to `to`, limited to what is held, and only up to the first lost byte. The result is the caller's
   * own copy.
   */
  output(from: number, to: number): Buffer;
}

/** What to save next: continues where the previous batch ended. Valid until its history changes. */
export interface HistoryBatch {
  /** Number of the first line. */
  readonly fromLine: number;
  readonly lines: LineRange;
  /** Offset of the first byte. */
  readonly fromOffset: number;
  /** The bytes, in order. */
  readonly output: readonly Uint8Array[];
}

/**
 * What must stay in memory because it has not been saved yet: the lines from `line` and the bytes from `offset`
 * onwards.
 */
export interface UnsavedRange {
  readonly line: number;
  readonly offset: number;
}

/**
 * The part of a history that is not in final lines: enough to continue reading after the program has ended, and to know
 * what readers have seen.
 */
export interface HistoryTail {
  /** Number of the first line that is not final. */
  readonly nextLine: number;
  readonly outputEnd: number;
  /** The lines that are not final. */
  readonly lines: readonly { readonly start: number; readonly time: number; readonly ansi: string }[];
  /** The line where reading by number continues. */
  readonly resumeAt: number;
  readonly revision: number;
  readonly changes: readonly LineChange[];
  readonly clearedAt: number;
  readonly screen: { readonly text: TerminalScreen; readonly ansi: TerminalScreen };
}
