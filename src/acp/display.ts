/**
 * What whoever shows terminals is told of them while an agent uses them: when one begins, what it writes, how it ends.
 * It knows neither the protocol nor how a terminal is shown.
 */

/** How a command ended: a code, or the signal that ended it (`SIGTERM`), or neither if nobody knows. */
export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Only where the policy's time limit has ended it: that limit. */
  readonly timeLimitMs?: number;
}

export interface ShownTerminal {
  /** As the agent names it; unique for as long as the connection lasts. */
  readonly terminalId: string;
  readonly sessionId: string;
  /** As a person would type it; null where the agent does not say. */
  readonly command: string | null;
  /** Absolute, or null where the agent does not say. */
  readonly cwd: string | null;
}

/** A command that was not let to run. */
export interface RefusedCommand extends Omit<ShownTerminal, 'terminalId'> {
  /** In words for a person. */
  readonly reason: string;
}

/** Each is called in order, and never after `ended` for the same terminal. What it throws is nobody's concern. */
export interface TerminalDisplay {
  started(terminal: ShownTerminal): void;
  /** What the program wrote, as it wrote it: any cut, any bytes. */
  output(terminalId: string, data: Uint8Array): void;
  ended(terminalId: string, exit: TerminalExit): void;
  /** The policy does not let it run: there is no terminal. */
  refused?(command: RefusedCommand): void;
}
