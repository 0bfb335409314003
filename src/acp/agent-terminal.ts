/**
 * One terminal that an agent uses: what it prints is taken in from its start on, told to whoever shows it, and kept for
 * the agent; its end is known when all of that has come. It knows neither sessions nor the protocol.
 */
import type { TerminalEvent } from '../contract/event.js';
import type { Subscription, TerminalManager } from '../contract/manager.js';
import type { TerminalDetail } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';
import type { TerminalExit } from './display.js';
import type { RetainedText } from './retained-output.js';

/** Keeps output for the agent. */
export interface KeptOutput {
  add(bytes: Uint8Array): void;
  /** Some of the output is gone before it could be taken in. */
  lose(): void;
  /** The command has ended. */
  end(): void | Promise<void>;
  read(): RetainedText | Promise<RetainedText>;
}

/** Told of the terminal as things happen. */
export interface TerminalListener {
  output(bytes: Uint8Array): void;
  ended(exit: TerminalExit): void;
}

/** How a command ended whose terminal is gone, nobody knows how. */
const UNKNOWN_EXIT: TerminalExit = { exitCode: null, signal: null };

/** It was removed before it was asked. */
const NOBODY_KNOWS: Partial<TerminalDetail> = {};

export class AgentTerminal {
  readonly id: string;
  readonly #manager: TerminalManager;
  readonly #kept: KeptOutput;
  readonly #listener: TerminalListener;
  readonly #ended: Promise<TerminalExit>;
  /** Settled when the last `kill` was answered. */
  #killed = Promise.resolve();
  #settle!: (exit: TerminalExit) => void;
  #exit: TerminalExit | null = null;
  #subscription: Subscription | undefined;

  constructor(manager: TerminalManager, id: string, kept: KeptOutput, listener: TerminalListener) {
    this.#manager = manager;
    this.id = id;
    this.#kept = kept;
    this.#listener = listener;
    this.#ended = new Promise((resolve) => (this.#settle = resolve));
  }

  /** Begins to take in what it prints, from the first byte on. */
  async follow(): Promise<void> {
    this.#subscription = await this.#manager.subscribe(this.id, 0);
    void this.#take(this.#subscription);
  }

  /** How the command ended, once all it printed is there; null until then. */
  get exit(): TerminalExit | null {
    return this.#exit;
  }

  async output(): Promise<RetainedText> {
    return this.#kept.read();
  }

  /** Resolves when the command has ended and all it printed is there. Ends with the reason of `signal`, and nothing else does. */
  untilExit(signal?: AbortSignal): Promise<TerminalExit> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const cancel = (): void => reject(signal?.reason as Error);
      signal?.addEventListener('abort', cancel, { once: true });
      void this.#ended.then(async (exit) => {
        await this.#killed;
        signal?.removeEventListener('abort', cancel);
        resolve(exit);
      });
    });
  }

  /**
   * Ends the command and all it started, and resolves when the last of their output is there. Who waits for the end is
   * told after that: some agents release a terminal that they believe has ended by itself, while they still ask for it.
   *
   * @throws `KILL_FAILED`
   */
  async kill(): Promise<void> {
    const killing = this.#manager.kill(this.id).catch(ignoreGone);
    this.#killed = Promise.allSettled([killing, this.#ended]).then(nextTurn);
    await killing;
    await this.#ended;
  }

  /** As `kill`, and frees all that is held. Whoever waits for the end is answered. @throws `KILL_FAILED` */
  async release(): Promise<void> {
    try {
      await this.#manager.remove(this.id).catch(ignoreGone);
    } catch (error) {
      this.#subscription?.close();
      throw error;
    }
    if (this.#subscription === undefined) await this.#end(UNKNOWN_EXIT);
    await this.#ended;
  }

  async #take(events: Subscription): Promise<void> {
    try {
      for await (const event of events) await this.#takeEvent(event);
    } catch {
      // What held the terminal is gone for good, and the terminal with it.
    } finally {
      await this.#end(UNKNOWN_EXIT);
    }
  }

  async #takeEvent(event: TerminalEvent): Promise<void> {
    if (event.type === 'output') {
      this.#kept.add(event.bytes);
      if (this.#exit === null) this.#tell(() => this.#listener.output(event.bytes));
    } else if (event.type === 'gap') this.#kept.lose();
    else if (event.type === 'exit') await this.#end(await this.#limited(event));
  }

  /** With the time limit, where that has ended it. */
  async #limited({ exitCode, signal }: TerminalExit): Promise<TerminalExit> {
    const { endedBy = null, timeLimitMs = null } = await this.#manager.get(this.id).catch(() => NOBODY_KNOWS);
    const isLimited = endedBy?.reason === 'time_limit' && timeLimitMs !== null;
    return { exitCode, signal, ...(isLimited && { timeLimitMs }) };
  }

  async #end(exit: TerminalExit): Promise<void> {
    if (this.#exit !== null) return;
    await this.#kept.end();
    this.#exit = exit;
    this.#tell(() => this.#listener.ended(exit));
    this.#settle(exit);
  }

  /** What goes wrong where a terminal is shown is nobody's concern here. */
  #tell(say: () => void): void {
    try {
      say();
    } catch {
      // As it says above.
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** It was removed by somebody else, or expired: nothing is left to end. */
function ignoreGone(error: unknown): void {
  if (error instanceof TerminalError && error.code === 'TERMINAL_NOT_FOUND') return;
  throw error;
}
