/**
 * Handles a read of lines: selects the requested lines of a history and reports exactly what it left out. A pure
 * function of the history and the request.
 */
import { ENTRY_BYTES } from '../contract/output.js';
import type { CutBy, OutputEntry } from '../contract/output.js';
import type { PageRequest } from '../contract/output-part.js';
import { cursorError, decodeLineCursor, encodeCursor, fingerprint } from './cursor.js';
import type { LineCursor } from './cursor.js';
import { ansiFrom } from './line-text.js';
import { skipLost, nextLost, spanAt } from './spans.js';
import type { Span } from './spans.js';
import { commonFields, droppedFields, pageStats } from './view.js';
import { mapInSteps, STEP_CHARS, STEP_LINES } from './steps.js';
import type { StepGenerator } from './steps.js';
import { estimateHistoryTokens } from './view.js';
import type { HistoryPage, HistoryView } from './view.js';

/** Where a read begins. */
export interface ReadStart {
  /** First line requested, held or not. */
  readonly requested: number;
  /** First line that can be returned. */
  readonly line: number;
  /** Number of characters of that line that have already been read. */
  readonly chars: number;
  readonly rewrittenFrom: number | null;
}

/** One of the selected lines. */
interface Picked {
  readonly line: number;
  readonly text: string;
  /** When it began; 0 if not requested. */
  readonly time: number;
}

/** The selected lines, in order. */
interface Selection {
  readonly lines: readonly Picked[];
  /**
   * Lines omitted from the middle: their number, and the index of the line that follows them; null if there are none.
   */
  readonly gap: { readonly before: number; readonly lines: number } | null;
  /** The lost lines that this selection stops before, if no later read will report them; otherwise null. */
  readonly lost: Span | null;
  /** The limit that ended this selection. */
  readonly cutBy: CutBy;
  /** The number after the last line that need not be read again. */
  readonly end: number;
}

export function* linePage(live: HistoryView, request: PageRequest): StepGenerator<HistoryPage> {
  const view = request.entries ? withFixedTimes(live) : live;
  const start = lineStart(view, request);
  const estimatedTokens = estimateHistoryTokens(view);
  const selection = yield* select(view, request, start);
  const { lines, end } = selection;
  const output = yield* joined(selection);
  const hasMore = end < view.total;
  const requested = isAllRead(view, start, selection) ? 0 : view.total - start.requested;
  return {
    ...commonFields(view, output),
    nextReadFrom: hasMore ? end : view.resumeAt,
    hasMore,
    truncated: requested > lines.length,
    cutBy: selection.cutBy,
    cursor: encodeCursor(cursorAfter(view, end)),
    fromLine: lines[0]?.line ?? start.line,
    continuesLine: start.chars > 0 && lines.length > 0,
    rewrittenFrom: start.rewrittenFrom,
    ...droppedFields(start.requested, start.line, selection.lost),
    ...(request.entries ? { entries: yield* mapInSteps(lines, entry) } : {}),
    stats: pageStats(view, { output, count: lines.length }, requested, estimatedTokens),
  };
}

/**
 * Returns whether only one line is requested and it has already been read to its end. In that case, nothing is omitted.
 */
function isAllRead(view: HistoryView, { requested: requested, chars }: ReadStart, { lines, lost }: Selection): boolean {
  return chars > 0 && requested + 1 >= view.total && lines.length === 0 && lost === null;
}

function entry({ line, text, time }: Picked): OutputEntry {
  return { line, time: new Date(time).toISOString(), text };
}

/** Determines once when the lines that are not final began. */
function withFixedTimes(view: HistoryView): HistoryView {
  const { mutableFrom, total } = view;
  const times = Array.from({ length: total - mutableFrom }, (_, i) => view.timeOf(mutableFrom + i));
  return { ...view, timeOf: (line) => (line < mutableFrom ? view.timeOf(line) : times[line - mutableFrom]!) };
}

function* joined({ lines, gap }: Selection): StepGenerator<string> {
  const texts = yield* mapInSteps(lines, ({ text }) => text);
  if (gap !== null) texts.splice(gap.before, 0, `... [${gap.lines} lines omitted] ...`);
  return texts.join('\n');
}

export function lineStart(view: HistoryView, request: Pick<PageRequest, 'cursor' | 'since'>): ReadStart {
  if (request.cursor !== undefined) {
    return cursorStart(view, decodeLineCursor(request.cursor, view.fingerprint));
  }
  const requested = Math.min(request.since ?? view.clearedAt, view.total);
  return { requested: requested, line: heldFrom(view, requested), chars: 0, rewrittenFrom: null };
}

/** Returns the first line, at or after `line`, that can be returned. */
function heldFrom(view: HistoryView, line: number): number {
  return skipLost(view.lostLines, Math.max(line, view.oldest));
}

function cursorStart(view: HistoryView, cursor: LineCursor): ReadStart {
  checkIsNotAhead(view, cursor);
  const changed = view.firstChangeSince(cursor.revision, cursor.line);
  if (changed !== null && changed < cursor.line) {
    const line = heldFrom(view, changed);
    return { requested: Math.min(changed, line), line, chars: 0, rewrittenFrom: line };
  }
  if (cursor.line > view.total) return { requested: view.total, line: view.total, chars: 0, rewrittenFrom: view.total };
  const held = heldFrom(view, cursor.line);
  if (held > cursor.line) return { requested: cursor.line, line: held, chars: 0, rewrittenFrom: null };
  if (cursor.chars === 0) return { requested: cursor.line, line: cursor.line, chars: 0, rewrittenFrom: null };
  const text = cursor.line < view.total ? view.text(cursor.line) : '';
  const isSame = fingerprint(text.slice(0, cursor.chars)) === cursor.fingerprint && text.length >= cursor.chars;
  const { line } = cursor;
  return isSame
    ? { requested: line, line, chars: cursor.chars, rewrittenFrom: null }
    : { requested: line, line, chars: 0, rewrittenFrom: line };
}

/** Rejects a cursor beyond everything that has been read: this history did not issue it. */
function checkIsNotAhead(view: HistoryView, cursor: LineCursor): void {
  if (cursor.revision > view.revision) throw cursorError(encodeCursor(cursor), 'is after the end of the output');
}

/** Returns the position after line `end - 1`, or within it if it is still being written. */
function cursorAfter(view: HistoryView, end: number): LineCursor {
  const { revision, resumeAt, total, fingerprint: history } = view;
  if (end < total || resumeAt >= total || end === 0) {
    return { kind: 'lines', history, line: end, chars: 0, fingerprint: fingerprint(''), revision };
  }
  const text = view.text(end - 1);
  return { kind: 'lines', history, line: end - 1, chars: text.length, fingerprint: fingerprint(text), revision };
}

function* select(view: HistoryView, request: PageRequest, start: ReadStart): StepGenerator<Selection> {
  const count = view.total - start.line;
  const { headLines, tailLines, maxLines, mode } = request;
  const isNothingNew = count <= 1 && start.chars > 0 && lineFrom(view, request, start, start.line) === '';
  if (count <= 0 || isNothingNew) return { lines: [], gap: null, lost: null, cutBy: null, end: view.total };
  const counted = { full: count, head: headLines, tail: tailLines, 'head-tail': headLines + tailLines };
  const wanted = Math.min(count, counted[mode]);
  const selection = yield* selected(view, request, start, Math.min(wanted, maxLines));
  return { ...selection, cutBy: selection.cutBy ?? (wanted > maxLines ? 'maxLines' : null) };
}

/** @param count - Number of lines to show; for `head-tail`, the sum of both parts. */
function selected(view: HistoryView, request: PageRequest, start: ReadStart, count: number): StepGenerator<Selection> {
  if (request.mode === 'tail') return toEnd(view, request, start, count);
  return request.mode === 'head-tail' ? headAndTail(view, request, start) : fromStart(view, request, start, count);
}

/** Selects up to `count` lines from the start; fewer if they exceed the byte limit, but at least one. */
function* fromStart(
  view: HistoryView,
  request: PageRequest,
  start: ReadStart,
  count: number,
): StepGenerator<Selection> {
  const held = Math.min(count, nextLost(view.lostLines, start.line) - start.line);
  const lines = yield* takeWhileSmall(view, request, start, start.line, held, 1);
  return { lines, gap: null, lost: null, cutBy: byBytes(lines, held), end: start.line + lines.length };
}

/** Selects the last `count` lines; fewer if they exceed the byte limit. */
function* toEnd(view: HistoryView, request: PageRequest, start: ReadStart, count: number): StepGenerator<Selection> {
  const requested = view.total - count;
  const lostAtEnd = spanAt(view.lostLines, view.total - 1);
  const heldEnd = lostAtEnd?.from ?? view.total;
  const lostBefore = view.lostLines.findLast(({ to }) => to <= heldEnd && to > requested);
  const first = lostBefore?.to ?? requested;
  const lines = (yield* takeWhileSmall(view, request, start, heldEnd - 1, heldEnd - first, -1)).reverse();
  const cutBy = byBytes(lines, heldEnd - first);
  return {
    lines,
    gap: null,
    lost: lostAtEnd ?? (cutBy === null ? (lostBefore ?? null) : null),
    cutBy,
    end: view.total,
  };
}

function byBytes(lines: readonly Picked[], count: number): CutBy {
  return lines.length < count ? 'maxBytes' : null;
}

/** Selects all lines if they are few and small enough; otherwise the first and the last. */
function* headAndTail(view: HistoryView, request: PageRequest, start: ReadStart): StepGenerator<Selection> {
  const count = view.total - start.line;
  const headCount = Math.min(request.headLines, request.maxLines);
  const tailCount = Math.min(request.tailLines, request.maxLines - headCount);
  const isWhole = nextLost(view.lostLines, start.line) === Infinity;
  if (isWhole && count <= headCount + tailCount) {
    const all = yield* toEnd(view, request, start, count);
    if (all.cutBy === null) return all;
    // The attempt may have taken several steps.
    yield start.line;
  }
  const halved = { ...request, maxBytes: Math.floor(request.maxBytes / 2) };
  const head = yield* fromStart(view, halved, start, Math.min(headCount, count));
  const headEnd = start.line + head.lines.length;
  const tail = yield* toEnd(view, halved, start, Math.min(tailCount, view.total - headEnd));
  const lines = [...head.lines, ...tail.lines];
  const gap = { before: head.lines.length, lines: count - lines.length };
  return { lines, gap: gap.lines > 0 ? gap : null, lost: null, cutBy: head.cutBy ?? tail.cutBy, end: view.total };
}

/** Selects up to `count` lines from `first` on, in steps of `step`, until they exceed the byte limit; at least one. */
function* takeWhileSmall(
  view: HistoryView,
  request: PageRequest,
  start: ReadStart,
  first: number,
  count: number,
  step: 1 | -1,
): StepGenerator<Picked[]> {
  const lines: Picked[] = [];
  let bytes = 0;
  let chars = 0;
  for (let line = first; lines.length < count; line += step) {
    const text = lineFrom(view, request, start, line);
    bytes += Buffer.byteLength(text) + 1 + (request.entries ? ENTRY_BYTES : 0);
    if (lines.length > 0 && bytes > request.maxBytes) break;
    lines.push({ line, text, time: request.entries ? view.timeOf(line) : 0 });
    chars += text.length;
    if (lines.length % STEP_LINES !== 0 && chars < STEP_CHARS) continue;
    chars = 0;
    if (lines.length < count) yield step === 1 ? line + 1 : Math.max(first - count + 1, line - STEP_LINES);
  }
  return lines;
}

function lineFrom(view: HistoryView, request: PageRequest, start: ReadStart, n: number): string {
  const chars = n === start.line ? start.chars : 0;
  if (request.format === 'ansi') return chars === 0 ? view.ansi(n) : ansiFrom(view.ansi(n), chars);
  return chars === 0 ? view.text(n) : view.text(n).slice(chars);
}
