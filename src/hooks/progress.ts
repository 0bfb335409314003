/**
 * How far a hook has come: what it has seen, what waits to be delivered, and counts. Kept in memory and saved
 * after changes. Independent of how events are delivered.
 */
import { z } from 'zod';
import { hookEventType, hookState, MAX_PENDING_EVENTS } from '../contract/hooks.js';
import type { HookState } from '../contract/hooks.js';
import { readRecord, writeRecord } from '../store/record-file.js';

/** Interval between saves. After a crash, at most the events of this time are delivered again, with the same ids. */
const SAVE_EVERY_MS = 200;
/** Number of ids by which repeated events are recognised. */
export const MAX_REMEMBERED = MAX_PENDING_EVENTS;

const pendingEvent = z.object({
  terminalId: z.string(),
  /** When it was first to be delivered, in milliseconds since the epoch. */
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
  /** Where to continue watching; null: nothing was seen yet. */
  cursor: z.string().nullable(),
  /** Time of the newest event seen, in milliseconds since the epoch. */
  seenMs: z.number(),
  /** For `match`: how far the output of each terminal was searched. */
  offsets: z.record(z.string(), z.int()),
  /** Ids of the newest events, oldest first. */
  known: z.array(z.string()),
  pending: z.array(pendingEvent),
  ...{ delivered, failed, lastDelivered, lastError },
});
export type ProgressRecord = z.infer<typeof progress>;

const NONE = { version: 1, cursor: null, seenMs: 0, delivered: 0, failed: 0, lastDelivered: null, lastError: null };

export class Progress {
  readonly record: ProgressRecord;
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #savedMs = 0;

  /** @param onFailure - Called if the progress cannot be saved. */
  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
    this.record = readRecord(path, progress) ?? progress.parse({ ...NONE, offsets: {}, known: [], pending: [] });
  }

  changed(): void {
    const dueMs = this.#savedMs + SAVE_EVERY_MS - performance.now();
    this.#timer ??= setTimeout(() => void this.save(), Math.max(0, dueMs)).unref();
  }

  noteError(message: string): void {
    this.record.lastError = { at: new Date().toISOString(), message };
    this.changed();
  }

  /** Never rejects. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#savedMs = performance.now();
    await writeRecord(this.#path, this.record).catch(this.#onFailure);
  }
}

/** Returns the state as lists show it; that of a new hook if nothing was saved. */
export function savedState(path: string): HookState {
  return stateOf(new Progress(path, () => {}).record);
}

export function stateOf({ pending, delivered, failed, lastDelivered, lastError }: ProgressRecord): HookState {
  return { pending: pending.length, delivered, failed, lastDelivered, lastError };
}
