/** Records how often, when and how much is typed into a terminal, but never what. */
import type { TerminalDetail } from '../contract/terminal.js';
import { isoTime } from './held-terminal.js';

/** Number of inputs whose time, size and idempotency key are kept. */
const MAX_RECENT_INPUTS = 100;

interface RecentInput {
  readonly time: number;
  readonly bytes: number;
  readonly key?: string | undefined;
}

export interface InputsState {
  readonly count: number;
  readonly recent: readonly RecentInput[];
}

export class Inputs {
  #count: number;
  readonly #recent: RecentInput[];

  /** @param state - The `state` of an earlier instance. */
  constructor({ count, recent }: InputsState = { count: 0, recent: [] }) {
    this.#count = count;
    this.#recent = [...recent];
  }

  /** The complete state, for a hand-off. */
  get state(): InputsState {
    return { count: this.#count, recent: this.#recent };
  }

  get count(): number {
    return this.#count;
  }

  /** The most recent inputs, oldest first. */
  get recent(): TerminalDetail['recentInputs'] {
    return this.#recent.map(({ time, bytes }) => ({ time: isoTime(time), bytes }));
  }

  /** Whether one of the most recent inputs has this key. */
  has(key: string | undefined): boolean {
    return key !== undefined && this.#recent.some((input) => input.key === key);
  }

  add(input: RecentInput): void {
    this.#count++;
    this.#recent.push(input);
    if (this.#recent.length > MAX_RECENT_INPUTS) this.#recent.shift();
  }
}
