/**
 * Requests of one connection, one at a time: the next is looked at when the answer before it is out, so
 * that answers nobody has taken yet do not pile up. It knows no request's meaning.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Pair = readonly [IncomingMessage, ServerResponse & { req: IncomingMessage }];

/** Far beyond what any client pipelines; each costs memory. */
const MAX_WAITING = 1000;

/**
 * The same listener, but called for a connection's next request only when the one before it is answered. A connection
 * on which too many wait is cut off.
 */
export function inTurns(listener: RequestListener): RequestListener {
  const waitingOn = new WeakMap<Socket, Pair[]>();

  function handle(...[request, response]: Pair): void {
    response.once('close', () => handleNext(request.socket));
    listener(request, response);
  }

  function handleNext(socket: Socket): void {
    // Not after an answer that was the last one here (`Connection: close`).
    const next = socket.writable ? waitingOn.get(socket)?.shift() : undefined;
    if (next) handle(...next);
    else waitingOn.delete(socket);
  }

  return (request, response) => {
    const waiting = waitingOn.get(request.socket);
    if (waiting && waiting.length >= MAX_WAITING) request.socket.destroy();
    else if (waiting) waiting.push([request, response]);
    else {
      waitingOn.set(request.socket, []);
      handle(request, response);
    }
  };
}
