/**
 * The Host rule: a request must name this server by a name it knows. A web page that lets its own
 * name point at this machine (DNS rebinding) is told apart by just that name.
 */
import type { IncomingMessage } from 'node:http';
import { TerminalError } from '../errors.js';
import { isLoopbackHost } from './loopback.js';
import { valuesOf } from './request-headers.js';

export interface HostRules {
  /** Address the server is bound to. */
  readonly boundTo: string;
  /** Further names, lower case, each with an optional `:port`. */
  readonly allowedHosts: readonly string[];
}

interface HostName {
  /** Lower case, without port. */
  readonly name: string;
  readonly port: number;
}

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/i;

/** Why the request is refused for its Host, or undefined if it is allowed. */
export function hostProblem(request: IncomingMessage, rules: HostRules): TerminalError | undefined {
  const host = hostOf(request);
  if (!host) {
    const message = 'A request must be for a plain path and carry exactly one well-formed Host header.';
    return new TerminalError('HOST_NOT_ALLOWED', message);
  }
  if (isOwnLoopbackName(host, request) || isListed(host, rules)) return undefined;
  const given = `${host.name}:${host.port}`;
  const message = `This server does not answer to the host ${given}. If it should, add that to TENACITTY_ALLOWED_HOSTS.`;
  return new TerminalError('HOST_NOT_ALLOWED', message, { host: given });
}

/** Whether the one Host is a loopback name with the port the request came in on. */
export function hasLoopbackHost(request: IncomingMessage): boolean {
  const host = hostOf(request);
  return host !== undefined && isOwnLoopbackName(host, request);
}

function isOwnLoopbackName(host: HostName, request: IncomingMessage): boolean {
  return isLoopbackHost(host.name) && host.port === request.socket.localPort;
}

/** Off loopback every request needs a key, which no page has by rebinding: then any name will do. */
function isListed({ name, port }: HostName, { boundTo, allowedHosts }: HostRules): boolean {
  if (allowedHosts.length === 0) return !isLoopbackHost(boundTo);
  return allowedHosts.includes(name) || allowedHosts.includes(`${name}:${port}`);
}

/** A full URL in place of the path (as sent to proxies) would name a second host; it is not taken. */
function hostOf(request: IncomingMessage): HostName | undefined {
  const hosts = valuesOf(request, 'host');
  const [, name, port] = HOST.exec(hosts[0] ?? '') ?? [];
  if (hosts.length !== 1 || name === undefined || !request.url?.startsWith('/')) return undefined;
  const defaultPort = 'encrypted' in request.socket ? HTTPS_PORT : HTTP_PORT;
  return { name: name.toLowerCase(), port: port === undefined ? defaultPort : Number(port) };
}
