/** Represents an agent's session: its directory and its terminals, including those that are still being created. */
import { invalidInput } from '../errors.js';
import type { TerminalError } from '../errors.js';
import type { AgentTerminal } from './agent-terminal.js';

export class AcpSession {
  /** An absolute path. */
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

  /** Aborts when the session is closed, with the reason for closing it. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Keeps the terminal that `begin` resolves to. `close` waits for `begin` and releases the terminal. */
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

  /**
   * Releases a terminal and makes its id invalid immediately. Does nothing if the id is already invalid.
   *
   * @throws `KILL_FAILED` if a process does not end.
   */
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
   * Releases all terminals. Resolves when they have been removed, including those that were already being released.
   * Leaves terminals that do not end to the manager, which tries again.
   */
  async close(reason: Error): Promise<void> {
    this.#closed.abort(reason);
    await Promise.allSettled(this.#beginning);
    await Promise.allSettled([...this.#ending, ...[...this.#terminals.keys()].map((id) => this.release(id))]);
  }
}

/** Returns the error for a session id that does not identify one of the agent's sessions. */
export function noSuchSession(sessionId: string): TerminalError {
  const expected = 'the id of an open session';
  return invalidInput({
    field: 'sessionId',
    message: 'there is no open session with this id',
    given: sessionId,
    expected,
  });
}
