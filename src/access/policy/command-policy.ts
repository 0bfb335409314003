/** Defines the interface of a policy: a request to run a program, and the decision. */

/** A request to run a program. */
export interface CommandRequest {
  /** The interface that the request comes from: `acp`, `mcp`, `http`, `hooks` or `library`. */
  readonly door: string;
  /** The program or, if `args` is null, a line for a shell. */
  readonly command: string;
  readonly args: readonly string[] | null;
  /** Absolute; null if unknown (for an existing shell). */
  readonly cwd: string | null;
  /** An existing shell's own path of `cwd` if the shell entered it through a link; null if unknown. */
  readonly cwdInShell?: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Name or path of the shell that runs the line. Default: bash, or sh if there is no bash. */
  readonly shell?: string;
  /** Whether the line is for a nested shell or REPL, where its meaning is unknown. */
  readonly isWithin?: boolean;
}

/** The terms for running a permitted program. */
export interface CommandPermit {
  /** The requested variables that the policy allows. */
  readonly env: Readonly<Record<string, string>>;
  /** Maximum run time, after which the program is ended; null means no limit. */
  readonly timeLimitMs: number | null;
}

export interface CommandPolicy {
  /**
   * Resolves if the program is allowed to run.
   *
   * @throws {TerminalError} `COMMAND_DENIED`, naming the rule, if it is not; `INVALID_INPUT` for a directory that is
   * not allowed. Rejects with the reason of `signal` if the caller stops waiting.
   */
  permit(request: CommandRequest, signal?: AbortSignal): Promise<CommandPermit>;
}

/** What is shown to a person who can approve a program. */
export interface ApprovalRequest {
  readonly door: string;
  /**
   * The complete command as a person would type it. Show all of it: the approval applies to the whole command. It comes
   * from the caller and may contain line endings and escape sequences.
   */
  readonly command: string;
  readonly cwd: string | null;
  /** The variables that the request adds to the program's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Human-readable description of the rule that requires approval, or of what could not be analysed. */
  readonly reason: string;
}

/**
 * Requests approval. Any response other than `true`, and any failure, denies the command. Null means that no approver
 * is available.
 *
 * @param signal - Aborts when the response is no longer needed.
 */
export type AskForApproval = (request: ApprovalRequest, signal: AbortSignal) => Promise<boolean | null>;
