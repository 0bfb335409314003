/**
 * Controls how fast Node's parser receives data from a connection. Each parsed request is costly, and a single packet
 * can contain thousands. Until a request of the connection is admitted, the next request is therefore parsed only after
 * the previous one has been answered; the rest is kept as bytes.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';

/** Amount that Node reads from a socket at once. Reading stops when this much is held. */
const MAX_HELD_BYTES = 64 << 10;
const CR = 0x0d;
const LF = 0x0a;
const BLANK_LINES = ['\n\r\n', '\n\n'];

type Listener = (bytes: Buffer) => void;

export class ParserPacing {
  readonly #bySocket = new WeakMap<Socket, PacedParser>();

  /** Makes a server's connections start as unauthenticated. */
  watch(server: Server): void {
    // Registered after Node's own listener, which creates the parser.
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#bySocket.set(socket, new PacedParser(socket));
    });
  }

  /** Returns a listener that behaves identically but records its requests here. */
  before(listener: RequestListener): RequestListener {
    return (request, response) => {
      this.#bySocket.get(request.socket)?.begin(request, response);
      listener(request, response);
    };
  }

  /**
   * Marks a connection as authenticated once one of its requests has been admitted. From then on, data is parsed as it
   * arrives.
   */
  open(socket: Socket): void {
    this.#bySocket.get(socket)?.open();
  }
}

class PacedParser {
  readonly #socket: Socket;
  readonly #parse: Listener;
  readonly #listener: Listener;
  #held: Buffer = Buffer.alloc(0);
  #isOpen = false;
  /** Whether this class has paused the socket. Node also pauses it, until responses or a body have been read. */
  #isFull = false;
  #unanswered = 0;
  /** Number of bytes of the last request's body that have not arrived, according to its declared length. */
  #bodyLeft = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#parse = socket.listeners('data')[0] as Listener;
    // Registered with a reference to Node's own listener, so that Node removes it when the connection is no longer
    // HTTP.
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
      // Deferred, so that requests of other connections get their turn in between.
      setImmediate(() => this.#feed());
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

  /**
   * Passes held bytes to the parser. Does nothing while Node has paused the socket, because the parser then accepts
   * nothing.
   */
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

/**
 * Returns the offset after the first blank line, or the length of the data if there is none. Blank lines before a
 * request are skipped, because they are not part of it.
 */
function endOfHead(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === CR || bytes[start] === LF) start++;
  const ends = BLANK_LINES.map((line) => [bytes.indexOf(line, start), line.length] as const);
  const found = ends.filter(([at]) => at >= 0).map(([at, length]) => at + length);
  return Math.min(bytes.length, ...found);
}
