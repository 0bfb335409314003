/** Counts what is typed into a terminal: how often, when, how much. Never what. */
import type { TerminalDetail } from '../contract/terminal.js';
import { isoTime } from './held-terminal.js';

/** Inputs whose time, size and idempotency key are kept. */
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

  /** @param state - What `state` of another gave. */
  constructor({ count, recent }: InputsState = { count: 0, recent: [] }) {
    this.#count = count;
    this.#recent = [...recent];
  }

  /** All of it, to go on with elsewhere. */
  get state(): InputsState {
    return { count: this.#count, recent: this.#recent };
  }

  get count(): number {
    return this.#count;
  }

  /** The latest, oldest first. */
  get recent(): TerminalDetail['recentInputs'] {
    return this.#recent.map(({ time, bytes }) => ({ time: isoTime(time), bytes }));
  }

  /** Whether one with this key is among the latest. */
  has(key: string | undefined): boolean {
    return key !== undefined && this.#recent.some((input) => input.key === key);
  }

  add(input: RecentInput): void {
    this.#count++;
    this.#recent.push(input);
    if (this.#recent.length > MAX_RECENT_INPUTS) this.#recent.shift();
  }
}
