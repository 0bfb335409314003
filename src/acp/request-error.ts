/** What went wrong, as an error of JSON-RPC: the one place where our codes become numbers for agents. */
import { RequestError } from '@agentclientprotocol/sdk';
import { ERROR_KINDS, TerminalError } from '../errors.js';

/** `data` has our `code`, whether to try again may help, and the details. What the SDK threw stays as it is. */
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
