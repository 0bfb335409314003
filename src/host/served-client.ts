/**
 * One client of a host: passes requests to a service and returns answers as they become ready, in any order. Depends on
 * the protocol; the service handles terminals.
 */
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Subscription } from '../contract/manager.js';
import { check } from '../check.js';
import { limitReached, TerminalError } from '../errors.js';
import type { Frame } from './frames.js';
import { Outflow } from './outflow.js';
import { clientHello, hostRequest, KIND, MAX_ANSWER_BYTES, MAX_REQUEST_BYTES, TIMELESS_METHODS } from './protocol.js';
import type { HostFailure, HostHello, HostRequest } from './protocol.js';
import { parseJson, Wire } from './wire.js';

/** The service that handles a client's requests. */
export interface HostService {
  hello(protocols: readonly number[]): Promise<HostHello>;
  /** Every request except `subscribe`. */
  answer(request: HostRequest, signal: AbortSignal): Promise<unknown>;
  subscribe(request: HostRequest): Promise<{ readonly offset: number; readonly subscription: Subscription }>;
  /** Reports an internal error, for people to investigate. */
  fault(error: unknown): void;
}

/** While more than this is queued for a client, nothing more is read from it. */
const MAX_WAITING_BYTES = 8 << 20;
/** Number of requests started before the queue is checked. */
const BATCH = 16;
/** After this long, a client lets all others have a turn. */
const TURN_MS = 5;
/** Maximum number of pending requests of one client: more than any reasonable limit on waiting reads. */
const MAX_REQUESTS = 16_384;
/** Time allowed for the client's hello. */
const HELLO_TIMEOUT_MS = 10_000;
/** Time for the client to read why the connection ends. */
const LINGER_MS = 1000;

/**
 * Clients that used up their turn continue one after the other, each in its own turn, so that everything else is served
 * in between.
 */
let queue: Promise<void> = Promise.resolve();

function afterOthers(): Promise<void> {
  return (queue = queue.then(() => nextTurn()));
}

export class ServedClient {
  readonly #wire: Wire;
  readonly #service: HostService;
  readonly #onClose: () => void;
  readonly #helloTimer: NodeJS.Timeout;
  /** Undefined before the hello; null: no common version. */
  #protocol: number | null | undefined;
  /** Pending requests, including those in the backlog. */
  readonly #requests = new Map<number, AbortController>();
  readonly #backlog: { readonly id: number; readonly given: unknown }[] = [];
  #isWorking = false;
  /** No request is started, neither queued nor new. */
  #isHeld = false;
  #isReleased = false;
  readonly #outflows = new Map<number, Outflow>();

  constructor(socket: Socket, service: HostService, onClose: () => void) {
    this.#service = service;
    this.#onClose = onClose;
    this.#wire = new Wire(socket, MAX_REQUEST_BYTES, {
      onMessage: (message) => this.#take(message),
      onBroken: (error) => this.#refuse(error),
      onClose: () => this.#release(),
    });
    this.#helloTimer = setTimeout(() => this.#wire.destroy(), HELLO_TIMEOUT_MS).unref();
  }

  /** Accepts no requests until `goOn`. Meanwhile they stay in the socket. */
  hold(): void {
    this.#isHeld = true;
    this.#wire.pause();
  }

  goOn(): void {
    this.#isHeld = false;
    this.#wire.resume();
    if (!this.#isWorking) void this.#work();
  }

  /**
   * Ends the connection after the data sent so far. Resolves when it has ended, soon even if the client does not read.
   */
  close(): Promise<void> {
    this.#wire.end();
    setTimeout(() => this.#wire.destroy(), LINGER_MS).unref();
    return this.#wire.closed;
  }

  /** An exception thrown here ends the connection. */
  #take({ kind, id, payload }: Frame): void {
    switch (kind) {
      case KIND.ping:
        return this.#wire.send(KIND.pong, id);
      case KIND.hello:
        return void this.#greet(check('', clientHello, parseJson(payload)).protocols);
      case KIND.request:
        return this.#request(id, parseJson(payload));
      case KIND.cancel:
        return this.#requests.get(id)?.abort();
      case KIND.credit:
        return this.#outflows.get(id)?.taken(payload.readUInt32BE(0));
      case KIND.unsubscribe:
        return this.#outflows.get(id)?.close();
      default:
        throw new TerminalError('HOST_FAILED', `Received a frame of unknown kind: ${kind}`);
    }
  }

  async #greet(protocols: readonly number[]): Promise<void> {
    clearTimeout(this.#helloTimer);
    const hello = await this.#service.hello(protocols);
    this.#protocol = hello.protocol;
    this.#wire.sendJson(KIND.hello, 0, hello);
  }

  #request(id: number, given: unknown): void {
    if (this.#requests.has(id) || this.#outflows.has(id)) {
      throw new TerminalError('HOST_FAILED', `Received a request with an id that is in use: ${id}`);
    }
    this.#requests.set(id, new AbortController());
    this.#backlog.push({ id, given });
    if (!this.#isWorking) void this.#work();
  }

  /**
   * Stops reading from a client that does not read its answers, so that neither answers nor requests accumulate. Never
   * rejects.
   */
  async #work(): Promise<void> {
    this.#isWorking = true;
    let turnBegan = performance.now();
    for (let begun = 1; this.#backlog.length > 0 && !this.#isReleased && !this.#isHeld; begun++) {
      const { id, given } = this.#backlog.shift()!;
      void this.#answer(id, given, this.#requests.get(id)!.signal);
      const isLong = performance.now() - turnBegan > TURN_MS;
      if (isLong) await afterOthers();
      if (isLong || begun % BATCH === 0 || this.#wire.waitingBytes > MAX_WAITING_BYTES) {
        await this.#rest();
        turnBegan = performance.now();
      }
    }
    this.#isWorking = false;
  }

  async #rest(): Promise<void> {
    this.#wire.pause();
    await nextTurn();
    if (this.#wire.waitingBytes > MAX_WAITING_BYTES) await this.#wire.drained();
    if (!this.#isHeld) this.#wire.resume();
  }

  /** Never rejects. A request that does not match the schema fails on its own, because the client may be newer. */
  async #answer(id: number, given: unknown, signal: AbortSignal): Promise<void> {
    try {
      const request = check('', hostRequest, given);
      this.#admit(request.method);
      if (request.method === 'subscribe') await this.#subscribe(id, request);
      else this.#sendAnswer(id, await this.#service.answer(request, signal));
    } catch (error) {
      if (!(error instanceof TerminalError)) this.#service.fault(error);
      this.#wire.sendJson(KIND.failure, id, describeFailure(error));
    } finally {
      this.#requests.delete(id);
    }
  }

  #admit(method: string): void {
    if (this.#requests.size > MAX_REQUESTS) {
      throw limitReached('HOST_REQUESTS', MAX_REQUESTS, 'Too many requests of one client are in progress');
    }
    if (typeof this.#protocol === 'number' || TIMELESS_METHODS.includes(method)) return;
    const reason =
      this.#protocol === null
        ? 'client and host process have no protocol version in common'
        : 'the client must send hello first';
    throw new TerminalError('HOST_FAILED', `The host process cannot answer ${method}: ${reason}`);
  }

  #sendAnswer(id: number, value: unknown): void {
    const payload = Buffer.from(JSON.stringify(value ?? null));
    if (payload.length > MAX_ANSWER_BYTES) {
      const message = `The answer has ${payload.length} bytes, more than the host process sends; request less`;
      throw new TerminalError('READ_FAILED', message, { given: payload.length, expected: MAX_ANSWER_BYTES });
    }
    this.#wire.send(KIND.answer, id, payload);
  }

  async #subscribe(id: number, request: HostRequest): Promise<void> {
    const { offset, subscription } = await this.#service.subscribe(request);
    const outflow = new Outflow(this.#wire, id, subscription);
    if (this.#isReleased || this.#requests.get(id)?.signal.aborted === true) return outflow.close();
    this.#outflows.set(id, outflow);
    this.#wire.sendJson(KIND.answer, id, { offset });
    void outflow
      .run()
      .catch((error: unknown) => this.#service.fault(error))
      .finally(() => this.#outflows.delete(id));
  }

  #refuse(error: unknown): void {
    this.#wire.sendJson(KIND.failure, 0, describeFailure(error));
    void this.close();
  }

  #release(): void {
    this.#isReleased = true;
    clearTimeout(this.#helloTimer);
    for (const request of this.#requests.values()) request.abort();
    for (const outflow of this.#outflows.values()) outflow.close();
    this.#onClose();
  }
}

function describeFailure(error: unknown): HostFailure {
  if (error instanceof TerminalError) {
    const { code, message, details } = error;
    return { code, message, details };
  }
  return { code: 'INTERNAL_ERROR', message: 'An internal error in the host process; see its log' };
}
