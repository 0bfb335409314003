/**
 * Handles the requests of a connection one at a time: the next is handled after the previous answer is sent, so that
 * unread answers do not accumulate. Does not depend on the requests' meaning.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Pair = readonly [IncomingMessage, ServerResponse & { req: IncomingMessage }];

/** Far more than any client pipelines; each one uses memory. */
const MAX_WAITING = 1000;

/**
 * Wraps a listener so that a connection's next request is handled only after the previous one is answered. A connection
 * with too many waiting requests is cut off.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waitingOn = new WeakMap<Socket, Pair[]>();

  function handle(...[request, response]: Pair): void {
    response.once('close', () => handleNext(request.socket));
    listener(request, response);
  }

  function handleNext(socket: Socket): void {
    // Not after the last answer of a connection (`Connection: close`).
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
