/**
 * Returns the end of a terminal's output, as a page about many terminals shows it: its last lines or, for a full-screen
 * program, its screen, within a size limit. Pure.
 */
import type { TerminalScreen } from '../contract/output.js';
import { LAST_LINES } from '../contract/watch.js';
import { ansiUpTo } from '../history/line-text.js';
import { spanAt } from '../history/spans.js';
import type { HistoryTail } from '../history/store.js';
import type { ReadableTranscript } from '../transcript/readable-transcript.js';

/** Maximum number of characters per line; more would not fit next to other terminals. */
const MAX_LINE_CHARS = 1000;
const MAX_SCREEN_ROWS = 50;
const MAX_SCREEN_COLS = 200;

export interface LastLines {
  /** With colours. */
  readonly lines: string[];
  /** Number of lines of output so far. */
  readonly totalLines: number;
}

export function lastLinesOf(transcript: ReadableTranscript): LastLines {
  const view = transcript.view();
  const { total: totalLines } = view;
  const screen = transcript.screen('ansi');
  if (screen.alternate) return { lines: screenRows(screen), totalLines };
  const first = Math.max(view.oldest, totalLines - LAST_LINES);
  const numbers = Array.from({ length: Math.max(0, totalLines - first) }, (_, i) => first + i);
  const held = numbers.filter((line) => spanAt(view.lostLines, line) === undefined);
  return { lines: held.map((line) => ansiUpTo(view.ansi(line), MAX_LINE_CHARS)), totalLines };
}

/** Returns the last lines of a terminal on disk from its record, without opening its history. */
export function lastLinesOfTail({ nextLine, lines: unfinished, screen: { ansi: screen } }: HistoryTail): LastLines {
  const totalLines = nextLine + unfinished.length;
  if (screen.alternate) return { lines: screenRows(screen), totalLines };
  const last = screen.lines.slice(0, screen.lines.findLastIndex((line) => line !== '') + 1).slice(-LAST_LINES);
  return { lines: last.map((line) => ansiUpTo(line, MAX_LINE_CHARS)), totalLines };
}

function screenRows({ lines }: TerminalScreen): string[] {
  return lines.slice(0, MAX_SCREEN_ROWS).map((line) => ansiUpTo(line, MAX_SCREEN_COLS));
}
