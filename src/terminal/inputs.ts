/** Counts what is typed into a terminal: how often, when, how much. Never what. */
import type { TerminalDetail } from '../contract/terminal.js';
import { isoTime } from './held-terminal.js';

/** Inputs whose time and size are kept. */
const MAX_RECENT_INPUTS = 100;

export interface InputsState {
  readonly count: number;
  readonly recent: readonly { readonly time: number; readonly bytes: number }[];
}

export class Inputs {
  #count: number;
  readonly #recent: { time: number; bytes: number }[];

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

  add(time: number, bytes: number): void {
    this.#count++;
    this.#recent.push({ time, bytes });
    if (this.#recent.length > MAX_RECENT_INPUTS) this.#recent.shift();
  }
}
