/** Defines the events that a display receives while an agent is using terminals: start, output and end. */

/** How a command ended: with an exit code, by a signal (`SIGTERM`), or with neither if this is unknown. */
export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The policy's time limit; present only if it ended the command. */
  readonly timeLimitMs?: number;
}

export interface ShownTerminal {
  /** The id that the agent uses for the terminal. Unique for the lifetime of the connection. */
  readonly terminalId: string;
  readonly sessionId: string;
  /** The command as a person would type it, or null if the agent does not specify it. */
  readonly command: string | null;
  /** The directory as an absolute path, or null if the agent does not specify it. */
  readonly cwd: string | null;
}

/** A command that was not allowed to run. */
export interface RefusedCommand extends Omit<ShownTerminal, 'terminalId'> {
  /** The reason, written for people. */
  readonly reason: string;
}

/**
 * Receives the events of terminals. Its methods are called in order, and never after `ended` for the same terminal.
 * Errors that they throw are ignored.
 */
export interface TerminalDisplay {
  started(terminal: ShownTerminal): void;
  /** Receives raw output of the program, in chunks of any size. */
  output(terminalId: string, data: Uint8Array): void;
  ended(terminalId: string, exit: TerminalExit): void;
  /** Receives a command that the policy does not allow and for which there is therefore no terminal. */
  refused?(command: RefusedCommand): void;
}
