/**
 * Sends one subscription's events to its client, as fast as they are taken and no faster. Nothing is kept for it:
 * events are pulled when there is room. It knows nothing of requests.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Subscription } from '../contract/manager.js';
import type { TerminalEvent } from '../contract/event.js';
import { giveBack } from '../terminal/subscription.js';
import { KIND, WINDOW_BYTES } from './protocol.js';
import { Window } from './window.js';
import type { Wire } from './wire.js';

/** Smaller pieces under load cost more to carry than to write. */
const GOOD_OUTPUT_BYTES = 16 << 10;
/** What a program prints in answer to a key: a person waits for it. */
const TINY_OUTPUT_BYTES = 1 << 10;
/** Pieces in between are sent this far apart; what is written meanwhile comes with the next. The first never waits. */
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

  /** Ends it at once. Safe to call twice. */
  close(): void {
    this.#isClosed = true;
    this.#subscription.close();
    this.#window.close();
  }

  /** Resolves when the last event was sent, or it was closed. */
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

  /** Returns how many bytes of payload were sent. */
  #send(event: TerminalEvent): number {
    if (event.type !== 'output') return this.#wire.sendJson(KIND.event, this.#id, event);
    return this.#wire.sendOutput(this.#id, event.offset, event.bytes, () => giveBack(event.bytes));
  }
}

function isBetween(count: number, least: number, tooMuch: number): boolean {
  return count >= least && count < tooMuch;
}
