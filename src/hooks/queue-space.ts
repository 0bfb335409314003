/**
 * Limits the total size of the queues of all hooks. If the limit is exceeded, drops events from the largest queue, so
 * that no hook loses events because other hooks have larger queues.
 */
import { MAX_ALL_PENDING_BYTES } from '../contract/hooks.js';

export interface SharingQueue {
  readonly bytes: number;
  /** Drops one event. */
  shrink(): void;
}

export class QueueSpace {
  readonly #queues = new Set<SharingQueue>();
  readonly #maxBytes: number;

  constructor(maxBytes = MAX_ALL_PENDING_BYTES) {
    this.#maxBytes = maxBytes;
  }

  enter(queue: SharingQueue): void {
    this.#queues.add(queue);
  }

  leave(queue: SharingQueue): void {
    this.#queues.delete(queue);
  }

  /** Call this when a queue has grown. */
  fit(): void {
    while (this.#bytes() > this.#maxBytes) this.#largest().shrink();
  }

  #bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#queues) sum += bytes;
    return sum;
  }

  #largest(): SharingQueue {
    return [...this.#queues].reduce((largest, each) => (each.bytes > largest.bytes ? each : largest));
  }
}
