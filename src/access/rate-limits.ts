/**
 * Limits how often a caller can send requests, and how often an address can fail to authenticate. Keeps the counts in
 * memory.
 */
import { isIPv6 } from 'node:net';
import type { RateLimiterRes } from 'rate-limiter-flexible';
// Imports the file directly: the package's index loads a client for every supported database, which adds 30 ms to every
// startup.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { plainAddress } from './client-address.js';

export interface RateDecision {
  readonly isOver: boolean;
  /** Headers to set on the response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Limits per address and minute, by policy: the name that the headers of a response contain. */
export const MAX_PER_MINUTE = {
  /**
   * Count one only after a failure, so that a valid key is never rejected because of failures that others cause. A
   * person who mistypes does not reach this limit, but a program that tries keys does.
   */
  failures: 60,
  /**
   * Preflights, which never contain a key: far more than a page sends, because browsers cache the responses. Each costs
   * about a millisecond.
   */
  preflights: 1200,
  /** Unauthenticated requests for public content, such as documentation pages: far more than a person opens. */
  guests: 60,
  /**
   * Codes, to sign in or to answer a question: far more than a person needs. Correct codes also count, so that a
   * response over the limit does not reveal whether the code was correct.
   */
  codes: 20,
  /** Requests for a file of the page. The page has ten files, and browsers cache most of them. */
  'page files': 600,
} as const;
const WINDOW_S = 60;
/** Providers assign whole /64 networks, so all addresses in a /64 count as one. */
const IPV6_PREFIX_GROUPS = 4;
const MS_PER_S = 1000;

export class RateLimits {
  readonly #requests: RateLimiterMemory | undefined;
  readonly #limiters = new Map(
    Object.entries(MAX_PER_MINUTE).map(([policy, points]) => [policy, limiterOf(points)] as const),
  );

  /** @param requestsPerMinute - Limit for each principal; 0 means no limit. */
  constructor(requestsPerMinute: number) {
    if (requestsPerMinute > 0) this.#requests = limiterOf(requestsPerMinute);
  }

  /** Counts requests from a principal. */
  async countRequests(principalId: string, count: number): Promise<RateDecision> {
    if (!this.#requests) return { isOver: false, headers: {} };
    return consume(this.#requests, principalId, 'requests', count);
  }

  /** Counts one event of an address. */
  async count(policy: keyof typeof MAX_PER_MINUTE, address: string): Promise<RateDecision> {
    return consume(this.#limiters.get(policy)!, sourceOf(address), policy);
  }
}

function limiterOf(points: number): RateLimiterMemory {
  return new RateLimiterMemory({ points, duration: WINDOW_S });
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
  const ipv4 = plainAddress(address);
  if (ipv4 === '::1' || ipv4.startsWith('127.')) return 'loopback';
  if (!isIPv6(ipv4)) return ipv4;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : Math.max(0, IPV6_PREFIX_GROUPS - groups.length);
  return [...groups, ...Array<string>(missing).fill('0')].slice(0, IPV6_PREFIX_GROUPS).join(':');
}
