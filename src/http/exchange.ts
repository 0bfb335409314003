/**
 * Combines a request with its response: holds the request's id, principal and route, and contains the only code that
 * writes complete responses.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Principal } from '../access/principal.js';
import type { ErrorCode } from '../errors.js';

/** The route that logs and metrics show for an unmatched request. */
const UNMATCHED = 'unmatched';
/** Time that a response may take in addition to its wait. */
const SLACK_MS = 60_000;

/** The error that `abort` creates by default, created only once because each creation captures a stack. */
const OVER = new DOMException('This operation was aborted', 'AbortError');

const byRequest = new WeakMap<IncomingMessage, Exchange>();
const bySocket = new WeakMap<Socket, Exchange>();

export class Exchange {
  readonly id = randomUUID();
  principal: Principal | undefined;
  /** The caller's network address, for the log. */
  address = '';
  /** The terminal that the request concerns, if any. */
  terminalId: string | undefined;
  /** The code of the error in the response. */
  errorCode: ErrorCode | undefined;
  /** Why the gate refused the request. */
  refusal: string | undefined;
  /** Whether the gate handled the request as a browser's preflight. */
  isPreflight = false;
  /** Whether the connection has become a WebSocket. */
  isUpgraded = false;
  /** The pattern of the route, such as `/api/terminals/:terminalId`; never the requested path. */
  routePath = UNMATCHED;
  readonly #startedMs = performance.now();
  readonly #leaving = new AbortController();
  readonly #over = new AbortController();

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
  ) {
    byRequest.set(request, this);
    bySocket.set(request.socket, this);
    response.once('close', () => {
      this.#over.abort(OVER);
      this.#leaving.abort(OVER);
    });
  }

  static of(request: IncomingMessage): Exchange {
    const exchange = byRequest.get(request);
    if (!exchange) throw new Error('A request reached the routes without authentication');
    return exchange;
  }

  /** Returns the latest exchange on a connection, if any. */
  static on(socket: Socket): Exchange | undefined {
    return bySocket.get(socket);
  }

  /** Aborts when the caller has left, or when `finish` ends the request. */
  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Aborts when the response is complete or the caller has left, so that nothing more can be written. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Ends the request's wait, if any, and closes its connection after the response. */
  finish(): void {
    if (!this.response.headersSent) this.response.setHeader('Connection', 'close');
    this.#leaving.abort();
  }

  /** Ends the request and its connection immediately, without sending another byte. */
  cutOff(): void {
    this.request.socket.destroy();
  }

  /** Whether the caller left before the response was complete. */
  get isAbandoned(): boolean {
    return this.request.errored !== null || (this.response.destroyed && !this.response.writableFinished);
  }

  get isAnswered(): boolean {
    return this.response.writableFinished;
  }

  /** Whether the response has been sent only in part, so that nothing else may be written on the connection. */
  get hasBegunUnfinished(): boolean {
    return this.response.headersSent && !this.response.writableFinished;
  }

  /** Keeps the connection open even if it is idle for this long. Applies until the next request on the connection. */
  expectWait(ms: number): void {
    const { socket } = this.request;
    socket.setTimeout(Math.max(socket.timeout ?? 0, ms + SLACK_MS));
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  /** Whether the request's headers announce a body. */
  get hasBody(): boolean {
    const { headers } = this.request;
    return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  }

  setHeaders(headers: OutgoingHttpHeaders): void {
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) this.response.setHeader(name, value);
    }
  }

  /** Writes the complete response. Does nothing if the caller has left. */
  send(status: number, mediaType: string, text: string): void {
    this.sendBytes(status, `${mediaType}; charset=utf-8`, Buffer.from(text));
  }

  /** Writes the complete response as binary data. Does nothing if the caller has left. */
  sendBytes(status: number, contentType: string, bytes: Uint8Array): void {
    const { request, response } = this;
    if (response.headersSent || response.destroyed) return;
    // The unread rest of a body must not be parsed as the next request.
    if (this.hasBody && !request.complete) response.setHeader('Connection', 'close');
    response.setHeader('Content-Type', contentType);
    response.setHeader('Content-Length', bytes.length);
    response.writeHead(status).end(bytes);
  }

  /** Responds without a body. */
  sendEmpty(status: number): void {
    const { response } = this;
    if (!response.headersSent && !response.destroyed) response.writeHead(status).end();
  }
}
