/**
 * The queue of one hook: events of one terminal are delivered in order, each after the one before it was delivered or
 * given up; terminals do not wait for each other. Independent of how an event is delivered.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_PENDING_EVENTS } from '../contract/hooks.js';
import type { HookEvent } from '../contract/hooks.js';
import { MAX_REMEMBERED } from './progress.js';
import type { PendingEvent, Progress } from './progress.js';

/** Intervals between attempts, which double from the first to the longest, and the time after which an event fails. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
  readonly giveUpMs: number;
}

const DAY_MS = 86_400_000;
export const WEBHOOK_BACK_OFF: BackOff = { firstMs: 1000, longestMs: 600_000, giveUpMs: DAY_MS };
/** A command is not repeated: it may have done a part of its work. */
export const ONE_ATTEMPT: BackOff = { firstMs: 0, longestMs: 0, giveUpMs: 0 };

/** Resolves when the event is delivered. */
export type Deliver = (event: HookEvent, signal: AbortSignal) => Promise<void>;

export class DeliveryQueue {
  readonly #progress: Progress;
  readonly #deliver: Deliver;
  readonly #backOff: BackOff;
  readonly #end = new AbortController();
  /** Terminals whose events are being delivered. */
  readonly #lanes = new Map<string, Promise<void>>();

  constructor(progress: Progress, deliver: Deliver, backOff: BackOff) {
    this.#progress = progress;
    this.#deliver = deliver;
    this.#backOff = backOff;
  }

  /** Continues with the events that an earlier process has left. */
  start(): void {
    for (const { terminalId } of this.#pending) this.#begin(terminalId);
  }

  /** Adds an event, unless it was added before. If the queue is full, the oldest event that was tried in vain fails. */
  add(terminalId: string, event: HookEvent): void {
    const { known } = this.#progress.record;
    if (known.includes(event.id)) return;
    known.push(event.id);
    if (known.length > MAX_REMEMBERED) known.shift();
    if (this.#pending.length >= MAX_PENDING_EVENTS) this.#drop();
    this.#pending.push({ terminalId, since: Date.now(), attempts: 0, event: { ...event, data: { ...event.data } } });
    this.#progress.changed();
    this.#begin(terminalId);
  }

  /** Ends attempts under way; their events stay in the queue. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#lanes.values());
  }

  get #pending(): PendingEvent[] {
    return this.#progress.record.pending;
  }

  #drop(): void {
    const dropped = this.#pending.find(({ attempts }) => attempts > 0) ?? this.#pending[0]!;
    this.#fail(dropped, `an event was dropped because more than ${MAX_PENDING_EVENTS} were waiting`);
  }

  #begin(terminalId: string): void {
    if (this.#lanes.has(terminalId) || this.#end.signal.aborted) return;
    this.#lanes.set(terminalId, this.#drain(terminalId));
  }

  async #drain(terminalId: string): Promise<void> {
    const next = () => this.#pending.find((each) => each.terminalId === terminalId);
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
    if (!this.#remove(pending)) return;
    this.#progress.record.failed++;
    this.#progress.noteError(message);
  }

  /** Returns false if it was dropped during the attempt. */
  #remove(pending: PendingEvent): boolean {
    const at = this.#pending.indexOf(pending);
    if (at >= 0) this.#pending.splice(at, 1);
    this.#progress.changed();
    return at >= 0;
  }
}
