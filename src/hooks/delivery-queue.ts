/**
 * Delivers one hook's events. Events of the same terminal are delivered in order, each after the previous one has been
 * delivered or has failed for good. Events of different terminals do not wait for each other.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_PENDING_BYTES, MAX_PENDING_EVENTS } from '../contract/hooks.js';
import type { HookEvent } from '../contract/hooks.js';
import { MAX_REMEMBERED } from './progress.js';
import type { PendingEvent, Progress } from './progress.js';
import { QueueSpace } from './queue-space.js';
import type { SharingQueue } from './queue-space.js';

/**
 * Intervals between attempts, which double from the first to the longest, and the time after which delivery is given
 * up.
 */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
  readonly giveUpMs: number;
}

const DAY_MS = 86_400_000;
export const WEBHOOK_BACK_OFF: BackOff = { firstMs: 1000, longestMs: 600_000, giveUpMs: DAY_MS };
/** A command is not retried, because it may have done part of its work. */
export const ONE_ATTEMPT: BackOff = { firstMs: 0, longestMs: 0, giveUpMs: 0 };

/** Resolves when the event is delivered. */
export type Deliver = (event: HookEvent, signal: AbortSignal) => Promise<void>;

export class DeliveryQueue implements SharingQueue {
  readonly #progress: Progress;
  readonly #deliver: Deliver;
  readonly #backOff: BackOff;
  readonly #end = new AbortController();
  /** Deliveries in progress, by terminal. */
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #space: QueueSpace;
  readonly #sizes = new WeakMap<PendingEvent, number>();
  #bytes = 0;

  /** @param space - Shared with other queues. */
  constructor(progress: Progress, deliver: Deliver, backOff: BackOff, space = new QueueSpace()) {
    this.#progress = progress;
    this.#deliver = deliver;
    this.#backOff = backOff;
    this.#space = space;
    space.enter(this);
    for (const pending of this.#pending) this.#count(pending, sizeOf(pending));
  }

  /** Total size of the pending events, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Continues with the events that an earlier process left pending. */
  start(): void {
    this.#makeRoom(0);
    this.#space.fit();
    for (const { terminalId } of this.#pending) this.#begin(terminalId);
  }

  /**
   * Adds an event, unless it was added before. If the queue is full, drops the oldest event whose delivery has been
   * attempted or, if there is none, the oldest event.
   */
  add(terminalId: string, event: HookEvent): void {
    const { known } = this.#progress.record;
    if (known.includes(event.id)) return;
    known.push(event.id);
    if (known.length > MAX_REMEMBERED) known.shift();
    const pending = { terminalId, since: Date.now(), attempts: 0, event: { ...event, data: { ...event.data } } };
    const bytes = sizeOf(pending);
    if (bytes > MAX_PENDING_BYTES) return this.#noteFailure(`an event was dropped because it has ${bytes} bytes`);
    this.#makeRoom(bytes);
    this.#pending.push(pending);
    this.#count(pending, bytes);
    this.#space.fit();
    this.#progress.changed();
    this.#begin(terminalId);
  }

  /** Drops an event, because the queues of all hooks are too large in total. */
  shrink(): void {
    this.#drop('the waiting events of all hooks were too large in total');
  }

  /** Ends attempts in progress, whose events stay in the queue. */
  async close(): Promise<void> {
    this.#end.abort();
    this.#space.leave(this);
    await Promise.all(this.#lanes.values());
  }

  get #pending(): PendingEvent[] {
    return this.#progress.record.pending;
  }

  #count(pending: PendingEvent, bytes: number): void {
    this.#sizes.set(pending, bytes);
    this.#bytes += bytes;
  }

  /** @param bytes - Size of the event that will be added; 0 if none. */
  #makeRoom(bytes: number): void {
    const most = bytes === 0 ? MAX_PENDING_EVENTS : MAX_PENDING_EVENTS - 1;
    while (this.#pending.length > most) this.#drop(`more than ${MAX_PENDING_EVENTS} were waiting`);
    while (this.#bytes + bytes > MAX_PENDING_BYTES) this.#drop(`more than ${MAX_PENDING_BYTES} bytes were waiting`);
  }

  #drop(why: string): void {
    const dropped = this.#pending.find(({ attempts }) => attempts > 0) ?? this.#pending[0]!;
    this.#fail(dropped, `an event was dropped because ${why}`);
  }

  #begin(terminalId: string): void {
    if (this.#lanes.has(terminalId) || this.#end.signal.aborted || this.#next(terminalId) === undefined) return;
    this.#lanes.set(terminalId, this.#drain(terminalId));
  }

  #next(terminalId: string): PendingEvent | undefined {
    return this.#pending.find((each) => each.terminalId === terminalId);
  }

  async #drain(terminalId: string): Promise<void> {
    const next = () => this.#next(terminalId);
    for (let event = next(); event !== undefined && !this.#end.signal.aborted; event = next()) {
      await this.#attempt(event);
    }
    this.#lanes.delete(terminalId);
  }

  async #attempt(pending: PendingEvent): Promise<void> {
    const { signal } = this.#end;
    try {
      await this.#deliver(pending.event, signal);
    } catch (error) {
      if (!signal.aborted) await this.#failed(pending, (error as Error).message);
      return;
    }
    if (!this.#remove(pending)) return;
    this.#progress.record.delivered++;
    this.#progress.record.lastDelivered = new Date().toISOString();
  }

  async #failed(pending: PendingEvent, message: string): Promise<void> {
    const { firstMs, longestMs, giveUpMs } = this.#backOff;
    const pauseMs = Math.min(firstMs * 2 ** pending.attempts++, longestMs);
    if (Date.now() + pauseMs - pending.since >= giveUpMs) return this.#fail(pending, message);
    this.#progress.noteError(message);
    await delay(pauseMs, undefined, { signal: this.#end.signal, ref: false }).catch(() => undefined);
  }

  #fail(pending: PendingEvent, message: string): void {
    if (this.#remove(pending)) this.#noteFailure(message);
  }

  #noteFailure(message: string): void {
    this.#progress.record.failed++;
    this.#progress.noteError(message);
  }

  /** Removes an event. Returns false if it was dropped during the attempt. */
  #remove(pending: PendingEvent): boolean {
    const at = this.#pending.indexOf(pending);
    if (at < 0) return false;
    this.#pending.splice(at, 1);
    this.#bytes -= this.#sizes.get(pending)!;
    this.#progress.changed();
    return true;
  }
}

function sizeOf({ event }: PendingEvent): number {
  return Buffer.byteLength(JSON.stringify(event));
}
