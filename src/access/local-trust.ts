/**
 * Verifies that a request comes directly from a process that the server's own user runs on this machine, not from a
 * page in that user's browser and not through a proxy. A request that cannot be verified is not trusted.
 */
import type { IncomingMessage } from 'node:http';
import { hasLoopbackHost } from './host.js';
import { isLoopbackAddress } from './loopback.js';
import { peerUid } from './peer-uid.js';
import { HOOK_HEADER } from './request-headers.js';

/**
 * Headers that only browsers send, in addition to those whose names start with `sec-` but not with `sec-websocket-`.
 */
const BROWSER_HEADERS = new Set(['origin', 'referer', 'cookie', 'upgrade-insecure-requests']);
/** Prefix of the headers that every WebSocket client sends, not only browsers. */
const WEBSOCKET_PREFIX = 'sec-websocket-';
const PROXY_HEADERS = new Set(['via', 'x-real-ip', 'x-scheme', 'x-proxyuser-ip', 'cf-connecting-ip', 'cf-ray']);
const PROXY_PREFIXES = ['x-original-', 'x-envoy-', 'tailscale-'];
/** `Forwarded`, `X-Forwarded-For`, `WL-Proxy-Forwarded`, `True-Client-IP`, … with any vendor prefix. */
const PROXY_PATTERN = /forward|client-?ip$/;

/**
 * Resolves to why the request is not trusted as local, as a clause such as `it comes from another machine`; undefined
 * if it is trusted. Never rejects.
 */
export async function untrustedReason(request: IncomingMessage, trustLocal: boolean): Promise<string | undefined> {
  const { socket } = request;
  if (!isLoopbackAddress(socket.remoteAddress ?? '')) return 'it comes from another machine';
  if (!trustLocal) return 'TENACITTY_TRUST_LOCAL is false';
  const tell = browserHeader(request) ?? proxyHeader(request) ?? hookHeader(request);
  if (tell) return tell;
  if (!hasLoopbackHost(request)) return 'its Host header is not a loopback name of this machine';
  const uid = await peerUid(socket);
  if (uid === undefined) return 'the system does not report which user it comes from';
  return uid === process.getuid?.() ? undefined : 'it comes from a process of another user';
}

function browserHeader(request: IncomingMessage): string | undefined {
  const names = Object.keys(request.headers).filter(isBrowserHeader);
  if (names.length === 0 || isNodeFetch(names, request)) return undefined;
  return `it has the header ${names[0]}, which browsers send`;
}

function isBrowserHeader(name: string): boolean {
  return BROWSER_HEADERS.has(name) || (name.startsWith('sec-') && !name.startsWith(WEBSOCKET_PREFIX));
}

/**
 * Returns whether Node's `fetch` sent the request. It sends `Sec-Fetch-Mode: cors` and no other browser header, whereas
 * no browser sends that header alone.
 */
function isNodeFetch(browserHeaders: readonly string[], request: IncomingMessage): boolean {
  return browserHeaders.length === 1 && request.headers['sec-fetch-mode'] === 'cors';
}

/**
 * Returns whether a header shows that the request passed through a proxy. A proxy that adds no header cannot be
 * detected.
 */
export function isProxied(request: IncomingMessage): boolean {
  return proxyHeader(request) !== undefined;
}

function proxyHeader(request: IncomingMessage): string | undefined {
  const name = Object.keys(request.headers).find(isProxyHeader);
  return name && `it has the header ${name}, which proxies send`;
}

function hookHeader({ headers }: IncomingMessage): string | undefined {
  return headers[HOOK_HEADER] === undefined ? undefined : `it has the header ${HOOK_HEADER}, which hooks send`;
}

/** Returns whether proxies send this header. Some proxies write `_` instead of `-`. */
function isProxyHeader(given: string): boolean {
  const name = given.replaceAll('_', '-');
  const isListed = PROXY_HEADERS.has(name) || PROXY_PREFIXES.some((prefix) => name.startsWith(prefix));
  return isListed || PROXY_PATTERN.test(name);
}
