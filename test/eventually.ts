/** Polling for tests, in one place: `eventually` is the only test code that may use a timer. */
import { setTimeout as pause } from 'node:timers/promises';
import { DEEP } from './deep.js';

/** Short enough to cost no test time, long enough to leave the core to the process that is waited for. */
const INTERVAL_MS = 5;
/** Below the limit of a test (jest.config.mjs), so that a hang is reported with what was waited for. */
export const PATIENCE_MS = DEEP ? 45_000 : 15_000;

export interface EventuallyOptions {
  /** Milliseconds before it gives up. Default: `PATIENCE_MS`. */
  readonly within?: number;
  /** What is missing, for the error; called after the last look. Default: the source of the condition. */
  readonly missing?: () => string | Promise<string>;
}

type Falsy = false | null | undefined | '' | 0;

/**
 * Looks every few milliseconds until the condition returns something truthy, and returns that. An error that the
 * condition throws is the test's: it is not tried again.
 */
export async function eventually<Found>(
  condition: () => Found | Promise<Found>,
  { within = PATIENCE_MS, missing = () => condition.toString() }: EventuallyOptions = {},
): Promise<Exclude<Found, Falsy>> {
  const deadline = performance.now() + within;
  for (;;) {
    const found = await condition();
    if (found) return found as Exclude<Found, Falsy>;
    if (performance.now() > deadline) throw new Error(`Waited ${within} ms in vain for ${await missing()}`);
    await pause(INTERVAL_MS);
  }
}

/** For processes that only a busy machine makes wait: one pass of the event loop, no time. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
