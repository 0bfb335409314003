/** Converts errors to JSON-RPC errors. The only place where tenacitty's codes are mapped to numbers for agents. */
import { RequestError } from '@agentclientprotocol/sdk';
import { ERROR_KINDS, TerminalError } from '../errors.js';

/**
 * `data` contains the `code`, whether a retry may help, and the details. Errors that the SDK threw are returned
 * unchanged.
 */
export function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof TerminalError) {
    const { code, kind, message, details } = error;
    return new RequestError(kind.rpc, message, { code, retryable: kind.retryable, ...details });
  }
  const { rpc, retryable } = ERROR_KINDS.INTERNAL_ERROR;
  const message = error instanceof Error ? error.message : String(error);
  return new RequestError(rpc, message, { code: 'INTERNAL_ERROR', retryable });
}
