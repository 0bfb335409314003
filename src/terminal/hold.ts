/**
 * Tracks whether a caller holds a terminal, and decides which calls the hold permits. A hold ends when its holder
 * releases it, when another caller takes it, or when its holder has made no call for a while. A program waits only for
 * the client of its holder.
 */
import { randomUUID } from 'node:crypto';
import type { Controlled, ControlRequest, Holder } from '../contract/control.js';
import { monotonicMs } from '../clock.js';
import { TerminalError } from '../errors.js';
import { BackPressure } from './back-pressure.js';

/** The state for a hand-off. Times are on the monotonic clock, except `since`. */
export interface HoldState {
  readonly name: string;
  readonly since: string;
  readonly token: string;
  readonly holdMs: number;
  readonly until: number;
}

export class Hold {
  readonly pressure = new BackPressure();
  readonly #onChange: (holder: Holder) => void;
  #state: HoldState | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param onChange - Called when the holder has changed, or the terminal is no longer held. */
  constructor(onChange: (holder: Holder) => void) {
    this.#onChange = onChange;
  }

  get state(): HoldState | null {
    return this.#state;
  }

  get holder(): Holder {
    return this.#state && { name: this.#state.name, since: this.#state.since };
  }

  /**
   * @param token - The caller's token, if it has one.
   * @throws `TERMINAL_HELD` if a caller releases a terminal that another caller holds.
   */
  control(request: ControlRequest & { readonly name: string }, token?: string): Controlled {
    if (request.action === 'take') this.#take(request, token);
    else this.#admit(token);
    if (request.action === 'release') this.close();
    return this.#controlled();
  }

  /** Continues a hold that began in another process. */
  resume(state: HoldState | null): void {
    this.#set(state);
  }

  /** Takes the terminal; always succeeds. A holder that takes it again keeps its token. */
  #take({ name, holdMs }: { readonly name: string; readonly holdMs: number }, token?: string): void {
    const isHolder = this.#isOf(token);
    const since = isHolder ? this.#state!.since : new Date().toISOString();
    const isRenamed = !isHolder || this.#state!.name !== name;
    if (!isHolder) this.pressure.stop();
    this.#set({ name, since, token: isHolder ? token : randomUUID(), holdMs, until: monotonicMs() + holdMs });
    if (isRenamed) this.#onChange(this.holder);
  }

  /**
   * Admits the holder and renews its hold. Admits other callers if the terminal is not held or the call does not need
   * the hold.
   *
   * @throws `TERMINAL_HELD` if another caller holds the terminal and the call needs the hold.
   */
  check(token: string | undefined, isNeeded: boolean): void {
    if (isNeeded || this.#isOf(token)) this.#admit(token);
    if (isNeeded) this.pressure.heard();
  }

  /** Call when the holder's client has drawn the output up to `offset`; null means that it no longer reports this. */
  drawn(offset: number | null, end: number): void {
    if (offset === null) this.pressure.stop();
    else if (this.#state !== null) this.pressure.drawn(offset, end);
  }

  #isOf(token: string | undefined): token is string {
    return this.#state !== null && this.#state.token === token;
  }

  #admit(token: string | undefined): void {
    if (this.#state === null) return;
    if (this.#isOf(token)) return this.#set({ ...this.#state, until: monotonicMs() + this.#state.holdMs });
    const { name, since } = this.#state;
    const message =
      `${name} has held this terminal since ${since}: for now, you can only read it, answer questions, send signals, ` +
      'or interrupt and end it';
    throw new TerminalError('TERMINAL_HELD', message, { holder: this.holder });
  }

  /** Ends the hold, if any. */
  close(): void {
    if (this.#state === null) return;
    this.#set(null);
    this.pressure.stop();
    this.#onChange(null);
  }

  #set(state: HoldState | null): void {
    this.#state = state;
    clearTimeout(this.#timer);
    if (state === null) return;
    this.#timer = setTimeout(() => this.close(), Math.max(0, state.until - monotonicMs()));
    this.#timer.unref();
  }

  #controlled(): Controlled {
    const { token = null, until } = this.#state ?? {};
    const expiresAt = until === undefined ? null : new Date(Date.now() + until - monotonicMs()).toISOString();
    return { holder: this.holder, token, expiresAt };
  }
}
