/** Defines the events that a display receives while an agent uses terminals: start, output and end. */

/** How a command ended: an exit code, or the signal that ended it (`SIGTERM`), or neither if unknown. */
export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The policy's time limit; present only if it ended the command. */
  readonly timeLimitMs?: number;
}

export interface ShownTerminal {
  /** The id by which the agent refers to it; unique for the lifetime of the connection. */
  readonly terminalId: string;
  readonly sessionId: string;
  /** As a person would type it; null if the agent does not specify it. */
  readonly command: string | null;
  /** Absolute; null if the agent does not specify it. */
  readonly cwd: string | null;
}

/** A command that was not allowed to run. */
export interface RefusedCommand extends Omit<ShownTerminal, 'terminalId'> {
  /** The reason, human-readable. */
  readonly reason: string;
}

/** Methods are called in order, and never after `ended` for the same terminal. Errors that they throw are ignored. */
export interface TerminalDisplay {
  started(terminal: ShownTerminal): void;
  /** Raw output of the program, in chunks of any size. */
  output(terminalId: string, data: Uint8Array): void;
  ended(terminalId: string, exit: TerminalExit): void;
  /** Receives a command that the policy does not allow, for which there is no terminal. */
  refused?(command: RefusedCommand): void;
}
