/**
 * Logs and counts a finished request: its principal, action, origin and result. Never logs input, responses, queries or
 * keys.
 */
import type { Logger } from 'pino';
import type { Exchange } from './exchange.js';
import type { Service } from './service.js';

interface Keeper {
  readonly log: Logger;
  readonly logReads: boolean;
  readonly service: Pick<Service, 'metrics'>;
}

const MS_PER_SECOND = 1000;
const FIRST_ERROR_STATUS = 400;
const SWITCHED = 101;
/** The status in logs and metrics if the caller left before the response, as in other servers. */
const CALLER_LEFT = 499;
/** Longer than any path of this server. An unauthenticated caller could send thousands of characters. */
const MAX_PATH = 200;

/** Logs one line per request. */
export function recordRequest(exchange: Exchange, { log, logReads, service }: Keeper): void {
  const { routePath, elapsedMs, response, errorCode, refusal } = exchange;
  const method = exchange.request.method ?? '';
  const answered = response.headersSent ? response.statusCode : CALLER_LEFT;
  const status = exchange.isUpgraded ? SWITCHED : answered;
  service.metrics.observe(method, routePath, status, elapsedMs / MS_PER_SECOND);
  if (refusal !== undefined) service.metrics.countRefusal(errorCode ?? '');
  const isRead = (method === 'GET' || method === 'HEAD') && status < FIRST_ERROR_STATUS;
  // A refused caller that left received nothing, and a preflight does nothing. If these were logged at `info`, anyone
  // could fill the log without authentication.
  const isIdle = (refusal !== undefined && status === CALLER_LEFT) || exchange.isPreflight;
  log[isIdle || (isRead && !logReads) ? 'debug' : 'info'](lineOf(exchange, method, status), 'request');
}

/** Returns the fields of the log line. Undefined fields are omitted when the line is written. */
function lineOf(exchange: Exchange, method: string, status: number) {
  const { id: requestId, routePath: route, elapsedMs, principal, address, terminalId, errorCode, refusal } = exchange;
  const path = pathOf(exchange.request.url ?? '');
  const result = { status, ms: Math.round(elapsedMs), code: errorCode, reason: refusal };
  return { requestId, method, route, path, terminalId, ...result, principal: principal?.id, address };
}

/** Removes the query, and redacts API keys that a caller may have put in the path by mistake. */
function pathOf(url: string): string {
  const path = url.split('?', 1)[0]!.replace(/tnc_[\w-]+/g, 'tnc_…');
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
}
