/**
 * Says for as long as a client is connected that it is there: something is asked of each of its terminals every now and
 * then, so that the engine, which outlives this process however it ends, can tell when it has gone. It knows no transport.
 */
import type { TerminalManager } from '../contract/manager.js';
import { NO_OUTPUT } from '../contract/output.js';
import type { CreateTerminal } from '../contract/terminal.js';

export const CLOSE_MODES = ['idle', 'keep', 'end'] as const;
/** What becomes of terminals whose client has gone: idle shells end, all stay, or all end. */
export type CloseMode = (typeof CLOSE_MODES)[number];

type Connection = CreateTerminal['connection'];

/** Long enough to start a client anew, or the machine; and an hour's silence of a client that is there is no end. */
const CONNECTIONS: Readonly<Record<CloseMode, Connection>> = {
  idle: { timeoutMs: 10 * 60_000, ends: 'idle' },
  keep: undefined,
  end: { timeoutMs: 2 * 60_000, ends: 'all' },
};
/** Often enough to miss a few. */
const RENEW_EVERY_MS = 20_000;

export interface PresenceOptions {
  /** Default: `idle`. */
  readonly mode?: CloseMode;
  /** Instead of the mode's own. */
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

  /** @param ids - Of the terminals of the client's namespace, by whoever made. */
  constructor(manager: TerminalManager, ids: () => Promise<readonly string[]>, options: PresenceOptions = {}) {
    const { mode = 'idle', connection = CONNECTIONS[mode], everyMs = RENEW_EVERY_MS } = options;
    this.#manager = manager;
    this.#ids = ids;
    this.#connection = connection;
    this.#everyMs = everyMs;
  }

  /** What new terminals are to be told of their client; nothing where nobody knows when it goes. */
  get creation(): Pick<CreateTerminal, 'connection'> {
    return this.#clients > 0 && this.#connection !== undefined ? { connection: this.#connection } : {};
  }

  /** A client is there, until the answer is called. */
  hold(): () => void {
    this.#clients++;
    if (this.#clients === 1) this.#timer = setInterval(() => void this.#renew(), this.#everyMs).unref();
    // Whoever comes back finds the terminals of before.
    void this.#renew();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#clients--;
      if (this.#clients === 0) clearInterval(this.#timer);
    };
  }

  /** One that cannot be asked now is asked the next time. */
  async #renew(): Promise<void> {
    const ids = await this.#ids().catch(() => []);
    await Promise.all(ids.map((id) => this.#manager.read(id, NO_OUTPUT).catch(() => undefined)));
  }
}
