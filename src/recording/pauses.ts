/** Shortens pauses. Pure. */

/**
 * Returns a function that takes the times of events in order, and returns them without the part of each pause that is
 * longer than `maxMs`.
 */
export function limitPauses(started: number, maxMs: number): (time: number) => number {
  let last = started;
  let skipped = 0;
  return (time) => {
    skipped += Math.max(0, time - last - maxMs);
    last = Math.max(last, time);
    return time - skipped;
  };
}
