/**
 * Keeps the newest events of all of a manager's terminals, numbered without gaps. Watchers read the log at their own
 * pace, and it stores nothing for them.
 */
import { randomBytes } from 'node:crypto';
import type { TerminalLabels } from '../../contract/labels.js';
import type { TerminalStatus } from '../../contract/terminal.js';
import { MAX_KEPT_EVENTS } from '../../contract/watch.js';
import type { LinesEvent, TerminalChange as ChangeEvent } from '../../contract/watch.js';
import type { TerminalChange } from '../terminal-changes.js';

/** The terminal of an event when the event occurred, for filters. */
export interface Subject {
  readonly status: TerminalStatus;
  /** Its labels; for an event that changed them, also the labels before the change. */
  readonly labels: readonly TerminalLabels[];
}

export interface LoggedEvent extends Subject {
  readonly event: Exclude<ChangeEvent, LinesEvent>;
}

/** The state for a hand-off, as plain data. */
export interface EventLogState {
  readonly epoch: string;
  readonly count: number;
  readonly events: readonly LoggedEvent[];
}

/** A cursor that means the start of any log. */
export const START_OF_LOG = '0';
/** The position of a cursor that does not belong to this log. */
export const UNKNOWN_POSITION = -1;

const EPOCH_BYTES = 6;
const CURSOR = /^([0-9a-f]+)\.(\d{1,15})$/;

export class EventLog {
  /** Distinguishes this log from others. */
  #epoch = randomBytes(EPOCH_BYTES).toString('hex');
  #events: LoggedEvent[] = [];
  #count = 0;
  /** Changes during a hand-off; null otherwise. */
  #heldBack: { readonly change: TerminalChange; readonly subject: Subject }[] | null = null;
  readonly #listeners = new Set<() => void>();
  /** Whether no more events can follow. */
  isClosed = false;

  /** The position before the oldest event kept. */
  get start(): number {
    return this.#count - this.#events.length;
  }

  /** The position after the newest event. */
  get end(): number {
    return this.#count;
  }

  get state(): EventLogState {
    return { epoch: this.#epoch, count: this.#count, events: this.#events };
  }

  add(change: TerminalChange, subject: Subject): void {
    if (this.#heldBack !== null) return void this.#heldBack.push({ change, subject });
    this.#count++;
    const event = { ...change, id: `${this.#epoch}-${this.#count}`, at: new Date().toISOString() };
    this.#events.push({ event, ...subject });
    if (this.#events.length > MAX_KEPT_EVENTS) this.#events.shift();
    this.#wake();
  }

  /** Returns the event that ends at a position: after `start`, and not after `end`. */
  eventAt(position: number): LoggedEvent {
    return this.#events[position - this.start - 1]!;
  }

  cursorAt(position: number): string {
    return `${this.#epoch}.${position}`;
  }

  /** Returns the position of a cursor, or `UNKNOWN_POSITION` for a cursor of another log or any other text. */
  positionOf(cursor: string): number {
    if (cursor === START_OF_LOG) return 0;
    const [, epoch, position] = CURSOR.exec(cursor) ?? [];
    const isKnown = epoch === this.#epoch && Number(position) <= this.#count;
    return isKnown ? Number(position) : UNKNOWN_POSITION;
  }

  /** Calls back after each event, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Continues another process's log, followed by what this process has logged so far. */
  resume({ epoch, count, events }: EventLogState): void {
    const own = this.#events;
    this.#epoch = epoch;
    this.#count = count;
    this.#events = [...events];
    for (const { event, ...subject } of own) this.add(event, subject);
  }

  /** Holds back all changes from now on: the process that takes over the terminals reports them instead. */
  holdBack(): void {
    this.#heldBack = [];
  }

  /** Undoes `holdBack`. */
  release(): void {
    const heldBack = this.#heldBack ?? [];
    this.#heldBack = null;
    for (const { change, subject } of heldBack) this.add(change, subject);
  }

  close(): void {
    this.isClosed = true;
    this.#wake();
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }
}
