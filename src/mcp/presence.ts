/**
 * Signals that a client is connected by sending a request to each of its terminals at intervals. The engine outlives
 * this process, however the process ends, and can thus detect that the client has disconnected.
 */
import type { TerminalManager } from '../contract/manager.js';
import { NO_OUTPUT } from '../contract/output.js';
import type { CreateTerminal } from '../contract/terminal.js';

export const CLOSE_MODES = ['idle', 'keep', 'end'] as const;
/** What happens to terminals whose client has disconnected: idle shells end, all stay, or all end. */
export type CloseMode = (typeof CLOSE_MODES)[number];

type Connection = CreateTerminal['connection'];

/**
 * Long enough to restart the client or the machine. If a client is still connected, its silence does not end anything.
 */
const CONNECTIONS: Readonly<Record<CloseMode, Connection>> = {
  idle: { timeoutMs: 10 * 60_000, ends: 'idle' },
  keep: undefined,
  end: { timeoutMs: 2 * 60_000, ends: 'all' },
};
/** Frequent enough that a few may be missed. */
const RENEW_EVERY_MS = 20_000;

export interface PresenceOptions {
  /** Default: `idle`. */
  readonly mode?: CloseMode;
  /** Overrides the mode's own timeout. */
  readonly connection?: Connection;
  readonly everyMs?: number;
}

export class Presence {
  readonly #manager: TerminalManager;
  readonly #ids: () => Promise<readonly string[]>;
  readonly #connection: Connection;
  readonly #everyMs: number;
  #clients = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param ids - Returns the ids of the terminals in the client's namespace, no matter what created them. */
  constructor(manager: TerminalManager, ids: () => Promise<readonly string[]>, options: PresenceOptions = {}) {
    const { mode = 'idle', connection = CONNECTIONS[mode], everyMs = RENEW_EVERY_MS } = options;
    this.#manager = manager;
    this.#ids = ids;
    this.#connection = connection;
    this.#everyMs = everyMs;
  }

  /** Options about the client for new terminals; none if its disconnection cannot be detected. */
  get creation(): Pick<CreateTerminal, 'connection'> {
    return this.#clients > 0 && this.#connection !== undefined ? { connection: this.#connection } : {};
  }

  /** Marks a client as connected until the returned function is called. */
  hold(): () => void {
    this.#clients++;
    if (this.#clients === 1) this.#timer = setInterval(() => void this.#renew(), this.#everyMs).unref();
    // Renew at once: a returning client may already have terminals.
    void this.#renew();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#clients--;
      if (this.#clients === 0) clearInterval(this.#timer);
    };
  }

  /** Renews the presence. A terminal that cannot be reached now is tried again the next time. */
  async #renew(): Promise<void> {
    const ids = await this.#ids().catch(() => []);
    await Promise.all(ids.map((id) => this.#manager.read(id, NO_OUTPUT).catch(() => undefined)));
  }
}
