/** Computes with ranges of missing lines or offsets. Pure; does not depend on histories. */

/** `[from, to)`. In a list, spans are in order, separate from one another and not empty. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the first number, at or after `at`, that is in no span. */
export function skipLost(lost: readonly Span[], at: number): number {
  return spanAt(lost, at)?.to ?? at;
}

/** Returns the span that contains `at`, if any. */
export function spanAt(lost: readonly Span[], at: number): Span | undefined {
  return lost.find(({ from, to }) => from <= at && at < to);
}

/** Returns the start of the first span that begins at or after `at`; Infinity if there is none. */
export function nextLost(lost: readonly Span[], at: number): number {
  return lost.find(({ from }) => from >= at)?.from ?? Infinity;
}

/** Returns the number of lines or offsets that the spans contain. */
export function countLost(lost: readonly Span[]): number {
  return lost.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Returns the parts of the spans within `[from, to)`. */
export function clipSpans(lost: readonly Span[], from: number, to: number): Span[] {
  const cut = lost.map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) }));
  return cut.filter((span) => span.from < span.to);
}

/** Merges adjacent spans and removes empty ones. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (span.from >= span.to) continue;
    if (last !== undefined && last.to >= span.from) result[result.length - 1] = { from: last.from, to: span.to };
    else result.push(span);
  }
  return result;
}
