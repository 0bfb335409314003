/**
 * One request and its answer: its id, who asks, which route took it, and the one way an answer is
 * written. It knows no route and no engine.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Principal } from '../access/principal.js';
import type { ErrorCode } from '../errors.js';

/** The route of a request that found none, in logs and metrics. */
const UNMATCHED = 'unmatched';
/** What an answer may take beyond its wait. */
const SLACK_MS = 60_000;

/** As `abort` has it; but made once, for it has a stack. */
const OVER = new DOMException('This operation was aborted', 'AbortError');

const byRequest = new WeakMap<IncomingMessage, Exchange>();
const bySocket = new WeakMap<Socket, Exchange>();

export class Exchange {
  readonly id = randomUUID();
  principal: Principal | undefined;
  /** Where it comes from, for the log. */
  address = '';
  /** The terminal it is about, where it is about one. */
  terminalId: string | undefined;
  /** The code of the error that it is answered with. */
  errorCode: ErrorCode | undefined;
  /** Why the gate did not let it in. */
  refusal: string | undefined;
  /** The pattern of the route, as `/api/terminals/:terminalId`: never what was asked for literally. */
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
    if (!exchange) throw new Error('A request reached the routes without passing the gate');
    return exchange;
  }

  /** The latest exchange on a connection, if there was one. */
  static on(socket: Socket): Exchange | undefined {
    return bySocket.get(socket);
  }

  /** Aborted when nobody waits for the answer any longer, or nobody should. */
  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Aborted when the answer is out or the caller has left: nothing can be written any more. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Ends what this request may be waiting for, and its connection once it is answered. */
  finish(): void {
    if (!this.response.headersSent) this.response.setHeader('Connection', 'close');
    this.#leaving.abort();
  }

  /** Ends it at once, and its connection: not one byte more is sent. */
  cutOff(): void {
    this.request.socket.destroy();
  }

  /** Whether the caller has gone before the end. */
  get isAbandoned(): boolean {
    return this.request.errored !== null || (this.response.destroyed && !this.response.writableFinished);
  }

  /** Whether part of an answer is on its way, so that nothing else may be written on the connection. */
  get hasBegunUnfinished(): boolean {
    return this.response.headersSent && !this.response.writableFinished;
  }

  /** Keeps the connection open though nothing moves on it for so long; until the next request on it. */
  expectWait(ms: number): void {
    const { socket } = this.request;
    socket.setTimeout(Math.max(socket.timeout ?? 0, ms + SLACK_MS));
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  /** Whether a body was announced. */
  get hasBody(): boolean {
    const { headers } = this.request;
    return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  }

  setHeaders(headers: OutgoingHttpHeaders): void {
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) this.response.setHeader(name, value);
    }
  }

  /** Writes the whole answer; does nothing when there is nobody to take it. */
  send(status: number, mediaType: string, text: string): void {
    this.sendBytes(status, `${mediaType}; charset=utf-8`, Buffer.from(text));
  }

  /** The same of what is no text. */
  sendBytes(status: number, contentType: string, bytes: Uint8Array): void {
    const { request, response } = this;
    if (response.headersSent || response.destroyed) return;
    // What is left of a body nobody wanted must not be taken for the next request.
    if (this.hasBody && !request.complete) response.setHeader('Connection', 'close');
    response.setHeader('Content-Type', contentType);
    response.setHeader('Content-Length', bytes.length);
    response.writeHead(status).end(bytes);
  }

  /** Answers without a body. */
  sendEmpty(status: number): void {
    const { response } = this;
    if (!response.headersSent && !response.destroyed) response.writeHead(status).end();
  }
}
