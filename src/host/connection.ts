/** Implements the client side of a connection to a host: requests and responses, streams, and the host's health. */
import type { Socket } from 'node:net';
import type { z } from 'zod';
import { invalidInput, TerminalError } from '../errors.js';
import { VERSION } from '../version.js';
import type { Frame } from './frames.js';
import { Heartbeat } from './heartbeat.js';
import type { HeartbeatOptions } from './heartbeat.js';
import { hostFailure, hostHello, KIND, MAX_ANSWER_BYTES, MAX_REQUEST_BYTES, PROTOCOLS } from './protocol.js';
import type { HostHello, HostRequest } from './protocol.js';
import { EventStream } from './received-stream.js';
import { parseJson, FramedSocket } from './framed-socket.js';

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface ConnectionOptions extends HeartbeatOptions {
  readonly slot: number;
  /** The process at the other end, if known before it identifies itself. */
  readonly pid: number | null;
}

const MAX_ID = 0xffff_fffe;

export class HostConnection {
  readonly #socket: FramedSocket;
  readonly #slot: number;
  readonly #heartbeat: Heartbeat;
  readonly #pending = new Map<number, Pending>();
  readonly #streams = new Map<number, EventStream>();
  /** Callers waiting for the host's hello. */
  #greeting = new Set<Pending>();
  #hello: HostHello | null = null;
  #pid: number | null;
  #lastId = 0;
  /** Why the connection ended; null while it is open. */
  #end: TerminalError | null = null;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#slot = options.slot;
    this.#pid = options.pid;
    this.#socket = new FramedSocket(socket, MAX_ANSWER_BYTES, {
      onMessage: (message) => this.#take(message),
      onBroken: (error) => this.#finish(asHostFailed(error)),
      onClose: () => this.#finish(this.#lost()),
    });
    this.#heartbeat = new Heartbeat(options, {
      ping: () => this.#ping(),
      onSilence: () => this.#failPending(this.#unresponsive(true), this.#unresponsive()),
    });
    this.#socket.sendJson(KIND.hello, 0, { protocols: PROTOCOLS, version: VERSION });
    this.#keepProcessAlive();
  }

  get isOpen(): boolean {
    return this.#end === null;
  }

  get isUnresponsive(): boolean {
    return this.#heartbeat.isSilent;
  }

  /** `host 0 (pid 123) has not responded for 6 s`, or null if the host is healthy. */
  get problem(): string | null {
    return this.isOpen && this.isUnresponsive ? this.#unresponsive().message : null;
  }

  /** @throws `HOST_UNRESPONSIVE` if the host does not respond, `HOST_LOST` if the connection was lost. */
  async hello(): Promise<HostHello> {
    if (this.#hello !== null) return this.#hello;
    this.#check();
    return new Promise((resolve, reject) => {
      this.#greeting.add({ resolve: (hello) => resolve(hello as HostHello), reject });
      this.#keepProcessAlive();
    });
  }

  /**
   * Sends a request and waits for the response.
   *
   * @param signal - Makes the host stop waiting and return what it has so far.
   * @throws The host's error; `HOST_UNRESPONSIVE` if the host does not respond; `HOST_LOST` if the connection to the
   *   host was lost before the response.
   */
  async request(request: HostRequest, signal?: AbortSignal): Promise<unknown> {
    this.#check();
    const id = this.#nextId();
    const cancel = (): void => this.#socket.send(KIND.cancel, id);
    const answer = this.#sendRequest(id, request);
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted === true) cancel();
    try {
      return await answer;
    } catch (error) {
      // The response is no longer needed.
      if (this.isOpen && this.isUnresponsive) cancel();
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /**
   * Opens a stream of events.
   *
   * @param start - Schema of the host's response, which says where the stream starts.
   */
  async stream<Event, Start>(request: HostRequest, start: z.ZodType<Start>): Promise<EventStream<Event, Start>> {
    this.#check();
    const id = this.#nextId();
    const stream = new EventStream<Event, Start>({
      credit: (bytes) => this.#credit(id, bytes),
      close: () => this.#unsubscribe(id),
    });
    this.#streams.set(id, stream);
    try {
      stream.start = start.parse(await this.#sendRequest(id, request));
      return stream;
    } catch (error) {
      this.#unsubscribe(id);
      throw error;
    }
  }

  /** Closes the connection. Pending requests fail; streams end. */
  close(): void {
    this.#finish(new TerminalError('SHUTTING_DOWN', 'This client closed the connection to the host process'));
  }

  async #sendRequest(id: number, request: HostRequest): Promise<unknown> {
    const payload = Buffer.from(JSON.stringify(request, refuseNonFinite));
    if (payload.length > MAX_REQUEST_BYTES) throw tooLong(payload.length);
    this.#socket.send(KIND.request, id, payload);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#keepProcessAlive();
    });
  }

  /** Handles a frame. An exception thrown here ends the connection. */
  #take({ kind, id, payload }: Frame): void {
    this.#heartbeat.heard();
    switch (kind) {
      case KIND.pong:
        return;
      case KIND.answer:
        return this.#settle(id, (pending) => pending.resolve(parseJson(payload)));
      case KIND.failure:
        return this.#takeFailure(id, payload);
      case KIND.output:
      case KIND.event:
        return this.#streams.get(id)?.take(kind, payload);
      case KIND.hello:
        return this.#takeHello(hostHello.parse(parseJson(payload)));
      default:
        throw new TerminalError('HOST_FAILED', `The host process sent a frame of unknown kind: ${kind}`);
    }
  }

  #takeHello(hello: HostHello): void {
    this.#hello = hello;
    this.#pid = hello.pid;
    for (const { resolve } of this.#greeting) resolve(hello);
    this.#greeting.clear();
    this.#keepProcessAlive();
  }

  #takeFailure(id: number, payload: Buffer): void {
    const { code, message, details } = hostFailure.parse(parseJson(payload));
    const error = new TerminalError(code, message, details);
    if (id === 0) throw error;
    this.#settle(id, (pending) => pending.reject(error));
  }

  /** Ignores a late response to an abandoned request. */
  #settle(id: number, how: (pending: Pending) => void): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    how(pending);
    this.#keepProcessAlive();
  }

  /** @param ungreeted - The error for callers that are still waiting for the hello and have sent no request. */
  #failPending(error: TerminalError, ungreeted = error): void {
    const [pending, greeting] = [[...this.#pending.values()], [...this.#greeting]];
    this.#pending.clear();
    this.#greeting.clear();
    for (const { reject } of pending) reject(error);
    for (const { reject } of greeting) reject(ungreeted);
    this.#keepProcessAlive();
  }

  #finish(error: TerminalError): void {
    if (this.#end !== null) return;
    this.#end = error;
    this.#heartbeat.stop();
    this.#socket.destroy();
    this.#failPending(error);
    for (const stream of this.#streams.values()) stream.lose();
    this.#streams.clear();
  }

  #check(): void {
    if (this.#end !== null) throw this.#end;
    if (this.isUnresponsive) throw this.#unresponsive();
  }

  #nextId(): number {
    this.#lastId = this.#lastId >= MAX_ID ? 1 : this.#lastId + 1;
    const isInUse = this.#pending.has(this.#lastId) || this.#streams.has(this.#lastId);
    return isInUse ? this.#nextId() : this.#lastId;
  }

  /** Sends no ping while data is queued: a hung host would not read it, and pings would accumulate. */
  #ping(): void {
    if (this.#socket.waitingBytes === 0) this.#socket.send(KIND.ping, 0);
  }

  #credit(id: number, bytes: number): void {
    if (!this.isOpen) return;
    const payload = Buffer.allocUnsafe(4);
    payload.writeUInt32BE(bytes);
    this.#socket.send(KIND.credit, id, payload);
  }

  #unsubscribe(id: number): void {
    if (!this.#streams.delete(id) || !this.isOpen) return;
    this.#socket.send(KIND.unsubscribe, id);
    this.#keepProcessAlive();
  }

  /** Keeps this process alive only while the connection is in use. */
  #keepProcessAlive(): void {
    this.#socket.hold(this.#pending.size + this.#greeting.size + this.#streams.size > 0);
  }

  /** @param wasSent - Whether the host received the request and may still carry it out. */
  #unresponsive(wasSent = false): TerminalError {
    const message = `${this.#name} has not responded for ${Math.round(this.#heartbeat.silentMs / 1000)} s`;
    return new TerminalError('HOST_UNRESPONSIVE', message, { slot: this.#slot, pid: this.#pid, wasSent });
  }

  #lost(): TerminalError {
    const message = `${this.#name} ended before it responded; whether it executed the request is unknown`;
    return new TerminalError('HOST_LOST', message, { slot: this.#slot, pid: this.#pid });
  }

  get #name(): string {
    return this.#pid === null ? `host ${this.#slot}` : `host ${this.#slot} (pid ${this.#pid})`;
  }
}

/**
 * Rejects NaN and Infinity, which do not exist in JSON: they would become null, so the host could not report what was
 * given.
 *
 * @throws `INVALID_INPUT` for a field that is not finite.
 */
function refuseNonFinite(field: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value) || field === 'argument') return value;
  throw invalidInput({ field, message: `expected a number, given ${value}`, given: value, expected: 'a number' });
}

function asHostFailed(error: unknown): TerminalError {
  if (error instanceof TerminalError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new TerminalError('HOST_FAILED', `The host process sent an invalid message: ${reason}`, {}, { cause: error });
}

function tooLong(bytes: number): TerminalError {
  const message = `The request has ${bytes} bytes in JSON, more than the host process accepts`;
  return new TerminalError('PAYLOAD_TOO_LARGE', message, { limit: 'HOST_REQUEST_BYTES', value: MAX_REQUEST_BYTES });
}
