/**
 * What Node's parser is given of a connection. Each request that it makes of the bytes costs a good deal, and a packet has
 * room for thousands: so until a request of the connection was admitted, one is parsed when the one before it is answered,
 * and what follows waits as bytes. It knows no gate and no route.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';

/** What a socket is read by at once: no more is read of it then. */
const MAX_HELD_BYTES = 64 << 10;
const CR = 0x0d;
const LF = 0x0a;
const BLANK_LINES = ['\n\r\n', '\n\n'];

type Listener = (bytes: Buffer) => void;

export class Intakes {
  readonly #bySocket = new WeakMap<Socket, Intake>();

  /** Has a server's connections begin as strangers. */
  watch(server: Server): void {
    // After Node's own listener, which makes the parser.
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#bySocket.set(socket, new Intake(socket));
    });
  }

  /** The same listener, whose requests are known here. */
  before(listener: RequestListener): RequestListener {
    return (request, response) => {
      this.#bySocket.get(request.socket)?.begin(request, response);
      listener(request, response);
    };
  }

  /** Somebody who may has asked by this connection: it is parsed as it comes. */
  open(socket: Socket): void {
    this.#bySocket.get(socket)?.open();
  }
}

class Intake {
  readonly #socket: Socket;
  readonly #parse: Listener;
  readonly #listener: Listener;
  #held: Buffer = Buffer.alloc(0);
  #isOpen = false;
  /** Paused from here, and not by Node, as it is until somebody takes answers or a body. */
  #isFull = false;
  #unanswered = 0;
  /** Of the body of the last request, by the length that it told. */
  #bodyLeft = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#parse = socket.listeners('data')[0] as Listener;
    // Known as Node's own, so that Node takes it off where the connection is no more HTTP.
    this.#listener = Object.assign((bytes: Buffer) => this.#take(bytes), { listener: this.#parse });
    socket
      .off('data', this.#parse)
      .on('data', this.#listener)
      .on('resume', () => this.#feed());
  }

  begin({ headers }: IncomingMessage, response: ServerResponse): void {
    this.#unanswered++;
    this.#bodyLeft = Number(headers['content-length'] ?? 0);
    response.once('close', () => {
      this.#unanswered--;
      // Who else is told of the end comes first.
      queueMicrotask(() => this.#feed());
    });
  }

  open(): void {
    this.#isOpen = true;
    this.#feed();
  }

  #take(bytes: Buffer): void {
    if (this.#isOpen && this.#held.length === 0) return this.#parse(bytes);
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    this.#feed();
    this.#isFull = this.#held.length >= MAX_HELD_BYTES && !this.#socket.isPaused();
    if (this.#isFull) this.#socket.pause();
  }

  /** Not while Node has paused the socket: it takes nothing then. */
  #feed(): void {
    for (let length = this.#lengthOfNext(); length > 0; length = this.#lengthOfNext()) {
      if (this.#isFull) this.#socket.resume();
      this.#isFull = false;
      if (!this.#isParsed || this.#socket.isPaused()) return;
      const next = this.#held.subarray(0, length);
      this.#held = this.#held.subarray(length);
      this.#bodyLeft -= Math.min(this.#bodyLeft, length);
      this.#parse(next);
    }
  }

  get #isParsed(): boolean {
    return this.#socket.writable && this.#socket.rawListeners('data').includes(this.#listener);
  }

  #lengthOfNext(): number {
    if (this.#isOpen) return this.#held.length;
    if (this.#bodyLeft > 0) return Math.min(this.#bodyLeft, this.#held.length);
    return this.#unanswered > 0 ? 0 : endOfHead(this.#held);
  }
}

/** Behind the first blank line, or of all where there is none. Blank lines before a request are none of it. */
function endOfHead(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === CR || bytes[start] === LF) start++;
  const ends = BLANK_LINES.map((line) => [bytes.indexOf(line, start), line.length] as const);
  const found = ends.filter(([at]) => at >= 0).map(([at, length]) => at + length);
  return Math.min(bytes.length, ...found);
}
