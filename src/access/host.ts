/**
 * Checks the Host header: a request must address this server by a known name. This detects web pages that make their
 * own domain name resolve to this machine (DNS rebinding).
 */
import type { IncomingMessage } from 'node:http';
import { TerminalError } from '../errors.js';
import { isLoopbackHost } from './loopback.js';
import { valuesOf } from './request-headers.js';

export interface HostRules {
  /** Address that the server is bound to. */
  readonly boundTo: string;
  /** Additional names, lower case, each with an optional `:port`. */
  readonly allowedHosts: readonly string[];
}

interface HostName {
  /** Lower case, without the port. */
  readonly name: string;
  readonly port: number;
}

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/i;

/** Returns why the request is refused because of its Host header, or undefined if it is allowed. */
export function hostProblem(request: IncomingMessage, rules: HostRules): TerminalError | undefined {
  const host = hostOf(request);
  if (!host) {
    const message = 'A request must have a plain path and exactly one well-formed Host header.';
    return new TerminalError('HOST_NOT_ALLOWED', message);
  }
  if (isOwnLoopbackName(host, request) || isListed(host, rules)) return undefined;
  const given = `${host.name}:${host.port}`;
  const message = `This server does not serve the host ${given}. To allow it, add it to TENACITTY_ALLOWED_HOSTS.`;
  return new TerminalError('HOST_NOT_ALLOWED', message, { host: given });
}

/** Returns whether the only Host header is a loopback name with the port that the request arrived on. */
export function hasLoopbackHost(request: IncomingMessage): boolean {
  const host = hostOf(request);
  return host !== undefined && isOwnLoopbackName(host, request);
}

function isOwnLoopbackName(host: HostName, request: IncomingMessage): boolean {
  return isLoopbackHost(host.name) && host.port === request.socket.localPort;
}

/**
 * Returns whether a name is allowed. If none are configured and the server is not bound to loopback, every name is
 * allowed: every request then needs a key, which a page cannot obtain by DNS rebinding.
 */
function isListed({ name, port }: HostName, { boundTo, allowedHosts }: HostRules): boolean {
  if (allowedHosts.length === 0) return !isLoopbackHost(boundTo);
  return allowedHosts.includes(name) || allowedHosts.includes(`${name}:${port}`);
}

/**
 * Parses the Host header; returns undefined if it is not valid. A request target that is a full URL, as sent to
 * proxies, is not valid either, because it would specify a second host.
 */
export function hostOf(request: IncomingMessage): HostName | undefined {
  const hosts = valuesOf(request, 'host');
  const [, name, port] = HOST.exec(hosts[0] ?? '') ?? [];
  if (hosts.length !== 1 || name === undefined || !request.url?.startsWith('/')) return undefined;
  const defaultPort = 'encrypted' in request.socket ? HTTPS_PORT : HTTP_PORT;
  return { name: name.toLowerCase(), port: port === undefined ? defaultPort : Number(port) };
}
