/**
 * Presents a transcript as its readers see it: final lines from an archive, followed by the lines that may still
 * change.
 */
import type { TerminalScreen } from '../contract/output.js';
import type { Archive } from '../history/archive.js';
import { fingerprint } from '../history/cursor.js';
import { stripSgr } from '../history/line-text.js';
import type { RevisionTracker } from '../history/revision-tracker.js';
import { skipLost, clipSpans } from '../history/spans.js';
import { tokensOf } from '../history/tokens.js';
import type { HistoryView } from '../history/view.js';

/** The lines that are not final, and where reading by number continues. */
export interface ActiveLines {
  readonly ansi: readonly string[];
  readonly resumeAt: number;
}

export interface ViewParts {
  /** Distinguishes this history from others. */
  readonly id: string;
  readonly maxLines: number;
  readonly clearedAt: number;
  readonly archive: Archive;
  readonly revisions: RevisionTracker;
  readonly active: ActiveLines;
  /** When the nth line that is not final began. */
  readonly timeOf: (n: number) => number;
  /** Its earliest possible offset in the output. */
  readonly offsetOf: (n: number) => number;
}

/** Returns the view, which is valid until the archive changes. */
export function viewOf({
  id,
  maxLines,
  clearedAt,
  archive,
  revisions,
  active,
  timeOf,
  offsetOf,
}: ViewParts): HistoryView {
  const { next } = archive.lines;
  const total = next + active.ansi.length;
  const limit = archive.isStored ? 0 : total - maxLines;
  const lost = archive.lost;
  const oldest = Math.min(Math.max(archive.oldestLine, clearedAt, limit), total);
  const lostLines = clipSpans(lost.lines, oldest, total);
  const ansi = (n: number): string => (n < next ? archive.ansi(n) : active.ansi[n - next]!);
  return {
    fingerprint: fingerprint(id),
    oldest: skipLost(lostLines, oldest),
    lostLines,
    lostOutput: lost.output,
    clearedAt,
    total,
    mutableFrom: next,
    isHeld: (n) => n >= next || archive.oldestLine <= n,
    resumeAt: active.resumeAt,
    revision: revisions.revision,
    outputStart: archive.outputStart,
    outputEnd: archive.output.end,
    track: archive.track,
    ansi,
    texts: (from, to) =>
      from < next
        ? archive.texts(from, Math.min(to, next))
        : active.ansi.slice(from - next, to - next).map((line) => stripSgr(line)),
    text: (n) => (n < next ? archive.text(n) : stripSgr(ansi(n))),
    tokens: (n) => (n < next ? archive.tokens(n) : tokensOf(stripSgr(ansi(n)))),
    timeOf: (n) => (n < next ? archive.at(n).time : timeOf(n - next)),
    offsetOf: (n) => {
      // For a lost line, the offset of the data that follows it.
      const held = skipLost(lostLines, n);
      return held < next ? archive.at(held).start : offsetOf(held - next);
    },
    bytes: (from, to) => archive.bytes(from, to),
    firstChangeSince: (revision) => revisions.firstChangeSince(revision),
  };
}

/** Returns a screen as text with control sequences: only the parts of an ended program's screen that matter. */
export function screenAsText({ lines, cursor }: TerminalScreen): string {
  return `${lines.join('\r\n')}\x1b[m\x1b[${cursor.y + 1};${cursor.x + 1}H`;
}
