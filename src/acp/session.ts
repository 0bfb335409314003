/** A session of an agent: its directory and its terminals, those that are just being made included. */
import type { AgentTerminal } from './agent-terminal.js';

export class AcpSession {
  /** Absolute. */
  cwd: string;
  readonly #terminals = new Map<string, AgentTerminal>();
  readonly #beginning = new Set<Promise<unknown>>();
  readonly #closed = new AbortController();

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  terminal(terminalId: string): AgentTerminal | undefined {
    return this.#terminals.get(terminalId);
  }

  /** Aborted when the session is closed, with the reason. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Keeps what `begin` resolves to. `close` waits for it, and releases it. */
  async add(begin: () => Promise<AgentTerminal>): Promise<AgentTerminal> {
    const beginning = begin().then((terminal) => {
      this.#terminals.set(terminal.id, terminal);
      return terminal;
    });
    this.#beginning.add(beginning);
    try {
      return await beginning;
    } finally {
      this.#beginning.delete(beginning);
    }
  }

  /** Takes a terminal out: its id means nothing any more. Undefined if it means nothing already. */
  take(terminalId: string): AgentTerminal | undefined {
    const terminal = this.#terminals.get(terminalId);
    this.#terminals.delete(terminalId);
    return terminal;
  }

  /** Releases all terminals. Those that would not end are left to the manager, which tries again. */
  async close(reason: Error): Promise<void> {
    this.#closed.abort(reason);
    await Promise.allSettled(this.#beginning);
    const terminals = [...this.#terminals.values()];
    this.#terminals.clear();
    await Promise.allSettled(terminals.map((terminal) => terminal.release()));
  }
}
