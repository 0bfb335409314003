/**
 * Implements one end of a connection: sends messages over a socket, long ones in parts. Knows the format of frames, not
 * their meaning.
 */
import type { Socket } from 'node:net';
import { TerminalError } from '../errors.js';
import { encodeHeader, FrameDecoder } from './frames.js';
import type { Frame } from './frames.js';
import { HEADER_BYTES, KIND, OFFSET_BYTES, PART_BYTES } from './protocol.js';
import type { FrameKind } from './protocol.js';

export interface FramedSocketEvents {
  /** Called for each message. An exception thrown here ends the connection through `onBroken`. */
  onMessage(message: Frame): void;
  /** Called when the received data is invalid, so that nothing after it can be decoded. */
  onBroken(error: unknown): void;
  onClose(): void;
}

/** The overhead counted for each part, so that the number of empty parts is also bounded. */
const PART_OVERHEAD_BYTES = 64;
const NOTHING = Buffer.alloc(0);

export class FramedSocket {
  readonly #socket: Socket;
  readonly #maxMessageBytes: number;
  readonly #events: FramedSocketEvents;
  readonly #decoder = new FrameDecoder();
  /** Parts of incomplete messages, by id. */
  readonly #parts = new Map<number, Buffer[]>();
  #partBytes = 0;
  #isBroken = false;
  #draining: Promise<void> | null = null;

  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;

  /** @param maxMessageBytes - Maximum size of all incomplete messages combined. */
  constructor(socket: Socket, maxMessageBytes: number, events: FramedSocketEvents) {
    this.#socket = socket;
    this.#maxMessageBytes = maxMessageBytes;
    this.#events = events;
    socket.on('data', (chunk) => this.#receive(chunk));
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        resolve();
        events.onClose();
      });
    });
    // Handled by `close`, which always follows.
    socket.on('error', () => {});
  }

  /** Number of bytes that the other side has not read. */
  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  send(kind: FrameKind, id: number, payload: Uint8Array = NOTHING): void {
    this.#socket.cork();
    let start = 0;
    for (; payload.length - start > PART_BYTES; start += PART_BYTES) {
      this.#write(KIND.part, id, payload.subarray(start, start + PART_BYTES));
    }
    this.#write(kind, id, payload.subarray(start));
    this.#socket.uncork();
  }

  /** Sends a value as JSON; returns the length of the payload. */
  sendJson(kind: FrameKind, id: number, value: unknown): number {
    const payload = Buffer.from(JSON.stringify(value ?? null));
    this.send(kind, id, payload);
    return payload.length;
  }

  /** Sends output; returns the length of the payload. `bytes` must not change before `onWritten`. */
  sendOutput(id: number, offset: number, bytes: Uint8Array, onWritten: () => void): number {
    const length = OFFSET_BYTES + bytes.length;
    const head = Buffer.allocUnsafe(HEADER_BYTES + OFFSET_BYTES);
    encodeHeader(KIND.output, id, length).copy(head);
    head.writeDoubleBE(offset, HEADER_BYTES);
    this.#socket.cork();
    this.#socket.write(head);
    this.#socket.write(bytes, onWritten);
    this.#socket.uncork();
    return length;
  }

  /** Resolves when the other side has read what is queued or has disconnected. */
  drained(): Promise<void> {
    const socket = this.#socket;
    if (!socket.writableNeedDrain || socket.destroyed) return Promise.resolve();
    // Concurrent callers share one listener.
    this.#draining ??= new Promise((resolve) => {
      const done = (): void => {
        this.#draining = null;
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.on('drain', done).on('close', done);
    });
    return this.#draining;
  }

  /** Stops reading until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Sets whether an open connection keeps the process alive. */
  hold(isHeld: boolean): void {
    if (isHeld) this.#socket.ref();
    else this.#socket.unref();
  }

  /** Ends the connection after the data sent so far. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #write(kind: FrameKind, id: number, payload: Uint8Array): void {
    this.#socket.write(encodeHeader(kind, id, payload.length));
    if (payload.length > 0) this.#socket.write(payload);
  }

  #receive(chunk: Buffer): void {
    if (this.#isBroken) return;
    try {
      for (const frame of this.#decoder.push(chunk)) this.#take(frame);
    } catch (error) {
      this.#isBroken = true;
      this.#events.onBroken(error);
    }
  }

  #take(frame: Frame): void {
    if (frame.kind === KIND.part) return this.#keepPart(frame);
    const parts = this.#parts.get(frame.id);
    if (parts === undefined || frame.kind === KIND.cancel) return this.#events.onMessage(frame);
    this.#parts.delete(frame.id);
    this.#partBytes -= parts.reduce((sum, part) => sum + costOf(part), 0);
    this.#events.onMessage({ ...frame, payload: Buffer.concat([...parts, frame.payload]) });
  }

  #keepPart({ id, payload }: Frame): void {
    this.#partBytes += costOf(payload);
    if (this.#partBytes > this.#maxMessageBytes) {
      throw new TerminalError('HOST_FAILED', `A message is longer than ${this.#maxMessageBytes} bytes`);
    }
    const parts = this.#parts.get(id);
    if (parts === undefined) this.#parts.set(id, [payload]);
    else parts.push(payload);
  }
}

function costOf(part: Buffer): number {
  return part.length + PART_OVERHEAD_BYTES;
}

/** Parses the JSON of a payload. @throws `HOST_FAILED` if it is invalid. */
export function parseJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch (cause) {
    throw new TerminalError('HOST_FAILED', 'Received a frame that is not valid JSON', {}, { cause });
  }
}
