/** What is read of a terminal, of whichever kind it is: a type alone. */
import type { TerminalScreen, TerminalSnapshot } from '../contract/output.js';
import type { HistoryView } from '../history/view.js';

/** A history that can be read, and a screen. */
export interface ReadableTranscript {
  /** Offset behind the newest byte of output, and of the oldest that can be read. */
  readonly end: number;
  readonly start: number;
  /** Bytes of memory held. */
  readonly heldBytes: number;
  readonly title: string;
  readonly size: { cols: number; rows: number };
  /** Clamped to what is held; valid until the next change. */
  bytes(from: number, to: number): Buffer;
  /** The same as the caller's own. */
  copy(from: number, to: number): Uint8Array;
  screen(format: 'text' | 'ansi'): TerminalScreen;
  snapshot(): TerminalSnapshot;
  view(): HistoryView;
}
