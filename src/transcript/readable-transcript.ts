/** Defines the readable part of a terminal of any kind. Types only. */
import type { ScreenFormat, TerminalScreen, TerminalSnapshot } from '../contract/output.js';
import type { HistoryView } from '../history/view.js';

/** A readable history with a screen. */
export interface ReadableTranscript {
  /** Offset after the newest byte of output, and offset of the oldest readable byte. */
  readonly end: number;
  readonly start: number;
  /** Number of bytes held in memory. */
  readonly heldBytes: number;
  readonly title: string;
  readonly size: { cols: number; rows: number };
  /** Limited to what is held; valid until the next change. */
  bytes(from: number, to: number): Buffer;
  /** Like `bytes`, but returns the caller's own copy. */
  copy(from: number, to: number): Uint8Array;
  screen(format: ScreenFormat): TerminalScreen;
  snapshot(): TerminalSnapshot;
  view(): HistoryView;
}
