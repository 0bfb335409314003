/** Converts any error into the API's error form with the correct status. Never sends a stack. */
import type { Logger } from 'pino';
import { ERROR_KINDS, TerminalError } from '../errors.js';
import { discardBody, JSON_TYPE } from './body.js';
import type { Exchange } from './exchange.js';
import { problemPage } from './pages.js';

/** Responds with an error, or only logs it if the caller has left. */
export async function sendProblem(exchange: Exchange, thrown: unknown, log: Logger): Promise<void> {
  const error = problemOf(exchange, thrown, log);
  await discardBody(exchange);
  if (asksForPage(exchange)) exchange.send(error.kind.status, 'text/html', problemPage(error));
  else exchange.send(error.kind.status, JSON_TYPE, `${problemText(error)}\n`);
}

/**
 * Returns whether to respond with a readable page, because the request looks like a person following a link or opening
 * a URL.
 */
function asksForPage({ request: { method, headers } }: Exchange): boolean {
  const accepted = headers.accept ?? '';
  return (method === 'GET' || method === 'HEAD') && accepted.includes('text/html') && !accepted.includes(JSON_TYPE);
}

/** Converts a thrown value into an error that can be sent. Logs it if the caller is not at fault. */
export function problemOf(exchange: Exchange, thrown: unknown, log: Logger): TerminalError {
  const error = thrown instanceof TerminalError ? thrown : unexpected(exchange, thrown, log);
  exchange.errorCode = error.code;
  if (error.kind.status >= ERROR_KINDS.INTERNAL_ERROR.status && error === thrown) {
    log.warn({ requestId: exchange.id, code: error.code, err: error }, 'A request failed');
  }
  return error;
}

/** Returns the API's error form as text. */
export function problemText({ code, message, details }: TerminalError): string {
  return JSON.stringify({ success: false, error: { code, message, details } });
}

function unexpected(exchange: Exchange, thrown: unknown, log: Logger): TerminalError {
  const { id: requestId, routePath } = exchange;
  // A caller that leaves while it is sending a body makes reading fail, which is not an error of the server.
  if (exchange.isAbandoned) log.debug({ requestId, route: routePath }, 'The client disconnected');
  else log.error({ requestId, route: routePath, err: thrown }, 'An internal error in the server');
  const message = `Internal server error; the log contains the details under ${requestId}`;
  return new TerminalError('INTERNAL_ERROR', message, { requestId });
}
