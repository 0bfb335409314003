/**
 * What is logged and counted of a request when it is over: who did what, from where, with which result. Never what was
 * given or answered, never a query, never a key. It knows no route.
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
/** In logs and metrics, as other servers write it: nobody waited for an answer. */
const CALLER_LEFT = 499;
/** Longer than any path of ours; a stranger may send thousands of characters. */
const MAX_PATH = 200;

/** One line a request. */
export function recordRequest(exchange: Exchange, { log, logReads, service }: Keeper): void {
  const { routePath, elapsedMs, response, errorCode, refusal } = exchange;
  const method = exchange.request.method ?? '';
  const status = response.headersSent ? response.statusCode : CALLER_LEFT;
  service.metrics.observe(method, routePath, status, elapsedMs / MS_PER_SECOND);
  if (refusal !== undefined) service.metrics.countRefusal(errorCode ?? '');
  const isRead = (method === 'GET' || method === 'HEAD') && status < FIRST_ERROR_STATUS;
  // Who has left was told nothing. A stranger could fill the log.
  const isIdle = refusal !== undefined && status === CALLER_LEFT;
  log[isIdle || (isRead && !logReads) ? 'debug' : 'info'](lineOf(exchange, method, status), 'request');
}

/** What is undefined is left out of the line. */
function lineOf(exchange: Exchange, method: string, status: number) {
  const { id: requestId, routePath: route, elapsedMs, principal, address, terminalId, errorCode, refusal } = exchange;
  const path = pathOf(exchange.request.url ?? '');
  const result = { status, ms: Math.round(elapsedMs), code: errorCode, reason: refusal };
  return { requestId, method, route, path, terminalId, ...result, principal: principal?.id, address };
}

/** No query, and no key of ours that somebody put where none is looked for. */
function pathOf(url: string): string {
  const path = url.split('?', 1)[0]!.replace(/tnc_[\w-]+/g, 'tnc_…');
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
}
