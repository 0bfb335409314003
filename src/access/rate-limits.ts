/** How often one caller may ask, and how often one address may fail to say who it is. In memory. */
import { isIPv6 } from 'node:net';
import type { RateLimiterRes } from 'rate-limiter-flexible';
// The package's index loads a client for every database it knows: 30 ms of each start.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';

export interface RateVerdict {
  readonly isOver: boolean;
  /** To be set on the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

const WINDOW_S = 60;
/** A person who mistypes stays below it; a program that tries keys does not. */
export const MAX_FAILURES_PER_MINUTE = 60;
/** Far more pages than a person opens. */
export const MAX_GUESTS_PER_MINUTE = 60;
/** Networks hand out whole /64s, so all addresses of one count as one. */
const IPV6_PREFIX_GROUPS = 4;
const MS_PER_S = 1000;

export class RateLimits {
  readonly #requests: RateLimiterMemory | undefined;
  readonly #failures = new RateLimiterMemory({ points: MAX_FAILURES_PER_MINUTE, duration: WINDOW_S });

  readonly #guests = new RateLimiterMemory({ points: MAX_GUESTS_PER_MINUTE, duration: WINDOW_S });

  /** @param requestsPerMinute - For each principal; 0 = no limit. */
  constructor(requestsPerMinute: number) {
    if (requestsPerMinute > 0) {
      this.#requests = new RateLimiterMemory({ points: requestsPerMinute, duration: WINDOW_S });
    }
  }

  /** Counts one request of a principal. */
  async countRequest(principalId: string): Promise<RateVerdict> {
    if (!this.#requests) return { isOver: false, headers: {} };
    return consume(this.#requests, principalId, 'requests');
  }

  /** Counts one failure of an address. A good key is never refused for others' failures: ask only after one. */
  async countFailure(address: string): Promise<RateVerdict> {
    return consume(this.#failures, sourceOf(address), 'failures');
  }

  /** Counts one request of somebody who is not known, for what is no secret. */
  async countGuest(address: string): Promise<RateVerdict> {
    return consume(this.#guests, sourceOf(address), 'guests');
  }
}

async function consume(limiter: RateLimiterMemory, key: string, policy: string): Promise<RateVerdict> {
  try {
    return { isOver: false, headers: headersFor(limiter, await limiter.consume(key), policy) };
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

/** What is counted as one source. IPv4 written as IPv6 is one address, not a network of all of them. */
export function sourceOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : Math.max(0, IPV6_PREFIX_GROUPS - groups.length);
  return [...groups, ...Array<string>(missing).fill('0')].slice(0, IPV6_PREFIX_GROUPS).join(':');
}
