/**
 * Implements the client side of one stream: queues events for the consumer as they arrive, and reports consumed bytes
 * to the host. The flow-control window bounds the queue. Does not handle the loss of the stream.
 */
import type { TerminalEvent } from '../contract/event.js';
import type { WatchedEvent } from '../contract/watch.js';
import { CREDIT_STEP_BYTES, KIND, OFFSET_BYTES } from './protocol.js';
import { parseJson } from './framed-socket.js';

interface StreamEnds {
  /** Tells the host how many bytes of payload have been consumed. */
  credit(bytes: number): void;
  close(): void;
}

/** The stream that `subscribe` opens. */
export type OutputStream = EventStream<TerminalEvent, { readonly offset: number }>;
/** The stream that `watch` opens. */
export type WatchStream = EventStream<WatchedEvent, { readonly cursor: string }>;

export class EventStream<Event = unknown, Start = unknown> {
  /** Where the stream starts. Set when the host has responded. */
  start!: Start;
  readonly #ends: StreamEnds;
  #queue: { event: Event; size: number }[] = [];
  #isOver = false;
  #taken = 0;
  #wake: (() => void) | null = null;

  constructor(ends: StreamEnds) {
    this.#ends = ends;
  }

  take(kind: number, payload: Buffer): void {
    if (this.#isOver) return;
    this.#queue.push({ event: readEvent(kind, payload) as Event, size: payload.length });
    this.#wakeUp();
  }

  /**
   * Returns the next event. Returns null if the stream has been closed, or if it was lost and all events that arrived
   * have been consumed.
   */
  async next(): Promise<Event | null> {
    for (;;) {
      const first = this.#queue.shift();
      if (first !== undefined) {
        this.#count(first.size);
        return first.event;
      }
      if (this.#isOver) return null;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Marks the stream as lost: nothing more will arrive. */
  lose(): void {
    this.#isOver = true;
    this.#wakeUp();
  }

  /** Ends the stream at once. Safe to call twice. */
  close(): void {
    this.#queue = [];
    this.lose();
    this.#ends.close();
  }

  #count(size: number): void {
    this.#taken += size;
    if (this.#taken < CREDIT_STEP_BYTES) return;
    this.#ends.credit(this.#taken);
    this.#taken = 0;
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = null;
  }
}

function readEvent(kind: number, payload: Buffer): unknown {
  if (kind === KIND.event) return parseJson(payload);
  const bytes = new Uint8Array(payload.buffer, payload.byteOffset + OFFSET_BYTES, payload.length - OFFSET_BYTES);
  return { type: 'output', offset: payload.readDoubleBE(0), bytes };
}
