/**
 * Computes which parts of consecutive segments cannot be read: within them, between them, and after the last. Reads
 * nothing.
 */
import { mergeSpans } from '../history/spans.js';
import type { Span } from '../history/spans.js';
import type { Segment } from './segment.js';

/** @param nextLine - Number after the newest line that there ever was. */
export function lostLinesOf(segments: readonly Segment[], nextLine: number): Span[] {
  const parts = segments.map((segment) => ({ from: segment.firstLine, to: segment.nextLine, lost: segment.lostLines }));
  return lostOf(parts, nextLine);
}

/** @param outputEnd - Offset after the newest byte that there ever was. */
export function lostOutputOf(segments: readonly Segment[], outputEnd: number): Span[] {
  return lostOf(
    segments.map((segment) => ({ from: segment.offset, to: segment.outputEnd, lost: segment.lostOutput })),
    outputEnd,
  );
}

function lostOf(parts: readonly (Span & { readonly lost: readonly Span[] })[], end: number): Span[] {
  const before = parts.map(({ from, lost }, i) => [{ from: parts[i - 1]?.to ?? from, to: from }, ...lost]);
  return mergeSpans([...before.flat(), { from: parts.at(-1)?.to ?? end, to: end }]);
}
