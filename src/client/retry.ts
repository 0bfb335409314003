/** When a lost connection is made again. Pure. */
import { ApiError } from './error.js';

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;
/** HTTP statuses after which connecting again is useless: wrong request, no credentials, not allowed, no such terminal. */
const FINAL_STATUSES = [400, 401, 403, 404];

/** @param losses - Number of connections that were lost or failed since the last that worked. */
export function retryMs(losses: number): number {
  // Clients that were cut off together do not come back together.
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** losses) * (0.5 + Math.random() / 2);
}

export function isFinal(error: unknown): error is ApiError {
  return error instanceof ApiError && FINAL_STATUSES.includes(error.status);
}
