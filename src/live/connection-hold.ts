/**
 * The hold of one connection on its terminal. It is renewed while the connection is open, and ends some time after that
 * is lost, so that a client can reconnect and take it again before another caller types.
 */
import type { ControlTerminal } from '../contract/control.js';
import type { TerminalManager } from '../contract/manager.js';

/** How long a hold lasts after its connection has ended. */
const HOLD_MS = 30_000;
const RENEW_MS = 10_000;

export interface HeldBy {
  readonly manager: TerminalManager;
  readonly terminalId: string;
  readonly name: string;
}

export class ConnectionHold {
  readonly #by: HeldBy;
  #token: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(by: HeldBy, closed: AbortSignal) {
    this.#by = by;
    closed.addEventListener('abort', () => clearInterval(this.#timer), { once: true });
  }

  /** The token for calls; undefined if this connection does not hold the terminal. */
  get hold(): string | undefined {
    return this.#token;
  }

  async control({ action, name = this.#by.name }: Pick<ControlTerminal, 'action' | 'name'>): Promise<void> {
    const { manager, terminalId } = this.#by;
    const { token } = await manager.control(terminalId, { action, name, holdMs: HOLD_MS }, { hold: this.#token });
    clearInterval(this.#timer);
    this.#token = token ?? undefined;
    if (token !== null) this.#timer = setInterval(() => void this.#renew(token), RENEW_MS).unref();
  }

  async #renew(token: string): Promise<void> {
    const { manager, terminalId } = this.#by;
    const renewed = manager.control(terminalId, { action: 'renew' }, { hold: token });
    // Another caller has taken it, or the terminal has ended: every further call says so.
    await renewed.catch(() => clearInterval(this.#timer));
  }
}
