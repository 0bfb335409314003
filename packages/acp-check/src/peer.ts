/**
 * One end of a JSON-RPC connection over lines of JSON. Neither validates what it sends nor corrects what it receives,
 * but records faults on the wire.
 */
import type { Readable, Writable } from 'node:stream';

export interface RpcError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

/**
 * A response. Contains either `result` or `error`, unless the other side is at fault (`WireFault` of kind `answer`).
 */
export interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: RpcError;
}

export type RequestId = string | number;

export interface Request {
  readonly id: RequestId;
  /** Rejects with `ConnectionClosed` if the other side closes the connection before it has responded. */
  readonly answer: Promise<RpcAnswer>;
}

/** A request from the other side, or a notification if it has no id. */
export interface IncomingCall {
  readonly id: RequestId | null | undefined;
  readonly method: string;
  readonly params: unknown;
}

/**
 * A fault on the wire. `line`: not a JSON-RPC message. `version`: without `"jsonrpc": "2.0"`. `answer`: a response that
 * belongs to no request, or is malformed. `error`: a malformed error.
 */
export interface WireFault {
  readonly kind: 'line' | 'version' | 'answer' | 'error';
  readonly seen: string;
}

export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

interface Waiting {
  readonly resolve: (answer: RpcAnswer) => void;
  readonly reject: (error: Error) => void;
}

const SEEN_CHARACTERS = 200;
const NEWLINE = 0x0a;
/** Maximum number of faults kept. Further ones add no information. */
const KEPT_FAULTS = 50;

export class Peer {
  readonly faults: WireFault[] = [];
  /** Resolves when the other side has closed its end. */
  readonly closed: Promise<void>;
  /** Length in bytes of the longest line received. */
  longestLine = 0;
  readonly #output: Writable;
  readonly #serve: (call: IncomingCall) => void;
  readonly #waiting = new Map<RequestId, Waiting>();
  #nextId = 1;
  #parts: Buffer[] = [];
  #isClosed = false;

  constructor(input: Readable, output: Writable, serve: (call: IncomingCall) => void) {
    this.#output = output;
    this.#serve = serve;
    output.on('error', () => {});
    input.on('data', (bytes: Buffer) => this.#take(bytes));
    this.closed = new Promise((resolve) => {
      for (const event of ['end', 'close', 'error']) input.once(event, () => resolve(this.#close()));
    });
  }

  /**
   * Sends a request.
   *
   * @param id - Chosen by callers that verify that it is echoed. Default: the next number.
   */
  request(method: string, params: unknown, id: RequestId = this.#nextId++): Request {
    const answer = new Promise<RpcAnswer>((resolve, reject) => {
      if (this.#isClosed) reject(new ConnectionClosed('the connection is closed'));
      else this.#waiting.set(id, { resolve, reject });
    });
    // Prevents an unhandled rejection if the caller is no longer waiting for the response.
    answer.catch(() => {});
    this.#send({ id, method, params });
    return { id, answer };
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  reply(id: RequestId | null, answer: RpcAnswer): void {
    this.#send({ id, ...answer });
  }

  #send(message: object): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #close(): void {
    this.#isClosed = true;
    const error = new ConnectionClosed('the connection was closed');
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #take(bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...this.#parts, bytes.subarray(from, end)]);
      this.#parts = [];
      from = end + 1;
      this.#read(line);
    }
    if (from < bytes.length) this.#parts.push(bytes.subarray(from));
  }

  #read(line: Buffer): void {
    this.longestLine = Math.max(this.longestLine, line.length);
    const text = line.toString();
    const message = messageOf(text);
    if (message === undefined) return this.#blame('line', text);
    if (message['jsonrpc'] !== '2.0') this.#blame('version', text);
    if (typeof message['method'] === 'string') this.#serve(message as unknown as IncomingCall);
    else this.#settle(message, text);
  }

  #settle(message: Record<string, unknown>, text: string): void {
    const id = message['id'] as RequestId;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (!waiting || 'result' in message === 'error' in message) this.#blame('answer', text);
    if ('error' in message && !isError(message['error'])) this.#blame('error', text);
    waiting?.resolve(message);
  }

  #blame(kind: WireFault['kind'], text: string): void {
    if (this.faults.length < KEPT_FAULTS) this.faults.push({ kind, seen: text.slice(0, SEEN_CHARACTERS) });
  }
}

function messageOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isError(value: unknown): boolean {
  return isObject(value) && Number.isInteger(value['code']) && typeof value['message'] === 'string';
}
