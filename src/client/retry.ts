/** Decides when to reconnect after a connection has been lost. Pure. */
import { ApiError } from './error.js';

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;
/** HTTP statuses that make it useless to reconnect: invalid request, no credentials, not allowed, no such terminal. */
const FINAL_STATUSES = [400, 401, 403, 404];

/**
 * Returns how long to wait before the next attempt.
 *
 * @param losses - Number of connections that have been lost or have failed since the last successful one.
 */
export function retryMs(losses: number): number {
  // Random, so that clients that were disconnected at the same time do not all reconnect at the same time.
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** losses) * (0.5 + Math.random() / 2);
}

export function isFinal(error: unknown): error is ApiError {
  return error instanceof ApiError && FINAL_STATUSES.includes(error.status);
}
