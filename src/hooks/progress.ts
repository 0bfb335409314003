/**
 * Tracks a hook's progress: what the hook has seen, which events are pending, and how many were delivered or failed.
 * Keeps the progress in memory, and saves it after changes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { hookEventType, hookState, MAX_PENDING_EVENTS } from '../contract/hooks.js';
import type { HookState } from '../contract/hooks.js';
import { readRecord, writeRecord } from '../store/record-file.js';
import { Turns } from '../turns.js';

/**
 * Minimum interval between saves. After a crash, at most the events since the last save are delivered again, with the
 * same ids.
 */
const SAVE_EVERY_MS = 200;
/** After a save, other work gets this many times as long as the save took. */
const REST_FACTOR = 3;
const LONGEST_REST_MS = 1000;
/** Number of ids that are remembered to recognise repeated events. */
export const MAX_REMEMBERED = MAX_PENDING_EVENTS;

const pendingEvent = z.object({
  terminalId: z.string(),
  /** When the event was added to the queue, in milliseconds since the epoch. */
  since: z.number(),
  attempts: z.int(),
  event: z.object({
    ...{ id: z.string(), type: hookEventType, timestamp: z.string(), text: z.string(), late: z.boolean() },
    data: z.record(z.string(), z.unknown()),
  }),
});
export type PendingEvent = z.infer<typeof pendingEvent>;

const { delivered, failed, lastDelivered, lastError } = hookState.shape;
const progress = z.object({
  version: z.literal(1),
  /** Where to continue watching; null if nothing has been seen yet. */
  cursor: z.string().nullable(),
  /** Time of the newest event that was seen, in milliseconds since the epoch. */
  seenMs: z.number(),
  /** For `match`: how far the output of each terminal has been searched. */
  offsets: z.record(z.string(), z.int()),
  /** Ids of the newest events, oldest first. */
  known: z.array(z.string()),
  pending: z.array(pendingEvent),
  ...{ delivered, failed, lastDelivered, lastError },
});
export type ProgressRecord = z.infer<typeof progress>;

const NONE = { version: 1, cursor: null, seenMs: 0, delivered: 0, failed: 0, lastDelivered: null, lastError: null };

/**
 * Writes the progress of all hooks, one at a time and with pauses, so that many full queues leave time for other work.
 */
export class Saves {
  readonly #write: typeof writeRecord;
  readonly #turns = new Turns();
  readonly #end = new AbortController();

  constructor(write = writeRecord) {
    this.#write = write;
  }

  /** Writes a record, in the state that it has when its turn comes. @param onBegin - Called when the turn comes. */
  write(path: string, record: ProgressRecord, onBegin: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.#turns.take(async () => {
        const began = performance.now();
        onBegin();
        await this.#write(path, record).then(resolve, reject);
        await this.#rest(Math.min(REST_FACTOR * (performance.now() - began), LONGEST_REST_MS));
      });
    });
  }

  /** Writes what is left without further pauses. */
  finish(): void {
    this.#end.abort();
  }

  async #rest(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#end.signal, ref: false }).catch(() => undefined);
  }
}

export class Progress {
  readonly record: ProgressRecord;
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;
  readonly #saves: Saves;
  #timer: NodeJS.Timeout | undefined;
  #savedMs = 0;
  /** A save that has been requested but has not begun. */
  #next: Promise<void> | undefined;

  /** @param onFailure - Called if the progress cannot be saved. */
  constructor(path: string, onFailure: (error: unknown) => void, saves = new Saves()) {
    this.#path = path;
    this.#onFailure = onFailure;
    this.#saves = saves;
    this.record = readRecord(path, progress) ?? progress.parse({ ...NONE, offsets: {}, known: [], pending: [] });
  }

  changed(): void {
    if (this.#next !== undefined) return;
    const dueMs = this.#savedMs + SAVE_EVERY_MS - performance.now();
    this.#timer ??= setTimeout(() => void this.save(), Math.max(0, dueMs)).unref();
  }

  noteError(message: string): void {
    this.record.lastError = { at: new Date().toISOString(), message };
    this.changed();
  }

  /** Resolves when the progress has been saved, or when saving has failed. Never rejects. */
  save(): Promise<void> {
    this.#stopTimer();
    return (this.#next ??= this.#saves.write(this.#path, this.record, () => this.#begin()).catch(this.#onFailure));
  }

  /** Records that a save begins, so that later changes cause another one. */
  #begin(): void {
    this.#stopTimer();
    this.#next = undefined;
    this.#savedMs = performance.now();
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** The state of a hook whose state has never been saved. */
export const NEW_STATE: HookState = { pending: 0, delivered: 0, failed: 0, lastDelivered: null, lastError: null };

/** Returns the saved state, as lists show it; that of a new hook if none has been saved. */
export function savedState(path: string): HookState {
  const record = readRecord(path, progress);
  return record === null ? NEW_STATE : stateOf(record);
}

export function stateOf({ pending, delivered, failed, lastDelivered, lastError }: ProgressRecord): HookState {
  return { pending: pending.length, delivered, failed, lastDelivered, lastError };
}
