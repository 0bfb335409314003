/** The interface of a policy: a request to run a program, and the decision. */

/** A request to run a program. */
export interface CommandRequest {
  /** The interface that asks: `acp`, `mcp`, `http`, `hooks`, `library`. */
  readonly door: string;
  /** A program with its arguments or, if `args` is null, a line for a shell. */
  readonly command: string;
  readonly args: readonly string[] | null;
  /** Absolute; null if unknown (for an existing shell). */
  readonly cwd: string | null;
  /** An existing shell's own name for `cwd`, if it was entered through a link; null if unknown. */
  readonly cwdInShell?: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** The program that reads the line, by name or path. Default: bash, or sh if there is no bash. */
  readonly shell?: string;
  /** Whether the line is for a nested shell or REPL, where its meaning is unknown. */
  readonly isWithin?: boolean;
}

/** What the program is granted if it may run. */
export interface CommandPermit {
  /** The remaining environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The time after which it is ended, or null. */
  readonly timeLimitMs: number | null;
}

export interface CommandPolicy {
  /**
   * Decides whether a program may run.
   *
   * @throws {TerminalError} `COMMAND_DENIED` naming the rule, `INVALID_INPUT` for a directory that is not allowed.
   * Rejects with the reason of `signal` if the caller is no longer waiting.
   */
  permit(request: CommandRequest, signal?: AbortSignal): Promise<CommandPermit>;
}

/** What is shown to a person who can approve a program. */
export interface ApprovalRequest {
  readonly door: string;
  /**
   * The complete command as a person would type it. Showing less would ask about something else. It comes from the
   * requester and may contain line endings and escape sequences.
   */
  readonly command: string;
  readonly cwd: string | null;
  /** Variables in addition to those that it would have anyway. */
  readonly env: Readonly<Record<string, string>>;
  /** The rule that requires approval, or what was not understood, in words. */
  readonly reason: string;
}

/**
 * Requests approval. Any response other than `true`, and any failure, means no. Null: approval is not available.
 *
 * @param signal - Aborts when the response is no longer needed.
 */
export type AskForApproval = (request: ApprovalRequest, signal: AbortSignal) => Promise<boolean | null>;
