/** Records how often, when and how much is typed into a terminal and who types it, but never what. */
import type { Caller } from '../../contract/caller.js';
import type { InputOrder, WriteOptions } from '../../contract/manager.js';
import type { TerminalDetail } from '../../contract/terminal.js';
import { isoTime } from '../base-terminal.js';

/** Number of inputs whose time, size and idempotency key are kept. */
const MAX_RECENT_INPUTS = 100;
const MAX_WRITERS = 100;

interface RecentInput {
  readonly time: number;
  readonly bytes: number;
  readonly key?: string | undefined;
}

/** The part that callers see. */
type ShownInputs = Pick<TerminalDetail, 'inputCount' | 'recentInputs' | 'lastTypedBy'>;

export interface InputHistoryState {
  readonly count: number;
  readonly recent: readonly RecentInput[];
  /** The highest number of each writer; the writer that typed last comes last. */
  readonly writers: readonly (readonly [writer: string, seq: number])[];
  readonly by?: Caller | null;
}

export class InputHistory {
  #count: number;
  readonly #recent: RecentInput[];
  readonly #writers: Map<string, number>;
  /** Who typed last. */
  #by: Caller | null;

  /** @param state - The `state` of an earlier instance. */
  constructor({ count, recent, writers, by = null }: InputHistoryState = { count: 0, recent: [], writers: [] }) {
    this.#count = count;
    this.#recent = [...recent];
    this.#writers = new Map(writers);
    this.#by = by;
  }

  /** The complete state, for a hand-off. */
  get state(): InputHistoryState {
    return { count: this.#count, recent: this.#recent, writers: [...this.#writers], by: this.#by };
  }

  get count(): number {
    return this.#count;
  }

  /** Who typed last. */
  get by(): Caller | null {
    return this.#by;
  }

  get shown(): ShownInputs {
    const recentInputs = this.#recent.map(({ time, bytes }) => ({ time: isoTime(time), bytes }));
    return { inputCount: this.#count, recentInputs, lastTypedBy: this.#by };
  }

  /** Returns whether a recent input has this key, or the writer has already typed this input or a later one. */
  has({ key, order }: Pick<WriteOptions, 'key' | 'order'>): boolean {
    if (order !== undefined && order.seq <= (this.#writers.get(order.writer) ?? -1)) return true;
    return key !== undefined && this.#recent.some((input) => input.key === key);
  }

  add(input: RecentInput, { order, by }: Pick<WriteOptions, 'order' | 'by'>): void {
    this.#count++;
    this.#by = by ?? null;
    if (order !== undefined) this.#note(order);
    this.#recent.push(input);
    if (this.#recent.length > MAX_RECENT_INPUTS) this.#recent.shift();
  }

  #note({ writer, seq }: InputOrder): void {
    this.#writers.delete(writer);
    this.#writers.set(writer, seq);
    if (this.#writers.size > MAX_WRITERS) this.#writers.delete(this.#writers.keys().next().value!);
  }
}
