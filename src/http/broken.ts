/** Responds directly on sockets to data that never became a request because it was malformed, too large or too slow. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';
import { TerminalError, invalidInput } from '../errors.js';
import { Exchange } from './exchange.js';
import { problemText } from './problems.js';
import { JSON_TYPE } from './body.js';

const BAD_REQUEST = 400;

/** Maps the error codes of Node's parser and timers to responses; any other error results in 400. */
const BROKEN: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the request headers are too large; expected at most 16 KiB' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'the extensions of a chunk are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request did not arrive in time' },
};

/** Counts a refusal on a connection, and destroys the connection if there have been too many. */
export type CountRefusal = (socket: Duplex) => void;

/** Handles `clientError`: responds in the API's error form and closes the connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex, countRefusal: CountRefusal): void {
  const hasBegun = socket instanceof Socket && Exchange.on(socket)?.hasBegunUnfinished;
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegun) {
    socket.destroy(error);
    return;
  }
  countRefusal(socket);
  const { status, message } = BROKEN[error.code ?? ''] ?? {
    status: BAD_REQUEST,
    message: `the data received is not HTTP (${error.code ?? error.message})`,
  };
  end(socket, status, invalidInput({ field: 'request', message, expected: 'a complete HTTP/1.1 request' }));
}

/** Handles `connect` by refusing it, because this server is not a proxy. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex, countRefusal: CountRefusal): void {
  countRefusal(socket);
  const error = new TerminalError('METHOD_NOT_ALLOWED', 'This server is not a proxy and does not support CONNECT');
  end(socket, error.kind.status, error);
}

/** Refuses to upgrade a connection on a request with a body, because the body can no longer be read. */
export function refuseUpgrade(socket: Duplex, countRefusal: CountRefusal): void {
  countRefusal(socket);
  const message = 'a request with a body cannot change the protocol of its connection';
  end(socket, BAD_REQUEST, invalidInput({ field: 'header.Upgrade', message, expected: 'no such header' }));
}

/** Writes a complete response directly to the socket, because there is no response object. */
function end(socket: Duplex, status: number, error: TerminalError): void {
  if (socket.destroyed) return;
  const text = problemText(error);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${JSON_TYPE}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}
