/** Types into a terminal what comes from stdin: in order, as much at a time as has come. It knows no stdin. */
import type { TerminalManager } from '../../contract/manager.js';
import { TerminalError } from '../../errors.js';
import { typeRaw } from '../typing.js';

export interface TypistOptions {
  /** Called before each text is typed. */
  before?(text: string): Promise<void>;
  /** Called when all that came is typed. */
  onIdle?(): void;
  /** Called once, with what keeps it from typing on. */
  onError(error: unknown): void;
}

/** The program has ended: whoever follows its output is told. */
const ENDED = ['TERMINAL_INACTIVE', 'TERMINAL_NOT_FOUND'];

export class Typist {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #options: TypistOptions;
  #waiting = '';
  #typing: Promise<void> | undefined;
  #isOver = false;

  constructor(manager: TerminalManager, id: string, options: TypistOptions) {
    this.#manager = manager;
    this.#id = id;
    this.#options = options;
  }

  /** Characters that wait. */
  get backlog(): number {
    return this.#waiting.length;
  }

  type(text: string): void {
    if (this.#isOver) return;
    this.#waiting += text;
    this.#typing ??= this.#typeAll();
  }

  /** Resolves when all that was given is typed, or cannot be. */
  async done(): Promise<void> {
    await this.#typing;
  }

  async #typeAll(): Promise<void> {
    try {
      while (this.#waiting !== '') {
        const text = this.#waiting;
        this.#waiting = '';
        await this.#options.before?.(text);
        await typeRaw(this.#manager, this.#id, text);
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#typing = undefined;
    this.#options.onIdle?.();
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    this.#waiting = '';
    if (!(error instanceof TerminalError) || !ENDED.includes(error.code)) this.#options.onError(error);
  }
}
