/**
 * Extracts the origin, and the cookie and proof of the sign-in, from a request that the page sends. Does not check
 * whether they are valid.
 */
import type { IncomingMessage } from 'node:http';
import { hostOf } from './host.js';
import { elementsOf, valuesOf } from './request-headers.js';

/**
 * The header that contains the proof. Browsers cannot add headers to an upgrade request, which contains the proof as
 * one of its subprotocols instead.
 */
const PROOF_HEADER = 'x-tenacitty-proof';
const PROOF_PROTOCOL = 'tenacitty.proof.';

export interface PageSecrets {
  /**
   * Cookies with this server's cookie name. There can be several, because another server on the same host name and port
   * may have set one too.
   */
  readonly cookies: readonly string[];
  readonly proofs: readonly string[];
}

/** Returns the cookies and proofs of a request, or undefined if it has neither. */
export function pageSecretsOf(request: IncomingMessage): PageSecrets | undefined {
  const cookies = cookiesOf(request);
  const proofs = [...valuesOf(request, PROOF_HEADER), ...proofsInProtocols(request)];
  return cookies.length === 0 && proofs.length === 0 ? undefined : { cookies, proofs };
}

function cookiesOf(request: IncomingMessage): string[] {
  const names = [cookieName(request, true), cookieName(request, false)];
  const pairs = valuesOf(request, 'cookie').flatMap((header) => header.split(';').map((pair) => pair.trim()));
  return names.flatMap((name) =>
    pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1)),
  );
}

function proofsInProtocols(request: IncomingMessage): string[] {
  const offered = valuesOf(request, 'sec-websocket-protocol').flatMap(elementsOf);
  const found = offered.filter((protocol) => protocol.startsWith(PROOF_PROTOCOL));
  return found.map((protocol) => protocol.slice(PROOF_PROTOCOL.length));
}

/** Returns the name of the cookie. It contains the port, because browsers send cookies to all ports of a host. */
function cookieName(request: IncomingMessage, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}tenacitty-${hostOf(request)?.port}`;
}

/** Returns the header that sets the cookie. */
export function cookieHeader(request: IncomingMessage, origin: string, value: string, maxAgeMs: number): string {
  const isSecure = origin.startsWith('https:');
  const age = `Max-Age=${Math.floor(maxAgeMs / 1000)}`;
  const rest = ['Path=/', 'HttpOnly', 'SameSite=Strict', age, ...(isSecure ? ['Secure'] : [])];
  return [`${cookieName(request, isSecure)}=${value}`, ...rest].join('; ');
}

/** Returns the headers that make a browser delete this server's cookies, with and without TLS. */
export function expiredCookies(request: IncomingMessage): string[] {
  const rest = 'Path=/; HttpOnly; SameSite=Strict; Max-Age=0';
  return [`${cookieName(request, false)}=; ${rest}`, `${cookieName(request, true)}=; ${rest}; Secure`];
}

/**
 * Returns a request's origin if it is this server's own, that is, if its name and port are those of the Host header.
 * Behind a proxy that provides TLS, its scheme is `https` although the connection is not encrypted.
 */
export function ownOriginOf(request: IncomingMessage): string | undefined {
  const origins = valuesOf(request, 'origin');
  const [, scheme, host] = /^(https?):\/\/([^/]+)$/.exec(origins[0] ?? '') ?? [];
  const isEncrypted = 'encrypted' in request.socket;
  if (origins.length !== 1 || (isEncrypted && scheme !== 'https')) return undefined;
  return host !== undefined && host === request.headers.host?.toLowerCase() ? origins[0] : undefined;
}

/**
 * Returns whether a request comes from the page at this origin. A browser sends an Origin header with each request that
 * changes something or upgrades, but not with one that only reads.
 */
export function isFromPageAt(origin: string, request: IncomingMessage): boolean {
  const { method, headers } = request;
  const isRead = (method === 'GET' || method === 'HEAD') && headers.upgrade === undefined;
  if (!isRead || valuesOf(request, 'origin').length > 0) return ownOriginOf(request) === origin;
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  return site === 'same-origin' && new URL(origin).host === headers.host?.toLowerCase();
}
