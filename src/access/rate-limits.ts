/**
 * Limits how often a caller can send requests, and how often an address can fail to authenticate. Keeps the counts in
 * memory.
 */
import { isIPv6 } from 'node:net';
import type { RateLimiterRes } from 'rate-limiter-flexible';
// Imports the file directly: the package's index loads a client for every supported database, which adds 30 ms to every
// startup.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';

export interface RateDecision {
  readonly isOver: boolean;
  /** Headers to set on the response. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Limit for sign-ins with a code, per address: far more than a person needs. Correct codes also count, so that a
 * response over the limit does not reveal whether the code was correct.
 */
export const MAX_CODES_PER_MINUTE = 20;
/** Limit for the page's files, per address. The page has ten files, and browsers cache most of them. */
export const MAX_PAGE_FILES_PER_MINUTE = 600;
const WINDOW_S = 60;
/** A person who mistypes does not reach this limit, but a program that tries keys does. */
export const MAX_FAILURES_PER_MINUTE = 60;
/** Limit for documentation pages, per address: far more than a person opens. */
export const MAX_GUESTS_PER_MINUTE = 60;
/**
 * Limit for preflights, per address: far more than a page sends, because browsers cache the responses. Each costs about
 * a millisecond.
 */
export const MAX_PREFLIGHTS_PER_MINUTE = 1200;
/** Providers assign whole /64 networks, so all addresses in a /64 count as one. */
const IPV6_PREFIX_GROUPS = 4;
const MS_PER_S = 1000;

export class RateLimits {
  readonly #requests: RateLimiterMemory | undefined;
  readonly #failures = new RateLimiterMemory({ points: MAX_FAILURES_PER_MINUTE, duration: WINDOW_S });
  readonly #preflights = new RateLimiterMemory({ points: MAX_PREFLIGHTS_PER_MINUTE, duration: WINDOW_S });
  readonly #codes = new RateLimiterMemory({ points: MAX_CODES_PER_MINUTE, duration: WINDOW_S });
  readonly #pageFiles = new RateLimiterMemory({ points: MAX_PAGE_FILES_PER_MINUTE, duration: WINDOW_S });
  readonly #guests = new RateLimiterMemory({ points: MAX_GUESTS_PER_MINUTE, duration: WINDOW_S });

  /** @param requestsPerMinute - Limit for each principal; 0 means no limit. */
  constructor(requestsPerMinute: number) {
    if (requestsPerMinute > 0) {
      this.#requests = new RateLimiterMemory({ points: requestsPerMinute, duration: WINDOW_S });
    }
  }

  /** Counts requests from a principal. */
  async countRequests(principalId: string, count: number): Promise<RateDecision> {
    if (!this.#requests) return { isOver: false, headers: {} };
    return consume(this.#requests, principalId, 'requests', count);
  }

  /**
   * Counts one failure from an address. Call this only after a failure, so that a valid key is never rejected because
   * of failures that others cause.
   */
  async countFailure(address: string): Promise<RateDecision> {
    return consume(this.#failures, sourceOf(address), 'failures');
  }

  /** Counts one preflight. Preflights never contain a key. */
  async countPreflight(address: string): Promise<RateDecision> {
    return consume(this.#preflights, sourceOf(address), 'preflights');
  }

  /** Counts one unauthenticated request for public content. */
  async countGuest(address: string): Promise<RateDecision> {
    return consume(this.#guests, sourceOf(address), 'guests');
  }

  /** Counts one attempt to sign in with a code. */
  async countCode(address: string): Promise<RateDecision> {
    return consume(this.#codes, sourceOf(address), 'codes');
  }

  /** Counts one request for a file of the page. */
  async countPageFile(address: string): Promise<RateDecision> {
    return consume(this.#pageFiles, sourceOf(address), 'page files');
  }
}

async function consume(limiter: RateLimiterMemory, key: string, policy: string, count = 1): Promise<RateDecision> {
  try {
    return { isOver: false, headers: headersFor(limiter, await limiter.consume(key, count), policy) };
  } catch (over) {
    if (over instanceof Error) throw over;
    const state = over as RateLimiterRes;
    const headers = { ...headersFor(limiter, state, policy), 'Retry-After': String(secondsLeft(state)) };
    return { isOver: true, headers };
  }
}

function headersFor(limiter: RateLimiterMemory, state: RateLimiterRes, policy: string): Record<string, string> {
  return {
    'RateLimit-Policy': `"${policy}";q=${limiter.points};w=${WINDOW_S}`,
    RateLimit: `"${policy}";r=${state.remainingPoints};t=${secondsLeft(state)}`,
  };
}

function secondsLeft(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / MS_PER_S));
}

/**
 * Returns the source that an address counts as. An IPv6 address counts as its /64, and an IPv4-mapped address as the
 * IPv4 address. All loopback addresses count as one, because every user of this machine can connect from any of them.
 */
export function sourceOf(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  if (ipv4 === '::1' || ipv4.startsWith('127.')) return 'loopback';
  if (!isIPv6(ipv4)) return ipv4;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : Math.max(0, IPV6_PREFIX_GROUPS - groups.length);
  return [...groups, ...Array<string>(missing).fill('0')].slice(0, IPV6_PREFIX_GROUPS).join(':');
}
