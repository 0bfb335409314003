/**
 * Provides clocks. Durations use the monotonic clock, so that setting the system time ends nothing. The time of day is
 * only for display and for comparisons across restarts.
 */

/** Returns milliseconds since an arbitrary point that is the same for all processes until the machine restarts. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const START_MS = Date.now() - performance.now();

/**
 * Returns the time of day in milliseconds since the epoch. If the clock has been set ahead since the process started,
 * returns the time without that change, so that nothing appears older than it is.
 */
export function conservativeNow(): number {
  return Math.min(Date.now(), START_MS + performance.now());
}
