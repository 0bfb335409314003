/**
 * Checks the Origin header and answers CORS: decides which web pages can call the server, and returns the headers for
 * their browser. The server's own page always can. Browsers send no credentials with calls from pages of other origins,
 * so each of those calls needs an API key.
 */
import type { IncomingMessage } from 'node:http';
import { TerminalError } from '../errors.js';
import { ownOriginOf } from './page-request.js';
import { valuesOf } from './request-headers.js';

export type AllowedOrigins = '*' | readonly string[];

export interface OriginDecision {
  /** Whether the request comes from a web page. */
  readonly fromPage: boolean;
  readonly error?: TerminalError;
  /** Headers to set on every response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How long a browser may cache the response to a preflight. Browsers apply their own, lower limits. */
const PREFLIGHT_SECONDS = 7200;
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s,/]+$/;

const EXPOSED = {
  'Access-Control-Expose-Headers':
    'Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Mcp-Session-Id',
};

export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, X-API-Key, Content-Type, Idempotency-Key, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, ' +
    'Mcp-Name, Mcp-Session-Id, Tenacitty-Workspace, X-Hold',
  'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
};

/** Checks the Origin header. Always rejects `null`, malformed and repeated origins. */
export function checkOrigin(request: IncomingMessage, allowed: AllowedOrigins): OriginDecision {
  const origins = valuesOf(request, 'origin');
  const vary: Record<string, string> = allowed === '*' ? {} : { Vary: 'Origin' };
  if (origins.length === 0) return { fromPage: false, headers: vary };
  const [origin = ''] = origins;
  const isListed = allowed === '*' || allowed.includes(origin) || ownOriginOf(request) !== undefined;
  const isAllowed = origins.length === 1 && ORIGIN.test(origin) && isListed;
  if (!isAllowed) return { fromPage: true, headers: vary, error: originError(origin) };
  const allow = allowed === '*' ? '*' : origin;
  return { fromPage: true, headers: { ...vary, ...EXPOSED, 'Access-Control-Allow-Origin': allow } };
}

function originError(origin: string): TerminalError {
  const message =
    'Pages of this origin may not call this server. To allow them, add the origin to TENACITTY_CORS_ORIGIN.';
  return new TerminalError('ORIGIN_NOT_ALLOWED', message, { origin });
}

/** Returns whether a request is a browser's preflight. */
export function isPreflight(request: IncomingMessage): boolean {
  return request.method === 'OPTIONS' && valuesOf(request, 'access-control-request-method').length > 0;
}
