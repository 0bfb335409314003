/** Converts errors to JSON-RPC errors. Only this module maps tenacitty's codes to the numbers that agents receive. */
import { RequestError } from '@agentclientprotocol/sdk';
import { ERROR_KINDS, TerminalError } from '../errors.js';

/**
 * Converts an error. `data` contains the `code`, whether a retry may help, and the details. Returns errors that the SDK
 * threw unchanged.
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
