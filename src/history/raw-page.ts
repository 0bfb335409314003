/**
 * Handles a read of raw output: returns the bytes that the program wrote, split only between characters. A pure
 * function of the history and the request.
 */
import type { PageRequest } from '../contract/output-part.js';
import { invalidInput } from '../errors.js';
import { cutOffLength } from '../utf8.js';
import { skipLost, nextLost, clipSpans } from './spans.js';
import type { Span } from './spans.js';
import { cursorError, decodeByteCursor, encodeCursor } from './cursor.js';
import { commonFields, droppedFields, pageStats } from './view.js';
import type { HistoryPage, HistoryView } from './view.js';

const LF = 0x0a;

export function rawPage(view: HistoryView, request: PageRequest): HistoryPage {
  const requested = byteStart(view, request);
  const whole = askedSpan(view, request, skipLost(view.lostOutput, Math.max(requested, view.outputStart)));
  const { from, to } = heldOf(view, request, bounded(whole, request));
  const bytes = wholeCharacters(view.bytes(from, to));
  const end = from + bytes.length;
  const output = bytes.toString('utf8');
  const firstLine = Math.min(request.since ?? view.clearedAt, view.total);
  const shown = { output, count: countLines(bytes) };
  const hasMore = end < view.outputEnd;
  return {
    ...commonFields(view, output),
    nextReadFrom: hasMore ? lineAt(view, end) : view.resumeAt,
    hasMore,
    truncated: from > requested || hasMore,
    cutBy: whole.to - whole.from > request.maxBytes ? 'maxBytes' : null,
    cursor: encodeCursor({ kind: 'bytes', history: view.fingerprint, offset: end }),
    fromLine: Math.max(firstLine, view.oldest),
    continuesLine: request.cursor !== undefined,
    rewrittenFrom: null,
    ...droppedFields(firstLine, request.cursor === undefined ? Math.max(firstLine, view.oldest) : firstLine),
    stats: pageStats(view, shown, Math.max(view.total - firstLine, shown.count)),
  };
}

export function byteStart(view: HistoryView, request: Pick<PageRequest, 'cursor' | 'since'>): number {
  if (request.cursor !== undefined) return cursorOffset(view, request.cursor);
  if (request.since === undefined) return view.outputStart;
  const line = Math.min(request.since, view.total);
  if (line === view.total) return view.outputEnd;
  return line <= view.oldest ? view.outputStart : view.offsetOf(line);
}

function cursorOffset(view: HistoryView, cursor: string): number {
  const { offset } = decodeByteCursor(cursor, view.fingerprint);
  if (offset > view.outputEnd) throw cursorError(cursor, 'is after the end of the output');
  return offset;
}

/** Returns the requested range, without the limit on how much is returned at once. */
function askedSpan(view: HistoryView, { mode, headLines, tailLines, since }: PageRequest, from: number): Span {
  const end = view.outputEnd;
  if (mode === 'full') return { from, to: end };
  if (mode === 'head') {
    const line = (since ?? view.oldest) + headLines;
    return { from, to: line >= view.total ? end : view.offsetOf(line) };
  }
  if (mode === 'head-tail') {
    throw invalidInput({
      field: 'mode',
      message: 'cannot be head-tail when format is raw',
      given: mode,
      expected: 'full, head or tail',
    });
  }
  const line = Math.max(view.total - tailLines, view.oldest);
  return { from: Math.max(from, line >= view.total ? end : view.offsetOf(line)), to: end };
}

/** Returns the first part of the range within the limit; for a tail, the last part. */
function bounded({ from, to }: Span, { mode, maxBytes }: PageRequest): Span {
  return mode === 'tail' ? { from: Math.max(from, to - maxBytes), to } : { from, to: Math.min(to, from + maxBytes) };
}

/** Returns the contiguous bytes of a range that are held: the first ones or, for a tail, the last ones. */
function heldOf({ lostOutput }: HistoryView, { mode }: PageRequest, span: Span): Span {
  if (mode !== 'tail') return { from: span.from, to: Math.min(span.to, nextLost(lostOutput, span.from)) };
  const lost = clipSpans(lostOutput, span.from, span.to);
  const to = lost.at(-1)?.to === span.to ? lost.pop()!.from : span.to;
  return { from: lost.at(-1)?.to ?? span.from, to };
}

/** Returns the last line that begins at or before `offset`. */
function lineAt(view: HistoryView, offset: number): number {
  let low = view.oldest;
  let high = view.total - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (view.offsetOf(middle) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Removes an incomplete character at the end, unless there is nothing else. */
function wholeCharacters(bytes: Buffer): Buffer {
  const cut = cutOffLength(bytes);
  return cut < bytes.length ? bytes.subarray(0, bytes.length - cut) : bytes;
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) count++;
  return bytes.length > 0 && bytes.at(-1) !== LF ? count + 1 : count;
}
