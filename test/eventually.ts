/** Polling for tests. `eventually` is the only test code that may use a timer. */
import { setTimeout as pause } from 'node:timers/promises';
import { DEEP } from './deep.js';

/** Short enough to cost no test time, long enough to leave the core to the awaited process. */
const INTERVAL_MS = 5;
/** Below the time limit of a test (jest.config.mjs), so that the error says what was missing. */
export const PATIENCE_MS = DEEP ? 45_000 : 15_000;

export interface EventuallyOptions {
  /** Timeout in milliseconds. Default: `PATIENCE_MS`. */
  readonly within?: number;
  /** Describes what is missing, for the error; called after the last attempt. Default: the source of the condition. */
  readonly missing?: () => string | Promise<string>;
}

type Falsy = false | null | undefined | '' | 0;

/**
 * Polls until the condition returns a truthy value, and returns that. An error that the condition throws is passed on
 * and not retried.
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

/** Waits for one pass of the event loop, without a delay; for processes that are slow only on a busy machine. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
