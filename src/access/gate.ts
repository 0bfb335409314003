/**
 * Decides whether a request is admitted, and as which principal. No other code decides this. Every HTTP request passes
 * the gate first; the command line, stdio servers and host sockets do not use it. The decision depends only on the
 * headers, method and socket, not on routes or interfaces. `sign-ins.ts` identifies callers on the page.
 */
import type { IncomingMessage } from 'node:http';
import { TerminalError } from '../errors.js';
import type { EngineLog } from '../contract/options.js';
import { redeemAnswerCode, type AnswerRight } from './answer-links.js';
import { ClientAddresses } from './client-address.js';
import { hasLoopbackHost, hostProblem } from './host.js';
import { KeyRing } from './key-ring.js';
import { isProxied, untrustedReason } from './local-trust.js';
import { isLoopbackAddress, isLoopbackHost } from './loopback.js';
import { isPreflight, checkOrigin, PREFLIGHT_HEADERS } from './origin.js';
import type { AllowedOrigins } from './origin.js';
import { ownOriginOf, pageSecretsOf } from './page-request.js';
import { accountOf, localPrincipal, type Principal } from './principal.js';
import { RateLimits } from './rate-limits.js';
import { valuesOf } from './request-headers.js';
import { redeemCode } from './sign-in-codes.js';
import { isSignIn, SignIns } from './sign-ins.js';

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

/**
 * What a request asks for, which decides who else is admitted besides callers with a key or local trust. `docs` and
 * `page` are files without data: anyone on this machine can read `docs`, and anyone at all can read `page`. `sign-in`
 * is a request whose body contains a secret that its route requires, to sign in or to answer a question; anyone who sees
 * the page can send it. `ticket` is a form on the page: a form cannot send the proof of a sign-in, so its route requires
 * a ticket instead.
 */
export type Asked = 'data' | 'docs' | 'page' | 'sign-in' | 'ticket';

/** A secret that the page exchanges. `answerCode` is the code in a link to answer a question. */
export type Credential = { readonly code: string } | { readonly key: string } | { readonly answerCode: string };

type Outcome =
  | { readonly outcome: 'admitted'; readonly principal: Principal }
  /** The caller is not identified, but does not need to be for what it asks for. */
  | { readonly outcome: 'guest' }
  /** The caller is not identified, but may answer one question. */
  | { readonly outcome: 'answerer'; readonly right: AnswerRight }
  /** A browser's preflight request: respond with 204 and the headers, and nothing else. */
  | { readonly outcome: 'preflight' }
  | {
      readonly outcome: 'refused';
      readonly error: TerminalError;
      /** For the log, if it should say more than the error message, or say it more briefly. */
      readonly reason?: string;
    };

/** The decision, and headers to set on every response, including refusals. */
export type Admission = Outcome & { readonly headers: Readonly<Record<string, string>> };

export interface Gate {
  /**
   * Checks one request or upgrade, before routing. Never rejects: an internal error causes a refusal.
   *
   * @param asked - Default: data.
   */
  admit(request: IncomingMessage, asked?: Asked): Promise<Admission>;
  /**
   * Exchanges a code or a key for the principal whose permissions the requesting page gets, or the code of a link for
   * the right to answer one question.
   */
  exchange(request: IncomingMessage, credential: Credential): Promise<Admission>;
  readonly signIns: SignIns;
  /** Counts further requests from a principal that arrived within an admitted request. */
  countMore(principal: Principal, requests: number): Promise<Admission>;
  /**
   * Reports each principal whose key or sign-in is no longer valid, within a second of that change.
   *
   * @returns A function that stops the reports.
   */
  onRevoked(tell: (principalId: string) => void): () => void;
}

/** Checking the key file costs one `stat`. */
const REVOCATION_CHECK_MS = 500;

type CodeCredential = Exclude<Credential, { readonly key: string }>;
type Identity = { readonly principal: Principal } | { readonly reason: string };

const MAKE_A_KEY =
  'Create a key with `npm run key -- create` (installed: `tenacitty key create`) and send it as `Authorization: ' +
  'Bearer <key>` or `X-API-Key: <key>`.';

/** The message for every invalid code, so that it does not reveal what is wrong with the code. */
const CODE_NOT_VALID = 'That code is no longer valid. A code works once and expires soon.';
/** The message for every invalid link, and for every invalid proof that a link was opened. */
export const LINK_NOT_VALID = 'This link was already used or has expired. Ask for a new one.';

/** Creates a gate, which reloads the keys from `dataDir` whenever they change. */
export function createGate(options: GateOptions, log: EngineLog = () => {}): Gate {
  const keys = new KeyRing(options.dataDir, options.apiKeyHashes, log);
  const signIns = new SignIns(options.dataDir, keys);
  const limits = new RateLimits(options.rateLimitPerMinute);
  /** Principals that were admitted by a key or sign-in and have not been reported as revoked. */
  const bearers = new Set<string>();
  let problem = '';
  const addresses = new ClientAddresses(options.trustedProxies);

  async function judge(request: IncomingMessage, asked: Asked): Promise<Admission> {
    const hostError = hostProblem(request, { boundTo: options.host, allowedHosts: options.allowedHosts });
    if (hostError) return { outcome: 'refused', error: hostError, headers: {} };
    const { fromPage, error, headers } = checkOrigin(request, options.corsOrigins);
    if (error) return { outcome: 'refused', error, headers };
    if (fromPage && isPreflight(request)) return preflight(request, headers);
    const { headers: more, ...outcome } = await decide(request, asked, fromPage);
    return { ...outcome, headers: { ...headers, ...more } };
  }

  async function decide(request: IncomingMessage, asked: Asked, fromPage: boolean): Promise<Admission> {
    const isOwnPage = ownOriginOf(request) !== undefined;
    if (asked === 'sign-in')
      // Not counted, so that nobody can keep the owner of a key out; wrong keys are counted as refusals.
      return isOwnPage
        ? { outcome: 'guest', headers: {} }
        : refused(request, "only this server's own page can send it");
    if (asked === 'page' && (!fromPage || isOwnPage)) return visitor(request);
    const identity = await identify(request, asked !== 'ticket');
    if ('principal' in identity) return admitted(identity.principal);
    const mayBeGuest = asked === 'docs' && !fromPage && isGuest(request, options);
    return (mayBeGuest ? guest : refused)(request, identity.reason);
  }

  /**
   * Identifies the caller by its key or, if it sends none, by its sign-in. Falls back to local trust only if it sends
   * neither: local trust does not replace an invalid key or sign-in.
   */
  async function identify(request: IncomingMessage, needsProof: boolean): Promise<Identity> {
    const credentials = credentialsOf(request);
    if (credentials.kind === 'unclear') return { reason: credentials.reason };
    if (credentials.kind === 'key') return keys.find(credentials.key);
    const secrets = pageSecretsOf(request);
    if (secrets !== undefined) return signIns.find(request, secrets, needsProof);
    const reason = await untrustedReason(request, options.trustLocal);
    return reason === undefined
      ? { principal: localPrincipal() }
      : { reason: `it has no API key and no local trust: ${reason}` };
  }

  function addressOf(request: IncomingMessage): string {
    return addresses.of(request.socket.remoteAddress ?? '', valuesOf(request, 'x-forwarded-for'));
  }

  async function admitted(principal: Principal): Promise<Admission> {
    if (principal.kind === 'key' || principal.signIn) bearers.add(principal.id);
    return counted(principal, 1);
  }

  async function counted(principal: Principal, requests: number): Promise<Admission> {
    const { isOver, headers } = await limits.countRequests(accountOf(principal), requests);
    if (!isOver) return { outcome: 'admitted', principal, headers };
    const { rateLimitPerMinute: value } = options;
    const message = `More than ${value} requests per minute (TENACITTY_RATE_LIMIT); see Retry-After.`;
    const details = { limit: 'TENACITTY_RATE_LIMIT', value };
    return { outcome: 'refused', error: new TerminalError('RATE_LIMITED', message, details), headers };
  }

  async function preflight(request: IncomingMessage, headers: Admission['headers']): Promise<Admission> {
    const decision = await limits.count('preflights', addressOf(request));
    if (!decision.isOver) return { outcome: 'preflight', headers: { ...headers, ...PREFLIGHT_HEADERS } };
    return tooMany('preflight requests from this address', { ...headers, ...decision.headers });
  }

  async function guest(request: IncomingMessage, reason: string): Promise<Admission> {
    const { isOver, headers } = await limits.count('guests', request.socket.remoteAddress ?? '');
    if (!isOver) return { outcome: 'guest', headers: {} };
    return { ...tooMany('requests without an API key from this machine', headers), reason };
  }

  async function visitor(request: IncomingMessage): Promise<Admission> {
    const { isOver, headers } = await limits.count('page files', addressOf(request));
    return isOver ? tooMany('requests for the page from this address', headers) : { outcome: 'guest', headers: {} };
  }

  async function exchangeCode(request: IncomingMessage, credential: CodeCredential): Promise<Admission> {
    const { isOver, headers } = await limits.count('codes', addressOf(request));
    if (isOver) return tooMany('codes from this address', headers);
    if ('answerCode' in credential) {
      const right = redeemAnswerCode(options.dataDir, credential.answerCode);
      return right ? { outcome: 'answerer', right, headers: {} } : notValid(LINK_NOT_VALID);
    }
    const isValid = redeemCode(options.dataDir, credential.code);
    return isValid ? { outcome: 'admitted', principal: localPrincipal(), headers: {} } : notValid(CODE_NOT_VALID);
  }

  async function refused(request: IncomingMessage, reason: string): Promise<Admission> {
    const { isOver, headers } = await limits.count('failures', addressOf(request));
    if (isOver) return { ...tooMany('requests from this address without a valid API key', headers), reason };
    const error = new TerminalError('UNAUTHORIZED', `This request is refused because ${reason}. ${MAKE_A_KEY}`);
    return { outcome: 'refused', error, reason, headers: { 'WWW-Authenticate': 'Bearer realm="tenacitty"' } };
  }

  /**
   * Reports revoked principals. If the check fails, logs the failure once and tries again at the next check, because a
   * failure must not end the server.
   */
  function tellRevoked(tell: (principalId: string) => void): void {
    try {
      const signedIn = [...bearers].some((id) => isSignIn(id)) ? signIns.accepted() : new Set<string>();
      for (const id of [...bearers].filter((bearer) => !signedIn.has(bearer) && !keys.isAccepted(bearer))) {
        bearers.delete(id);
        tell(id);
      }
      problem = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== problem) log('error', `Revoked keys and ended sign-ins cannot be detected: ${message}`, {});
      problem = message;
    }
  }

  return {
    async admit(request, asked = 'data') {
      try {
        return await judge(request, asked);
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
    async exchange(request, credential) {
      if (!('key' in credential)) return exchangeCode(request, credential);
      const found = keys.find(credential.key);
      return 'principal' in found ? admitted(found.principal) : refused(request, found.reason);
    },
    signIns,
    countMore: counted,
    onRevoked(tell) {
      const timer = setInterval(() => tellRevoked(tell), REVOCATION_CHECK_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'unclear'; readonly reason: string };

const BEARER = /^Bearer +([^\s]+)$/i;

/** Returns the API key from `Authorization: Bearer …` or `X-API-Key`. Both headers may be sent if they agree. */
function credentialsOf(request: IncomingMessage): Credentials {
  const authorizations = valuesOf(request, 'authorization');
  const apiKeys = valuesOf(request, 'x-api-key');
  const bearers = authorizations.map((value) => BEARER.exec(value.trim())?.[1]);
  if (bearers.includes(undefined)) return unclear('the Authorization header is not `Bearer <key>`');
  const keys = new Set([...bearers, ...apiKeys]);
  const [key] = keys;
  if (keys.size > 1) return unclear('it has two different API keys');
  if (key === '') return unclear('its API key is empty');
  return key === undefined ? { kind: 'none' } : { kind: 'key', key };
}

function unclear(reason: string): Credentials {
  return { kind: 'unclear', reason };
}

function notValid(message: string): Admission {
  return { outcome: 'refused', error: new TerminalError('UNAUTHORIZED', message), headers: {} };
}

function tooMany(what: string, headers: Admission['headers']) {
  const error = new TerminalError('RATE_LIMITED', `Too many ${what}; see Retry-After.`);
  return { outcome: 'refused', error, headers } as const;
}

/**
 * Returns whether to admit a caller without credentials: a person who opens a page in a browser on this machine cannot
 * send a key. A caller with an invalid key gets an error instead.
 */
function isGuest(request: IncomingMessage, { host }: Pick<GateOptions, 'host'>): boolean {
  const isHere = isLoopbackHost(host) && isLoopbackAddress(request.socket.remoteAddress ?? '');
  return isHere && hasLoopbackHost(request) && !isProxied(request) && credentialsOf(request).kind === 'none';
}
