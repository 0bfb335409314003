/**
 * Serves one client of a host: passes requests to a service and returns results as they become ready, in any order.
 * Knows the protocol; the service handles terminals.
 */
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { METHODS } from '../contract/methods.js';
import type { ManagerMethod } from '../contract/methods.js';
import { check } from '../check.js';
import { limitReached, TerminalError } from '../errors.js';
import type { Frame } from './frames.js';
import { StreamSender } from './stream-sender.js';
import type { EventSource } from './stream-sender.js';
import {
  clientHello,
  hostRequest,
  KIND,
  MAX_ANSWER_BYTES,
  MAX_REQUEST_BYTES,
  VERSION_INDEPENDENT_METHODS,
} from './protocol.js';
import type { HostFailure, HostHello, HostRequest } from './protocol.js';
import { parseJson, FramedSocket } from './framed-socket.js';
import { Turns } from '../turns.js';

/** The service that handles a client's requests. */
export interface HostService {
  hello(protocols: readonly number[]): Promise<HostHello>;
  /** Handles every request except a request for a stream. */
  answer(request: HostRequest, signal: AbortSignal): Promise<unknown>;
  /** Handles a request for a stream. `start` is the response, which says where the stream starts. */
  stream(request: HostRequest): Promise<EventSource & { readonly start: unknown }>;
  /** Records an internal error so that it can be investigated. */
  fault(error: unknown): void;
}

/** While more than this is queued for a client, nothing more is read from it. */
const MAX_WAITING_BYTES = 8 << 20;
/** Number of requests started before the queue is checked. */
const BATCH = 16;
/** After this long, a client gives all others a turn. */
const TURN_MS = 5;
/** Maximum number of pending requests per client, which is more than any reasonable limit on waiting reads. */
const MAX_REQUESTS = 16_384;
/** Time allowed for the client's hello. */
const HELLO_TIMEOUT_MS = 10_000;
/** Time that the client has to read why the connection is ending. */
const LINGER_MS = 1000;

/**
 * Clients that have used up their turn continue one after the other, each in its own turn, so that everything else is
 * served in between.
 */
const turns = new Turns();

export class ServedClient {
  readonly #socket: FramedSocket;
  readonly #service: HostService;
  readonly #onClose: () => void;
  readonly #helloTimer: NodeJS.Timeout;
  /** Undefined before the hello; null if there is no common version. */
  #protocol: number | null | undefined;
  /** Pending requests, including those in the backlog. */
  readonly #requests = new Map<number, AbortController>();
  readonly #backlog: { readonly id: number; readonly given: unknown }[] = [];
  #isWorking = false;
  /** Whether no request, queued or new, may start. */
  #isHeld = false;
  #isReleased = false;
  readonly #streams = new Map<number, StreamSender>();

  constructor(socket: Socket, service: HostService, onClose: () => void) {
    this.#service = service;
    this.#onClose = onClose;
    this.#socket = new FramedSocket(socket, MAX_REQUEST_BYTES, {
      onMessage: (message) => this.#take(message),
      onBroken: (error) => this.#refuse(error),
      onClose: () => this.#release(),
    });
    this.#helloTimer = setTimeout(() => this.#socket.destroy(), HELLO_TIMEOUT_MS).unref();
  }

  /** Accepts no requests until `resume`. Meanwhile they stay in the socket. */
  hold(): void {
    this.#isHeld = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isHeld = false;
    this.#socket.resume();
    if (!this.#isWorking) void this.#work();
  }

  /**
   * Ends the connection after the data sent so far. Resolves when it has ended, which is soon even if the client does
   * not read.
   */
  close(): Promise<void> {
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), LINGER_MS).unref();
    return this.#socket.closed;
  }

  /** Handles a frame. An exception thrown here ends the connection. */
  #take({ kind, id, payload }: Frame): void {
    switch (kind) {
      case KIND.ping:
        return this.#socket.send(KIND.pong, id);
      case KIND.hello:
        return void this.#greet(check('', clientHello, parseJson(payload)).protocols);
      case KIND.request:
        return this.#request(id, parseJson(payload));
      case KIND.cancel:
        return this.#requests.get(id)?.abort();
      case KIND.credit:
        return this.#streams.get(id)?.onTaken(payload.readUInt32BE(0));
      case KIND.unsubscribe:
        // The stream may not have been opened yet.
        this.#requests.get(id)?.abort();
        return this.#streams.get(id)?.close();
      default:
        throw new TerminalError('HOST_FAILED', `Received a frame of unknown kind: ${kind}`);
    }
  }

  async #greet(protocols: readonly number[]): Promise<void> {
    clearTimeout(this.#helloTimer);
    const hello = await this.#service.hello(protocols);
    this.#protocol = hello.protocol;
    this.#socket.sendJson(KIND.hello, 0, hello);
  }

  #request(id: number, given: unknown): void {
    if (this.#requests.has(id) || this.#streams.has(id)) {
      throw new TerminalError('HOST_FAILED', `Received a request with an id that is in use: ${id}`);
    }
    this.#requests.set(id, new AbortController());
    this.#backlog.push({ id, given });
    if (!this.#isWorking) void this.#work();
  }

  /**
   * Stops reading from a client that does not read its responses, so that neither responses nor requests accumulate.
   * Never rejects.
   */
  async #work(): Promise<void> {
    this.#isWorking = true;
    let turnBegan = performance.now();
    for (let begun = 1; this.#backlog.length > 0 && !this.#isReleased && !this.#isHeld; begun++) {
      const { id, given } = this.#backlog.shift()!;
      void this.#answer(id, given, this.#requests.get(id)!.signal);
      const isLong = performance.now() - turnBegan > TURN_MS;
      if (isLong) await turns.take(() => nextTurn());
      if (isLong || begun % BATCH === 0 || this.#socket.waitingBytes > MAX_WAITING_BYTES) {
        await this.#yield();
        turnBegan = performance.now();
      }
    }
    this.#isWorking = false;
  }

  async #yield(): Promise<void> {
    this.#socket.pause();
    await nextTurn();
    if (this.#socket.waitingBytes > MAX_WAITING_BYTES) await this.#socket.drained();
    if (!this.#isHeld) this.#socket.resume();
  }

  /**
   * Handles a request and sends the result. Never rejects. A request that does not match the schema fails without
   * ending the connection, because the client may be newer.
   */
  async #answer(id: number, given: unknown, signal: AbortSignal): Promise<void> {
    try {
      const request = check('', hostRequest, given);
      this.#admit(request.method);
      if (isForStream(request)) await this.#stream(id, request);
      else this.#sendAnswer(id, await this.#service.answer(request, signal));
    } catch (error) {
      if (!(error instanceof TerminalError)) this.#service.fault(error);
      this.#socket.sendJson(KIND.failure, id, describeFailure(error));
    } finally {
      this.#requests.delete(id);
    }
  }

  #admit(method: string): void {
    if (this.#requests.size > MAX_REQUESTS) {
      throw limitReached('HOST_REQUESTS', MAX_REQUESTS, 'Too many requests from one client are in progress');
    }
    if (typeof this.#protocol === 'number' || VERSION_INDEPENDENT_METHODS.includes(method)) return;
    const reason =
      this.#protocol === null
        ? 'client and host process have no protocol version in common'
        : 'the client must send hello first';
    throw new TerminalError('HOST_FAILED', `The host process cannot respond to ${method}: ${reason}`);
  }

  #sendAnswer(id: number, value: unknown): void {
    const payload = Buffer.from(JSON.stringify(value ?? null));
    if (payload.length > MAX_ANSWER_BYTES) {
      const message = `The response has ${payload.length} bytes, more than the host process can send; request less`;
      throw new TerminalError('READ_FAILED', message, { given: payload.length, expected: MAX_ANSWER_BYTES });
    }
    this.#socket.send(KIND.answer, id, payload);
  }

  async #stream(id: number, request: HostRequest): Promise<void> {
    const { start, ...source } = await this.#service.stream(request);
    const stream = new StreamSender(this.#socket, id, source);
    if (this.#isReleased || this.#requests.get(id)?.signal.aborted === true) return stream.close();
    this.#streams.set(id, stream);
    this.#socket.sendJson(KIND.answer, id, start);
    void stream
      .run()
      .catch((error: unknown) => this.#service.fault(error))
      .finally(() => this.#streams.delete(id));
  }

  #refuse(error: unknown): void {
    this.#socket.sendJson(KIND.failure, 0, describeFailure(error));
    void this.close();
  }

  #release(): void {
    this.#isReleased = true;
    clearTimeout(this.#helloTimer);
    for (const request of this.#requests.values()) request.abort();
    for (const stream of this.#streams.values()) stream.close();
    this.#onClose();
  }
}

function isForStream({ method }: HostRequest): boolean {
  const known: Readonly<Record<string, ManagerMethod>> = METHODS;
  return known[method]?.isStream === true;
}

function describeFailure(error: unknown): HostFailure {
  if (error instanceof TerminalError) {
    const { code, message, details } = error;
    return { code, message, details };
  }
  return { code: 'INTERNAL_ERROR', message: 'An internal error in the host process; see its log' };
}
