/** Records how often, when and how much is typed into a terminal, but never what. */
import type { InputOrder, WriteOptions } from '../contract/manager.js';
import type { TerminalDetail } from '../contract/terminal.js';
import { isoTime } from './held-terminal.js';

/** Number of inputs whose time, size and idempotency key are kept. */
const MAX_RECENT_INPUTS = 100;
const MAX_WRITERS = 100;

interface RecentInput {
  readonly time: number;
  readonly bytes: number;
  readonly key?: string | undefined;
}

export interface InputsState {
  readonly count: number;
  readonly recent: readonly RecentInput[];
  /** The highest number of each writer, in the order in which they last typed. */
  readonly writers: readonly (readonly [writer: string, seq: number])[];
}

export class Inputs {
  #count: number;
  readonly #recent: RecentInput[];
  readonly #writers: Map<string, number>;

  /** @param state - The `state` of an earlier instance. */
  constructor({ count, recent, writers }: InputsState = { count: 0, recent: [], writers: [] }) {
    this.#count = count;
    this.#recent = [...recent];
    this.#writers = new Map(writers);
  }

  /** The complete state, for a hand-off. */
  get state(): InputsState {
    return { count: this.#count, recent: this.#recent, writers: [...this.#writers] };
  }

  get count(): number {
    return this.#count;
  }

  /** The most recent inputs, oldest first. */
  get recent(): TerminalDetail['recentInputs'] {
    return this.#recent.map(({ time, bytes }) => ({ time: isoTime(time), bytes }));
  }

  /** Whether one of the most recent inputs has this key, or its writer has typed this or a later one. */
  has({ key, order }: Pick<WriteOptions, 'key' | 'order'>): boolean {
    if (order !== undefined && order.seq <= (this.#writers.get(order.writer) ?? -1)) return true;
    return key !== undefined && this.#recent.some((input) => input.key === key);
  }

  add(input: RecentInput, order?: InputOrder): void {
    this.#count++;
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
