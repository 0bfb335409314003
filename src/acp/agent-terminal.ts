/**
 * Follows a terminal that an agent uses: reads its output from the start, passes it to the display, and keeps it for
 * the agent. Reports the end only after all output has arrived.
 */
import type { TerminalEvent } from '../contract/event.js';
import type { Subscription, TerminalManager } from '../contract/manager.js';
import type { TerminalDetail } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';
import type { TerminalExit } from './display.js';
import type { RetainedText } from './retained-output.js';

/** Keeps output for the agent. */
export interface AgentOutput {
  add(bytes: Uint8Array): void;
  /** Records that part of the output was dropped before it could be read. */
  lose(): void;
  /** Records that the command has ended. */
  end(): void | Promise<void>;
  read(): RetainedText | Promise<RetainedText>;
}

/** Receives the terminal's events as they occur. */
export interface TerminalListener {
  output(bytes: Uint8Array): void;
  ended(exit: TerminalExit): void;
}

/** Stands for the exit of a command whose terminal no longer exists, so that its exit status is unknown. */
const UNKNOWN_EXIT: TerminalExit = { exitCode: null, signal: null };

/** Used if the terminal was removed before its details could be read. */
const UNKNOWN_DETAIL: Partial<TerminalDetail> = {};

export class AgentTerminal {
  readonly id: string;
  readonly #manager: TerminalManager;
  readonly #kept: AgentOutput;
  readonly #listener: TerminalListener;
  readonly #ended: Promise<TerminalExit>;
  /** Settles when the last call of `kill` has returned. */
  #killed = Promise.resolve();
  #settle!: (exit: TerminalExit) => void;
  #exit: TerminalExit | null = null;
  #subscription: Subscription | undefined;

  constructor(manager: TerminalManager, id: string, kept: AgentOutput, listener: TerminalListener) {
    this.#manager = manager;
    this.id = id;
    this.#kept = kept;
    this.#listener = listener;
    this.#ended = new Promise((resolve) => (this.#settle = resolve));
  }

  /** Starts reading the output, from the first byte. */
  async follow(): Promise<void> {
    this.#subscription = await this.#manager.subscribe(this.id, 0);
    void this.#take(this.#subscription);
  }

  /** How the command ended, or null until it has ended and all its output has been read. */
  get exit(): TerminalExit | null {
    return this.#exit;
  }

  async output(): Promise<RetainedText> {
    return this.#kept.read();
  }

  /** Resolves when the command has ended and all its output has been read. Rejects only with the reason of `signal`. */
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
   * Ends the command and all processes that it started. Resolves when their last output has been read. Pending calls of
   * `untilExit` resolve only after that, because some agents release a terminal as soon as they learn of its end, while
   * their `kill` is still pending.
   *
   * @throws `KILL_FAILED` if a process does not end.
   */
  async kill(): Promise<void> {
    const killing = this.#manager.kill(this.id).catch(ignoreGone);
    this.#killed = Promise.allSettled([killing, this.#ended]).then(nextTurn);
    await killing;
    await this.#ended;
  }

  /**
   * Ends the command as `kill` does, and frees all resources. Pending calls of `untilExit` resolve.
   *
   * @throws `KILL_FAILED` if a process does not end.
   */
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
      // The host process has exited for good, so the terminal no longer exists.
    } finally {
      await this.#end(UNKNOWN_EXIT);
    }
  }

  async #takeEvent(event: TerminalEvent): Promise<void> {
    if (event.type === 'output') {
      this.#kept.add(event.bytes);
      if (this.#exit === null) this.#notify(() => this.#listener.output(event.bytes));
    } else if (event.type === 'gap') this.#kept.lose();
    else if (event.type === 'exit') await this.#end(await this.#limited(event));
  }

  /** Adds the policy's time limit to the exit if that limit ended the command. */
  async #limited({ exitCode, signal }: TerminalExit): Promise<TerminalExit> {
    const { endedBy = null, timeLimitMs = null } = await this.#manager.get(this.id).catch(() => UNKNOWN_DETAIL);
    const isLimited = endedBy?.reason === 'time_limit' && timeLimitMs !== null;
    return { exitCode, signal, ...(isLimited && { timeLimitMs }) };
  }

  async #end(exit: TerminalExit): Promise<void> {
    if (this.#exit !== null) return;
    await this.#kept.end();
    this.#exit = exit;
    this.#notify(() => this.#listener.ended(exit));
    this.#settle(exit);
  }

  /** Notifies the display, and ignores errors that it throws. */
  #notify(notify: () => void): void {
    try {
      notify();
    } catch {
      // A faulty display must not affect the terminal.
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Ignores that a terminal no longer exists. Another client has removed it, or it has expired, so there is nothing to
 * end.
 */
function ignoreGone(error: unknown): void {
  if (error instanceof TerminalError && error.code === 'TERMINAL_NOT_FOUND') return;
  throw error;
}
