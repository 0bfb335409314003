/**
 * The client's end of one stream: events as they arrived, taken at the consumer's pace, and the host told of what was
 * taken. What waits here is bounded by the window. It does not know what becomes of a stream that is lost.
 */
import type { TerminalEvent } from '../contract/event.js';
import { CREDIT_STEP_BYTES, KIND, OFFSET_BYTES } from './protocol.js';
import { parseJson } from './wire.js';

interface StreamEnds {
  /** Tells the host that so many bytes of payload were taken. */
  credit(bytes: number): void;
  close(): void;
}

export class EventStream {
  /** Offset it begins at. */
  start = 0;
  readonly #ends: StreamEnds;
  #queue: { event: TerminalEvent; size: number }[] = [];
  #isOver = false;
  #taken = 0;
  #wake: (() => void) | null = null;

  constructor(ends: StreamEnds) {
    this.#ends = ends;
  }

  take(kind: number, payload: Buffer): void {
    if (this.#isOver) return;
    this.#queue.push({ event: readEvent(kind, payload), size: payload.length });
    this.#wakeUp();
  }

  /** The next event; null when the stream was closed, or was lost and all that had arrived was taken. */
  async next(): Promise<TerminalEvent | null> {
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

  /** Nothing more will arrive. */
  lose(): void {
    this.#isOver = true;
    this.#wakeUp();
  }

  /** Ends it at once. Safe to call twice. */
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

function readEvent(kind: number, payload: Buffer): TerminalEvent {
  if (kind === KIND.event) return parseJson(payload) as TerminalEvent;
  const bytes = new Uint8Array(payload.buffer, payload.byteOffset + OFFSET_BYTES, payload.length - OFFSET_BYTES);
  return { type: 'output', offset: payload.readDoubleBE(0), bytes };
}
