/**
 * Handles WebSocket connections. An upgrade is handled like any other request: it passes through the same gate, routing
 * and logging, and is refused in the same way.
 */
import { ServerResponse, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { elementsOf } from '../access/request-headers.js';
import { LIVE_CLOSE, LIVE_PROTOCOL, MAX_LIVE_MESSAGE_BYTES } from '../contract/live.js';
import { invalidInput, TerminalError } from '../errors.js';
import type { LivePeer } from '../live/peer.js';
import { refuseUpgrade, type CountRefusal } from './broken.js';
import { Exchange } from './exchange.js';

/** Shorter than the idle timeout of proxies, which is usually a minute. */
const PING_MS = 30_000;
/** Number of messages that may be waiting on one connection before the server stops reading its socket. */
const MAX_PENDING = 64;
/** The same limit in bytes, because one message may have any permitted size. */
const MAX_PENDING_BYTES = MAX_LIVE_MESSAGE_BYTES;
/**
 * Number of messages after which the server reads more only once it has sent the responses, because a client may send
 * without reading.
 */
const MAX_UNREAD_ANSWERS = 1000;

/** Bytes that arrived directly after the head of an upgrade request. */
const heads = new WeakMap<IncomingMessage, Buffer>();

/**
 * Passes upgrade requests to the listener for all requests. If the listener responds with HTTP, the connection ends.
 */
export function listenForUpgrades(server: Server, listener: RequestListener, countRefusal: CountRefusal): void {
  server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const socket = duplex as Socket;
    // Upgrading now would cut off an unfinished response to the previous request.
    if (Exchange.on(socket)?.isAnswered === false) return void socket.destroy();
    if (hasBody(request)) return refuseUpgrade(socket, countRefusal);
    heads.set(request, head);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    socket.on('error', () => socket.destroy());
    listener(request, response);
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_LIVE_MESSAGE_BYTES,
  handleProtocols: (offered) => (offered.has(LIVE_PROTOCOL) ? LIVE_PROTOCOL : false),
});
const refusals = new WeakMap<IncomingMessage, (error: Error) => void>();
server.on('wsClientError', (error, _socket, request) => refusals.get(request)?.(error));

/**
 * Turns an admitted request into a WebSocket.
 *
 * @throws `UPGRADE_REQUIRED` if the request is not an upgrade, or `INVALID_INPUT` if the handshake is wrong.
 */
export function acceptUpgrade(exchange: Exchange): Promise<LivePeer> {
  const { request } = exchange;
  const head = heads.get(request);
  if (head === undefined || request.headers.upgrade?.toLowerCase() !== 'websocket') throw upgradeRequired(exchange);
  const offered = elementsOf(request.headers['sec-websocket-protocol'] ?? LIVE_PROTOCOL);
  if (!offered.includes(LIVE_PROTOCOL)) throw wrongHandshake(`expected the subprotocol ${LIVE_PROTOCOL}`);
  return new Promise((resolve, reject) => {
    refusals.set(request, ({ message }) => reject(wrongHandshake(message)));
    server.handleUpgrade(request, request.socket, head, (socket) => {
      exchange.isUpgraded = true;
      resolve(new SocketPeer(socket, exchange.signal));
    });
  });
}

function upgradeRequired({ response }: Exchange): TerminalError {
  response.setHeader('Upgrade', 'websocket');
  return new TerminalError('UPGRADE_REQUIRED', 'Connect to this address with a WebSocket client; /docs describes it');
}

function wrongHandshake(message: string): TerminalError {
  return invalidInput({ field: 'request', message, expected: 'a WebSocket handshake (RFC 6455)' });
}

/** Close code of a connection that ended without a closing handshake (RFC 6455, section 7.1.5). */
const CUT_OFF = 1006;

type TakeMessage = Parameters<LivePeer['receive']>[0];

class SocketPeer implements LivePeer {
  readonly #socket: WebSocket;
  readonly #closed = new AbortController();
  /**
   * Starts the delivery of messages. Messages that arrive earlier, for example with the handshake, wait until this is
   * called.
   */
  receive!: LivePeer['receive'];
  #pending = 0;
  #pendingBytes = 0;
  #handled = 0;
  #isAlive = true;
  /** Whether the messages that are still queued are dropped. */
  #isRefusing = false;

  /** @param over - Aborts when the server stops. */
  constructor(socket: WebSocket, over: AbortSignal) {
    this.#socket = socket;
    this.#takeMessages(new Promise((resolve) => (this.receive = resolve)));
    const pinging = setInterval(() => this.#ping(), PING_MS);
    socket.on('pong', () => (this.#isAlive = true));
    // `close` always follows the error and handles it.
    socket.on('error', () => {});
    socket.once('close', (code) => {
      clearInterval(pinging);
      this.#isRefusing ||= code === CUT_OFF;
      this.#closed.abort();
    });
    over.addEventListener('abort', () => this.close(LIVE_CLOSE.goingAway, 'the server is stopping'), { once: true });
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  get queuedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(message: string | Uint8Array): void {
    this.#socket.send(message, () => {});
  }

  drained(): Promise<void> {
    // Frames are written in order, so once this one has been written, so has the previous one.
    return new Promise((resolve) => this.#socket.ping(undefined, undefined, () => resolve()));
  }

  close(code: number, reason: string): void {
    this.#isRefusing = true;
    this.#socket.close(code, reason);
    this.#closed.abort();
    // The socket must be read, because the client's close frame is still to come.
    this.#socket.resume();
  }

  #takeMessages(taker: Promise<TakeMessage>): void {
    let last = Promise.resolve();
    this.#socket.on('message', (data: RawData, isBinary: boolean) => {
      this.#isAlive = true;
      if (this.closed.aborted) return;
      const bytes = data as Buffer;
      this.#pending++;
      this.#pendingBytes += bytes.length;
      if (this.#isFull) this.#socket.pause();
      const message = isBinary ? bytes : bytes.toString();
      last = last.then(async () => this.#handle(message, await taker)).then(() => this.#finish(bytes.length));
    });
  }

  get #isFull(): boolean {
    return this.#pending >= MAX_PENDING || this.#pendingBytes >= MAX_PENDING_BYTES;
  }

  async #handle(message: string | Uint8Array, take: TakeMessage): Promise<void> {
    // Cut off since the message arrived, such as by the revocation of its key. After a client has closed the connection
    // itself, what it sent before still counts.
    if (this.#isRefusing) return;
    await take(message);
    if (++this.#handled % MAX_UNREAD_ANSWERS === 0) await this.drained();
  }

  #finish(bytes: number): void {
    this.#pending--;
    this.#pendingBytes -= bytes;
    if (!this.#isFull && this.#socket.isPaused) this.#socket.resume();
  }

  #ping(): void {
    if (!this.#isAlive) return this.#socket.terminate();
    this.#isAlive = false;
    this.#socket.ping();
  }
}
