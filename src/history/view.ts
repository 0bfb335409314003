/** Defines a history as its readers see it at one moment, and provides the fields common to every response. */
import type { OutputPage } from '../contract/output.js';
import { skipLost, countLost } from './spans.js';
import type { Span } from './spans.js';
import { estimateTokens, LINE_END_TOKENS } from './tokens.js';
import type { Track } from './track.js';

/** A history as its readers see it at one moment. */
export interface HistoryView {
  /** Distinguishes this history from others. */
  readonly fingerprint: number;
  /** Number of the oldest line held. */
  readonly oldest: number;
  /** Lines and bytes between the oldest and the newest that cannot be read; normally none. */
  readonly lostLines: readonly Span[];
  readonly lostOutput: readonly Span[];
  /** First line since the history was last cleared on request; 0 if never. */
  readonly clearedAt: number;
  /** Number that the next line will get. */
  readonly total: number;
  /** First line that is still on the screen and may change. */
  readonly mutableFrom: number;
  /** The line with the cursor if it is not empty, otherwise `total`: where reading by number continues. */
  readonly resumeAt: number;
  /** Increases with every change that readers have seen. */
  readonly revision: number;
  readonly outputStart: number;
  readonly outputEnd: number;
  readonly track: Track;
  /**
   * Returns whether line `line` and all lines after it can still be read: this is the only result that may change while
   * a view is in use.
   */
  isHeld(line: number): boolean;
  text(line: number): string;
  /**
   * Returns lines from `from` to before `to`; the range must contain at least one line and no lost ones. Returns at
   * least one, and as many as a single read provides.
   */
  texts(from: number, to: number): string[];
  ansi(line: number): string;
  /** Returns the approximate token count of line `line` as text. */
  tokens(line: number): number;
  /** Returns when line `line` began, in milliseconds since the epoch. */
  timeOf(line: number): number;
  /** Returns an offset in the output at or before which line `line` begins. */
  offsetOf(line: number): number;
  bytes(from: number, to: number): Buffer;
  /** Returns the first line that changed after `revision`, for a reader that had read up to line `readTo`; or null. */
  firstChangeSince(revision: number, readTo: number): number | null;
}

/** A page, without the fields that only the terminal knows. */
export type HistoryPage = Omit<OutputPage, 'isActive' | 'exitCode' | 'signal'>;

/** What a response shows. */
export interface ShownText {
  readonly output: string;
  /** Number of lines shown. */
  readonly count: number;
}

export function commonFields(
  view: HistoryView,
  output: string,
): Pick<HistoryPage, 'output' | 'totalLines' | 'mutableFrom'> {
  return { output, totalLines: view.total, mutableFrom: view.mutableFrom };
}

/** @param lost - Further requested lines that are lost, later in the range, or null. */
export function droppedFields(
  requested: number,
  line: number,
  lost: Span | null = null,
): Pick<HistoryPage, 'droppedLines' | 'droppedFrom'> {
  const droppedLines = Math.max(0, line - requested) + (lost === null ? 0 : lost.to - lost.from);
  if (droppedLines === 0) return { droppedLines, droppedFrom: null };
  return { droppedLines, droppedFrom: requested < line ? requested : lost!.from };
}

export function pageStats(
  view: HistoryView,
  shown: ShownText,
  requested: number,
  estimatedTokens = estimateHistoryTokens(view),
): HistoryPage['stats'] {
  return {
    totalBytes: view.outputEnd,
    estimatedTokens,
    linesShown: shown.count,
    linesOmitted: Math.max(0, requested - shown.count),
    shownBytes: Buffer.byteLength(shown.output),
    shownTokens: estimateTokens(shown.output),
  };
}

/** Returns the number of lines that can be read. */
export function heldLines({ total, oldest, lostLines }: HistoryView): number {
  return total - oldest - countLost(lostLines);
}

/**
 * Maximum number of lines sampled to estimate a whole history, spread evenly over it; at least half as many are used.
 */
const SAMPLE_LINES = 64;

/**
 * Returns the approximate token count of all lines held. Takes the same time for any long history, and little time when
 * repeated.
 */
export function estimateHistoryTokens(view: HistoryView): number {
  const { oldest, total, lostLines } = view;
  const step = 2 ** Math.max(0, Math.ceil(Math.log2((total - oldest) / SAMPLE_LINES)));
  let tokens = 0;
  let looked = 0;
  // Samples the same lines until the history has doubled: their token counts are still cached from the last time.
  for (let at = Math.ceil(oldest / step) * step; at < total; at += step) {
    const line = skipLost(lostLines, at);
    if (line >= total) break;
    tokens += view.tokens(line) + LINE_END_TOKENS;
    looked++;
  }
  return looked === 0 ? 0 : Math.ceil((tokens / looked) * heldLines(view));
}
