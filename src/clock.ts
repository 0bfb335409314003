/**
 * The clock that durations are measured by: nobody sets it, so that a new time of day ends nothing. The time of day is
 * for people, and for what is compared across restarts.
 */

/** Milliseconds since some moment; the same for all processes until the machine restarts. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const START_MS = Date.now() - performance.now();

/**
 * The time of day, in milliseconds since the epoch. Where it was set since this process began, the earlier of what it is
 * and what it would be had it not been set: by it nothing is older than it is.
 */
export function cautiousNow(): number {
  return Math.min(Date.now(), START_MS + performance.now());
}
