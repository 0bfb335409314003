/**
 * Signals that a client is connected by sending a request to each of its terminals at intervals. If the requests stop,
 * the engine, which outlives this process however it ends, knows that the client has disconnected.
 */
import type { TerminalManager } from '../contract/manager.js';
import { NO_OUTPUT } from '../contract/output.js';
import type { CreateTerminal } from '../contract/terminal.js';
import { once } from './once.js';

export const CLOSE_MODES = ['idle', 'keep', 'end'] as const;
/** What happens to the terminals of a client that has disconnected: idle shells end, all terminals stay, or all end. */
export type CloseMode = (typeof CLOSE_MODES)[number];

type Connection = CreateTerminal['connection'];

/**
 * Long enough to restart the client or the machine. A client that is connected but makes no calls keeps renewing its
 * presence, so its terminals do not end.
 */
const CONNECTIONS: Readonly<Record<CloseMode, Connection>> = {
  idle: { timeoutMs: 10 * 60_000, ends: 'idle' },
  keep: undefined,
  end: { timeoutMs: 2 * 60_000, ends: 'all' },
};
/** Frequent enough that a few requests may be lost. */
const RENEW_EVERY_MS = 20_000;

export interface PresenceOptions {
  /** Default: `idle`. */
  readonly mode?: CloseMode;
  /** Overrides the timeout of the mode. */
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

  /** @param ids - Returns the ids of the terminals in the client's namespace, whatever created them. */
  constructor(manager: TerminalManager, ids: () => Promise<readonly string[]>, options: PresenceOptions = {}) {
    const { mode = 'idle', connection = CONNECTIONS[mode], everyMs = RENEW_EVERY_MS } = options;
    this.#manager = manager;
    this.#ids = ids;
    this.#connection = connection;
    this.#everyMs = everyMs;
  }

  /** Options that connect new terminals to the client, or none if the client's disconnection cannot be detected. */
  get creation(): Pick<CreateTerminal, 'connection'> {
    return this.#clients > 0 && this.#connection !== undefined ? { connection: this.#connection } : {};
  }

  /** Marks a client as connected until the returned function is called. */
  hold(): () => void {
    this.#clients++;
    if (this.#clients === 1) this.#timer = setInterval(() => void this.#renew(), this.#everyMs).unref();
    // Renewed immediately, because a returning client may already have terminals.
    void this.#renew();
    return once(() => {
      this.#clients--;
      if (this.#clients === 0) clearInterval(this.#timer);
    });
  }

  /** Renews the presence. If a terminal cannot be reached, tries it again the next time. */
  async #renew(): Promise<void> {
    const ids = await this.#ids().catch(() => []);
    await Promise.all(ids.map((id) => this.#manager.read(id, NO_OUTPUT).catch(() => undefined)));
  }
}
