/** Stretches of numbers that are missing from what is otherwise held: lines, or offsets. Pure; it knows no history. */

/** `[from, to)`. In a list they are in order, apart from one another and not empty. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The first number from `at` on that is in none. */
export function behindLost(lost: readonly Span[], at: number): number {
  return spanAt(lost, at)?.to ?? at;
}

/** The span that holds `at`, if one does. */
export function spanAt(lost: readonly Span[], at: number): Span | undefined {
  return lost.find(({ from, to }) => from <= at && at < to);
}

/** Where the first begins that begins at or behind `at`; Infinity if none does. */
export function nextLost(lost: readonly Span[], at: number): number {
  return lost.find(({ from }) => from >= at)?.from ?? Infinity;
}

/** How many numbers are in them. */
export function countLost(lost: readonly Span[]): number {
  return lost.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** What of them lies in `[from, to)`. */
export function within(lost: readonly Span[], from: number, to: number): Span[] {
  const cut = lost.map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) }));
  return cut.filter((span) => span.from < span.to);
}

/** The same, those that touch made one, and empty ones left out. */
export function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (span.from >= span.to) continue;
    if (last !== undefined && last.to >= span.from) result[result.length - 1] = { from: last.from, to: span.to };
    else result.push(span);
  }
  return result;
}
