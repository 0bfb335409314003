/** A session of an agent: its directory and its terminals, those that are just being made included. */
import { invalidInput } from '../errors.js';
import type { TerminalError } from '../errors.js';
import type { AgentTerminal } from './agent-terminal.js';

export class AcpSession {
  /** Absolute. */
  cwd: string;
  readonly #terminals = new Map<string, AgentTerminal>();
  readonly #beginning = new Set<Promise<unknown>>();
  readonly #ending = new Set<Promise<unknown>>();
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

  /** Its id means nothing from now on; nothing happens if it means nothing already. @throws `KILL_FAILED` */
  async release(terminalId: string): Promise<void> {
    const terminal = this.#terminals.get(terminalId);
    if (terminal === undefined) return;
    this.#terminals.delete(terminalId);
    const ending = terminal.release();
    this.#ending.add(ending);
    try {
      await ending;
    } finally {
      this.#ending.delete(ending);
    }
  }

  /**
   * Releases all terminals, and resolves when they are gone: those too that are being released already. Those that would
   * not end are left to the manager, which tries again.
   */
  async close(reason: Error): Promise<void> {
    this.#closed.abort(reason);
    await Promise.allSettled(this.#beginning);
    await Promise.allSettled([...this.#ending, ...[...this.#terminals.keys()].map((id) => this.release(id))]);
  }
}

/** What an agent is told that names a session which is not one of its own. */
export function noSuchSession(sessionId: string): TerminalError {
  const expected = 'the id of an open session';
  return invalidInput({ field: 'sessionId', message: 'there is no such session', given: sessionId, expected });
}
