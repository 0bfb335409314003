/**
 * The gate: the only code that decides whether a request is admitted, and as which principal. Everything that is served
 * over HTTP passes it first. The command line, stdio servers and host sockets do not use it. It uses only headers,
 * method and socket, and does not depend on routes or interfaces.
 */
import type { IncomingMessage } from 'node:http';
import { TerminalError } from '../errors.js';
import type { EngineLog } from '../contract/options.js';
import { ClientAddresses } from './client-address.js';
import { credentialsOf } from './credentials.js';
import { hasLoopbackHost, hostProblem } from './host.js';
import { KeyRing } from './key-ring.js';
import { isProxied, untrustedReason } from './local-trust.js';
import { isLoopbackAddress, isLoopbackHost } from './loopback.js';
import { isPreflight, checkOrigin, PREFLIGHT_HEADERS } from './origin.js';
import type { AllowedOrigins } from './origin.js';
import { localPrincipal, type Principal } from './principal.js';
import { RateLimits } from './rate-limits.js';
import { valuesOf } from './request-headers.js';

/** The options of the gate, a subset of `Options`. */
export interface GateOptions {
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly corsOrigins: AllowedOrigins;
  readonly apiKeyHashes: readonly string[];
  readonly trustLocal: boolean;
  readonly rateLimitPerMinute: number;
  readonly dataDir: string;
  /** Networks whose `X-Forwarded-For` is trusted when failures are counted. */
  readonly trustedProxies: readonly string[];
}

type Outcome =
  | { readonly outcome: 'admitted'; readonly principal: Principal }
  /** The caller is not identified, but requests public content from this machine. */
  | { readonly outcome: 'guest' }
  /** A browser's preflight request: answer 204 with the headers, and nothing else. */
  | { readonly outcome: 'preflight' }
  | {
      readonly outcome: 'refused';
      readonly error: TerminalError;
      /** For the log, if it contains more than the error, or the same in fewer words. */
      readonly reason?: string;
    };

/** The decision, with headers to set on every answer, including refusals. */
export type Admission = Outcome & { readonly headers: Readonly<Record<string, string>> };

export interface Gate {
  /**
   * Judges one request or upgrade, before routing. Never rejects: an internal error causes a refusal.
   *
   * @param isPublic - Whether it requests content without data, such as documentation. Default: false.
   */
  admit(request: IncomingMessage, isPublic?: boolean): Promise<Admission>;
  /** Counts further requests of a principal, which arrived within one that was admitted. */
  countMore(principal: Principal, requests: number): Promise<Admission>;
  /**
   * Reports, within a second, each principal admitted by a key that is no longer valid.
   *
   * @returns A function that stops the reports.
   */
  onRevoked(tell: (principalId: string) => void): () => void;
}

/** Checking the key file costs one `stat`. */
const REVOCATION_CHECK_MS = 500;

type Identity = { readonly principal: Principal } | { readonly reason: string };

const MAKE_A_KEY =
  'Create a key with `npm run key -- create` (installed: `tenacitty key create`) and send it as `Authorization: ' +
  'Bearer <key>` or `X-API-Key: <key>`.';

/** Creates a gate. Keys are read again from `dataDir` whenever they change. */
export function createGate(options: GateOptions, log: EngineLog = () => {}): Gate {
  const keys = new KeyRing(options.dataDir, options.apiKeyHashes, log);
  const limits = new RateLimits(options.rateLimitPerMinute);
  /** Principals admitted by a key that is not known to be revoked. */
  const bearers = new Set<string>();
  const addresses = new ClientAddresses(options.trustedProxies);

  async function judge(request: IncomingMessage, isPublic: boolean): Promise<Admission> {
    const hostError = hostProblem(request, { boundTo: options.host, allowedHosts: options.allowedHosts });
    if (hostError) return { outcome: 'refused', error: hostError, headers: {} };
    const { fromPage, error, headers } = checkOrigin(request, options.corsOrigins);
    if (error) return { outcome: 'refused', error, headers };
    if (fromPage && isPreflight(request)) return preflight(request, headers);
    const identity = await identify(request, keys, options.trustLocal);
    const mayBeGuest = isPublic && !fromPage && isGuest(request, options);
    const stranger = mayBeGuest ? guest : refused;
    const decision = 'principal' in identity ? admitted(identity.principal) : stranger(request, identity.reason);
    const { headers: more, ...outcome } = await decision;
    return { ...outcome, headers: { ...headers, ...more } };
  }

  function addressOf(request: IncomingMessage): string {
    return addresses.of(request.socket.remoteAddress ?? '', valuesOf(request, 'x-forwarded-for'));
  }

  async function admitted(principal: Principal): Promise<Admission> {
    if (principal.kind === 'key') bearers.add(principal.id);
    return counted(principal, 1);
  }

  async function counted(principal: Principal, requests: number): Promise<Admission> {
    const { isOver, headers } = await limits.countRequests(principal.id, requests);
    if (!isOver) return { outcome: 'admitted', principal, headers };
    const { rateLimitPerMinute: value } = options;
    const message = `More than ${value} requests per minute (TENACITTY_RATE_LIMIT); see Retry-After.`;
    const details = { limit: 'TENACITTY_RATE_LIMIT', value };
    return { outcome: 'refused', error: new TerminalError('RATE_LIMITED', message, details), headers };
  }

  async function preflight(request: IncomingMessage, headers: Admission['headers']): Promise<Admission> {
    const decision = await limits.countPreflight(addressOf(request));
    if (!decision.isOver) return { outcome: 'preflight', headers: { ...headers, ...PREFLIGHT_HEADERS } };
    const message = 'Too many preflight requests from this address; see Retry-After.';
    const error = new TerminalError('RATE_LIMITED', message);
    return { outcome: 'refused', error, headers: { ...headers, ...decision.headers } };
  }

  async function guest(request: IncomingMessage, reason: string): Promise<Admission> {
    const { isOver, headers } = await limits.countGuest(request.socket.remoteAddress ?? '');
    if (!isOver) return { outcome: 'guest', headers: {} };
    const message = 'Too many requests without an API key from this machine; see Retry-After.';
    return { outcome: 'refused', error: new TerminalError('RATE_LIMITED', message), reason, headers };
  }

  async function refused(request: IncomingMessage, reason: string): Promise<Admission> {
    const { isOver, headers } = await limits.countFailure(addressOf(request));
    if (isOver) {
      const message = 'Too many requests from this address without a valid API key; see Retry-After.';
      return { outcome: 'refused', error: new TerminalError('RATE_LIMITED', message), reason, headers };
    }
    const error = new TerminalError('UNAUTHORIZED', `This request is refused because ${reason}. ${MAKE_A_KEY}`);
    return { outcome: 'refused', error, reason, headers: { 'WWW-Authenticate': 'Bearer realm="tenacitty"' } };
  }

  return {
    async admit(request, isPublic = false) {
      try {
        return await judge(request, isPublic);
      } catch (cause) {
        const error = new TerminalError(
          'INTERNAL_ERROR',
          'The request could not be authenticated because of an internal error.',
          {},
          { cause },
        );
        return { outcome: 'refused', error, headers: {} };
      }
    },
    countMore: counted,
    onRevoked(tell) {
      const timer = setInterval(() => {
        for (const id of [...bearers].filter((bearer) => !keys.isAccepted(bearer))) {
          bearers.delete(id);
          tell(id);
        }
      }, REVOCATION_CHECK_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

/**
 * Returns whether to admit a person who opens an address in a browser on this machine and cannot send a key. A caller
 * with an invalid key gets an error instead.
 */
function isGuest(request: IncomingMessage, { host }: Pick<GateOptions, 'host'>): boolean {
  const isHere = isLoopbackHost(host) && isLoopbackAddress(request.socket.remoteAddress ?? '');
  return isHere && hasLoopbackHost(request) && !isProxied(request) && credentialsOf(request).kind === 'none';
}

/** If a key is given, only the key counts: an invalid key is not excused by local trust. */
async function identify(request: IncomingMessage, keys: KeyRing, trustLocal: boolean): Promise<Identity> {
  const credentials = credentialsOf(request);
  if (credentials.kind === 'unclear') return { reason: credentials.reason };
  if (credentials.kind === 'key') return keys.find(credentials.key);
  const reason = await untrustedReason(request, trustLocal);
  return reason === undefined
    ? { principal: localPrincipal() }
    : { reason: `it has no API key and no local trust: ${reason}` };
}
