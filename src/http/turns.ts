/**
 * Requests of one connection, one at a time: the next is looked at when the answer before it is out, so
 * that answers nobody has taken yet do not pile up. It knows no request's meaning.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Pair = readonly [IncomingMessage, ServerResponse & { req: IncomingMessage }];

/**
 * The same listener, but called for a connection's next request only when the one before it is answered.
 *
 * @param mostWaiting - How many may wait on a connection now; each costs memory. One that sends more is cut off.
 */
export function inTurns(listener: RequestListener, mostWaiting: (socket: Socket) => number): RequestListener {
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
    if (waiting && waiting.length >= mostWaiting(request.socket)) request.socket.destroy();
    else if (waiting) waiting.push([request, response]);
    else {
      waitingOn.set(request.socket, []);
      handle(request, response);
    }
  };
}
