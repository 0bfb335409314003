/**
 * Types text into a terminal, in order; each batch contains everything that has arrived. While the terminal is not
 * responding, keeps a limited amount of text and reports any loss. Does not read stdin itself.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Holder } from '../../contract/control.js';
import type { TerminalManager } from '../../contract/manager.js';
import { TerminalError } from '../../errors.js';
import { pieces, typeRaw } from '../typing.js';

export interface InputSenderOptions {
  /** Called with each batch of text before it is typed. */
  before?(text: string): Promise<void>;
  /** Called when all text has been typed. */
  onIdle?(): void;
  /**
   * Called when the terminal stops responding. From then on, text is kept. Without this callback, a terminal that does
   * not respond is an error.
   */
  onStall?(error: TerminalError): void;
  /** Called when the terminal responds again. */
  onResume?(): void;
  /**
   * Called when text is dropped because another caller holds the terminal. Without this callback, a held terminal is an
   * error.
   */
  onHeld?(holder: NonNullable<Holder>): void;
  /** Called once, with the error that prevents further typing. */
  onError(error: unknown): void;
}

/** Codes that mean that the program has ended, which the code that follows its output reports. */
const ENDED = ['TERMINAL_INACTIVE', 'TERMINAL_NOT_FOUND'];
/**
 * Maximum amount of text that is kept while the terminal is not responding: more than a person types without an echo.
 */
const MAX_KEPT_UNITS = 64 << 10;
const RETRY_MS = 250;

export class InputSender {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #options: InputSenderOptions;
  #waiting = '';
  #sending: Promise<void> | undefined;
  #isStalled = false;
  #isOver = false;
  #dropped = 0;

  constructor(manager: TerminalManager, id: string, options: InputSenderOptions) {
    this.#manager = manager;
    this.#id = id;
    this.#options = options;
  }

  /** Number of characters waiting to be typed. */
  get backlog(): number {
    return this.#waiting.length;
  }

  /** Number of characters that have been accepted but not yet typed. */
  get unsentLength(): number {
    return this.#waiting.length + this.#dropped;
  }

  send(text: string): void {
    if (this.#isOver) return;
    const isTooMuch = this.#isStalled && this.#waiting.length + text.length > MAX_KEPT_UNITS;
    if (isTooMuch) this.#dropped += text.length;
    else this.#waiting += text;
    this.#sending ??= this.#sendAll();
  }

  /**
   * Resolves when all text has been typed or can no longer be typed. If the terminal is not responding, resolves
   * immediately and types nothing more.
   */
  async done(): Promise<void> {
    if (this.#isStalled) this.#isOver = true;
    else await this.#sending;
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#waiting !== '' && !this.#isOver) await this.#sendFirst();
    } catch (error) {
      this.#fail(error);
    }
    this.#sending = undefined;
    this.#options.onIdle?.();
  }

  async #sendFirst(): Promise<void> {
    const text = pieces(this.#waiting)[0]!;
    try {
      await this.#options.before?.(text);
    } catch (error) {
      return this.#stall(error);
    }
    this.#waiting = this.#waiting.slice(text.length);
    try {
      await typeRaw(this.#manager, this.#id, text);
      this.#resume();
    } catch (error) {
      if (this.#isHeld(error)) return;
      // Text that was already sent to the host may still be typed; sending it again could type it twice.
      if (!wasSent(error)) this.#waiting = text + this.#waiting;
      await this.#stall(error);
    }
  }

  #isHeld(error: unknown): boolean {
    if (!(error instanceof TerminalError) || error.code !== 'TERMINAL_HELD') return false;
    this.#options.onHeld?.(error.details['holder'] as NonNullable<Holder>);
    return this.#options.onHeld !== undefined;
  }

  /**
   * Waits before the next attempt.
   *
   * @throws Any error other than a missing response.
   */
  async #stall(error: unknown): Promise<void> {
    const isSilent = error instanceof TerminalError && error.code === 'HOST_UNRESPONSIVE';
    if (!isSilent || this.#options.onStall === undefined) throw error;
    if (!this.#isStalled) this.#options.onStall(error);
    this.#isStalled = true;
    await pause(RETRY_MS);
  }

  #resume(): void {
    if (!this.#isStalled) return;
    this.#isStalled = false;
    this.#options.onResume?.();
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    const hasEnded = error instanceof TerminalError && ENDED.includes(error.code);
    if (hasEnded) this.#waiting = '';
    else this.#options.onError(error);
  }
}

function wasSent(error: unknown): boolean {
  return error instanceof TerminalError && error.details['wasSent'] === true;
}
