/**
 * Handles the requests of a connection one at a time, each after the response to the previous one has been sent, so
 * that unread responses do not accumulate.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Pair = readonly [IncomingMessage, ServerResponse & { req: IncomingMessage }];

/** Far more requests than any client pipelines; each uses memory. */
const MAX_WAITING = 1000;
/** Maximum total size of the heads of waiting requests. Bodies are not read while requests wait. */
const MAX_WAITING_BYTES = 1 << 20;

interface Waiting {
  readonly pairs: Pair[];
  bytes: number;
}

/**
 * Wraps a listener so that it handles a connection's next request only after the previous response has been sent.
 * Closes the connection if too many requests are waiting.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waitingOn = new WeakMap<Socket, Waiting>();

  function handle(...[request, response]: Pair): void {
    response.once('close', () => handleNext(request.socket));
    listener(request, response);
  }

  function handleNext(socket: Socket): void {
    // Nothing follows a connection's last response (`Connection: close`).
    const waiting = waitingOn.get(socket);
    const next = socket.writable ? waiting?.pairs.shift() : undefined;
    if (next === undefined) return void waitingOn.delete(socket);
    waiting!.bytes -= headBytesOf(next[0]);
    handle(...next);
  }

  return (request, response) => {
    const waiting = waitingOn.get(request.socket);
    if (waiting === undefined) {
      waitingOn.set(request.socket, { pairs: [], bytes: 0 });
      return handle(request, response);
    }
    waiting.bytes += headBytesOf(request);
    if (waiting.pairs.push([request, response]) <= MAX_WAITING && waiting.bytes <= MAX_WAITING_BYTES) return;
    waitingOn.delete(request.socket);
    request.socket.destroy();
  };
}

function headBytesOf({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, { length }) => sum + length, url.length);
}
