/**
 * Subscribes to a terminal in another process. If the connection or the host is lost, resumes automatically at the same
 * offset.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { EndEvent, ExitEvent, TerminalEvent } from '../contract/event.js';
import type { Subscription } from '../contract/manager.js';
import { TerminalError } from '../errors.js';
import type { OutputStream } from './received-stream.js';
import { isTransient } from './hosts.js';

/** How a lost stream continues: with another stream or, if that is impossible, with these final events. */
export type Resumption = OutputStream | readonly [ExitEvent, EndEvent] | readonly [EndEvent];

export type Resume = (offset: number) => Promise<Resumption>;

/** Maximum number of streams lost in succession without a single event; more mean that the host crashes each time. */
const MAX_LOSSES = 5;
/** Interval between attempts to reach a host that is not responding. */
const RETRY_MS = 500;

export class RemoteSubscription implements Subscription {
  readonly #resume: Resume;
  readonly #closed = new AbortController();
  #stream: OutputStream;

  constructor(stream: OutputStream, resume: Resume) {
    this.#stream = stream;
    this.#resume = resume;
  }

  close(): void {
    this.#closed.abort();
    this.#stream.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TerminalEvent, void> {
    try {
      yield* this.#withoutRepetition();
    } finally {
      this.close();
    }
  }

  /** Drops repeated exit events: after a reconnection, the host reports again that the program has ended. */
  async *#withoutRepetition(): AsyncGenerator<TerminalEvent, void> {
    let isExitReported = false;
    for await (const event of this.#events()) {
      if (event.type === 'exit' && isExitReported) continue;
      isExitReported ||= event.type === 'exit';
      yield event;
      if (event.type === 'end') return;
    }
  }

  async *#events(): AsyncGenerator<TerminalEvent, void> {
    let { offset } = this.#stream.start;
    for (let losses = 0; !this.#isClosed; losses++) {
      for (let event = await this.#stream.next(); event !== null; event = await this.#stream.next()) {
        offset = offsetAfter(event, offset);
        losses = 0;
        yield event;
      }
      if (this.#isClosed) return;
      if (losses >= MAX_LOSSES) throw new TerminalError('HOST_LOST', 'The host process ended repeatedly');
      const resumption = await this.#resumed(offset);
      if (resumption === null) return;
      if ('next' in resumption) this.#stream = resumption;
      else return yield* resumption;
    }
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Returns how the stream resumes; null if the subscription was closed in the meantime. */
  async #resumed(offset: number): Promise<Resumption | null> {
    while (!this.#isClosed) {
      try {
        const resumption = await this.#resume(offset);
        if (this.#isClosed && 'next' in resumption) resumption.close();
        return this.#isClosed ? null : resumption;
      } catch (error) {
        if (isReleased(error)) return null;
        if (!isTransient(error)) throw error;
        await delay(RETRY_MS, undefined, { signal: this.#closed.signal }).catch(() => undefined);
      }
    }
    return null;
  }
}

function offsetAfter(event: TerminalEvent, offset: number): number {
  if (event.type === 'output') return event.offset + event.bytes.length;
  return event.type === 'gap' ? event.resumeAt : offset;
}

/** Returns whether the manager was closed. */
function isReleased(error: unknown): boolean {
  return error instanceof TerminalError && error.code === 'SHUTTING_DOWN';
}
