/**
 * Keeps a client's hold on a terminal. Renews it while the client is connected, and lets it expire some time after the
 * client has disconnected, so that the client can reconnect and take the hold again before another caller types.
 */
import type { ControlTerminal } from '../contract/control.js';
import type { TerminalManager } from '../contract/manager.js';
import { TerminalError, type ErrorCode } from '../errors.js';

/** Time that a hold lasts after its client has disconnected. */
const HOLD_MS = 30_000;
const RENEW_MS = 10_000;
/**
 * Errors that mean that the hold is lost, because another caller has taken it or the terminal has ended. Every further
 * call would fail in the same way.
 */
const LOST: readonly ErrorCode[] = ['TERMINAL_HELD', 'TERMINAL_INACTIVE', 'TERMINAL_NOT_FOUND'];

export class KeptHold {
  readonly #manager: TerminalManager;
  readonly #id: string;
  readonly #closed: AbortSignal;
  #token: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** How far the client has drawn the output, or null if the client does not report that. */
  #drawn: number | null = null;
  #isReporting = false;

  /** @param closed - Aborts when the client has disconnected. */
  constructor(manager: TerminalManager, id: string, closed: AbortSignal) {
    this.#manager = manager;
    this.#id = id;
    this.#closed = closed;
    closed.addEventListener('abort', () => this.#leave(), { once: true });
  }

  /** The token for calls, or undefined if this client does not hold the terminal. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Whether the client reports what it has drawn. */
  get isDrawing(): boolean {
    return this.#drawn !== null;
  }

  async control({ action, name }: Pick<ControlTerminal, 'action' | 'name'>): Promise<void> {
    const request = { action, name, holdMs: HOLD_MS };
    const { token } = await this.#manager.control(this.#id, request, { hold: this.#token });
    clearInterval(this.#timer);
    this.#token = token ?? undefined;
    this.#drawn = null;
    if (token === null || this.#closed.aborted) return;
    this.#timer = setInterval(() => void this.#renew(token), RENEW_MS).unref();
  }

  /**
   * Reports that the client has drawn the output up to `offset`. If reports arrive faster than they are passed on, only
   * the last is passed on. Does nothing if this client does not hold the terminal.
   */
  async drawn(offset: number): Promise<void> {
    if (this.#token === undefined || this.#closed.aborted) return;
    this.#drawn = offset;
    if (this.#isReporting) return;
    this.#isReporting = true;
    await this.#report().finally(() => (this.#isReporting = false));
  }

  /** Reports that the client is still connected although it is drawing nothing. */
  async stillThere(): Promise<void> {
    if (this.#drawn !== null) await this.drawn(this.#drawn);
  }

  async #report(): Promise<void> {
    for (let reported = -1; this.#drawn !== null && reported !== this.#drawn;) {
      reported = this.#drawn;
      try {
        await this.#manager.drawn(this.#id, reported, { hold: this.#token });
      } catch (error) {
        this.#drawn = null;
        if (!this.#isLostBy(error)) throw error;
      }
    }
  }

  async #renew(hold: string): Promise<void> {
    const renewed = this.#manager.control(this.#id, { action: 'renew' }, { hold });
    // Any other failure concerns only this attempt.
    await renewed.catch((error: unknown) => this.#isLostBy(error));
  }

  #isLostBy(error: unknown): boolean {
    const isLost = error instanceof TerminalError && LOST.includes(error.code);
    if (!isLost) return false;
    clearInterval(this.#timer);
    this.#token = undefined;
    return true;
  }

  /** Stops renewing and reporting, so that the program does not wait for a client that has disconnected. */
  #leave(): void {
    clearInterval(this.#timer);
    if (this.#drawn === null) return;
    this.#drawn = null;
    void this.#manager.drawn(this.#id, null, { hold: this.#token }).catch(() => {});
  }
}
