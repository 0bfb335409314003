/**
 * Sends the events of one stream to its client as fast as the client accepts them. Buffers nothing: pulls events when
 * there is room.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { OutputEvent, TerminalEvent } from '../contract/event.js';
import type { WatchedEvent } from '../contract/watch.js';
import { releaseBuffer } from '../terminal/subscription.js';
import { KIND } from './protocol.js';
import { FlowWindow } from './flow-window.js';
import type { FramedSocket } from './framed-socket.js';

/** Under load, sending a piece smaller than this costs more than producing it. */
const GOOD_OUTPUT_BYTES = 16 << 10;
/** Output of this size may be the echo of a key that a person is waiting for, so it is never delayed. */
const TINY_OUTPUT_BYTES = 1 << 10;
/**
 * Minimum interval between pieces of intermediate size; output written in between is sent with the next piece. The
 * first piece is never delayed.
 */
const SMALL_OUTPUT_INTERVAL_MS = 2;

type StreamedEvent = TerminalEvent | WatchedEvent;

/** The events of a stream, and how much of them may be in transit. */
export interface EventSource {
  readonly events: AsyncIterable<StreamedEvent> & { close(): void };
  readonly windowBytes: number;
}

export class StreamSender {
  readonly #socket: FramedSocket;
  readonly #id: number;
  readonly #events: EventSource['events'];
  readonly #window: FlowWindow;
  #isClosed = false;

  constructor(socket: FramedSocket, id: number, { events, windowBytes }: EventSource) {
    this.#socket = socket;
    this.#id = id;
    this.#events = events;
    this.#window = new FlowWindow(windowBytes);
  }

  onTaken(bytes: number): void {
    this.#window.onTaken(bytes);
  }

  /** Ends the stream at once. Safe to call twice. */
  close(): void {
    this.#isClosed = true;
    this.#events.close();
    this.#window.close();
  }

  /** Resolves when the last event has been sent, or when the stream is closed. */
  async run(): Promise<void> {
    let sentAt = -Infinity;
    for await (const event of this.#events) {
      if (this.#isClosed) return;
      this.#window.onSent(this.#send(event));
      await this.#window.untilOpen();
      await this.#socket.drained();
      const isSmall = isOutput(event) && isBetween(event.bytes.length, TINY_OUTPUT_BYTES, GOOD_OUTPUT_BYTES);
      const isHasty = performance.now() - sentAt < SMALL_OUTPUT_INTERVAL_MS;
      sentAt = performance.now();
      if (isSmall && isHasty) await delay(SMALL_OUTPUT_INTERVAL_MS);
    }
  }

  /** Returns the number of payload bytes sent. */
  #send(event: StreamedEvent): number {
    if (!isOutput(event)) return this.#socket.sendJson(KIND.event, this.#id, event);
    return this.#socket.sendOutput(this.#id, event.offset, event.bytes, () => releaseBuffer(event.bytes));
  }
}

function isOutput(event: StreamedEvent): event is OutputEvent {
  return 'type' in event && event.type === 'output';
}

function isBetween(count: number, least: number, tooMuch: number): boolean {
  return count >= least && count < tooMuch;
}
