/**
 * Sends the events of one subscription to its client, as fast as the client accepts them. Buffers nothing: events are
 * pulled when there is room. Does not depend on requests.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Subscription } from '../contract/manager.js';
import type { TerminalEvent } from '../contract/event.js';
import { giveBack } from '../terminal/subscription.js';
import { KIND, WINDOW_BYTES } from './protocol.js';
import { Window } from './window.js';
import type { Wire } from './wire.js';

/** Under load, sending smaller pieces costs more than producing them. */
const GOOD_OUTPUT_BYTES = 16 << 10;
/** Output of this size may be the echo of a key that a person is waiting for, so it is never delayed. */
const TINY_OUTPUT_BYTES = 1 << 10;
/**
 * Minimum interval between pieces of intermediate size; output written meanwhile is sent with the next piece. The first
 * piece is never delayed.
 */
const SMALL_OUTPUT_INTERVAL_MS = 2;

export class Outflow {
  readonly #wire: Wire;
  readonly #id: number;
  readonly #subscription: Subscription;
  readonly #window = new Window(WINDOW_BYTES);
  #isClosed = false;

  constructor(wire: Wire, id: number, subscription: Subscription) {
    this.#wire = wire;
    this.#id = id;
    this.#subscription = subscription;
  }

  taken(bytes: number): void {
    this.#window.taken(bytes);
  }

  /** Ends the stream at once. Safe to call twice. */
  close(): void {
    this.#isClosed = true;
    this.#subscription.close();
    this.#window.close();
  }

  /** Resolves when the last event was sent, or when closed. */
  async run(): Promise<void> {
    let sentAt = -Infinity;
    for await (const event of this.#subscription) {
      if (this.#isClosed) return;
      this.#window.sent(this.#send(event));
      await this.#window.room();
      await this.#wire.drained();
      const isSmall = event.type === 'output' && isBetween(event.bytes.length, TINY_OUTPUT_BYTES, GOOD_OUTPUT_BYTES);
      const isHasty = performance.now() - sentAt < SMALL_OUTPUT_INTERVAL_MS;
      sentAt = performance.now();
      if (isSmall && isHasty) await delay(SMALL_OUTPUT_INTERVAL_MS);
    }
  }

  /** Returns the number of payload bytes sent. */
  #send(event: TerminalEvent): number {
    if (event.type !== 'output') return this.#wire.sendJson(KIND.event, this.#id, event);
    return this.#wire.sendOutput(this.#id, event.offset, event.bytes, () => giveBack(event.bytes));
  }
}

function isBetween(count: number, least: number, tooMuch: number): boolean {
  return count >= least && count < tooMuch;
}
