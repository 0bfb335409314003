/**
 * What a program must be allowed before it runs: the question a door asks, and the answer it gets. It knows neither
 * doors nor how programs are started.
 */

/** What somebody wants to run. */
export interface CommandRequest {
  /** Who asks: `acp`, `mcp`, `http`, `library`. */
  readonly door: string;
  /** A program with its arguments; or, where `args` is null, a line for a shell. */
  readonly command: string;
  readonly args: readonly string[] | null;
  /** Absolute; null where it is not known (a shell that is somewhere already). */
  readonly cwd: string | null;
  /** What a shell that is somewhere already calls `cwd`, where it came there by a link; null where that is not known. */
  readonly cwdInShell?: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** The program that reads the line, by its name or path. Default: bash, or sh where there is no bash. */
  readonly shell?: string;
  /** Whether the line is for a shell or REPL within a command of a terminal: what it means there is not known. */
  readonly isWithin?: boolean;
}

/** What the program may be given, if it may run at all. */
export interface CommandPermit {
  /** The environment that remains. */
  readonly env: Readonly<Record<string, string>>;
  /** After how long it is ended, or null. */
  readonly timeLimitMs: number | null;
}

export interface CommandPolicy {
  /**
   * @throws {TerminalError} `COMMAND_DENIED` with the rule that said so, `INVALID_INPUT` for a directory that is not
   * allowed. Ends with the reason of `signal` if nobody waits any more.
   */
  permit(request: CommandRequest, signal?: AbortSignal): Promise<CommandPermit>;
}

/** What somebody is asked who can allow a program to run. */
export interface ApprovalRequest {
  readonly door: string;
  /**
   * As a person would type it, whole: whoever shows less of it asks about something else. It comes from who wants to run it,
   * line ends and escape sequences included.
   */
  readonly command: string;
  readonly cwd: string | null;
  /** Variables it is given beside those it has anyway. */
  readonly env: Readonly<Record<string, string>>;
  /** The rule for which it is asked, or what is not understood, in words. */
  readonly reason: string;
}

/**
 * Asks somebody. What is not `true` means no; so does a failure. Null: there is nobody to ask.
 *
 * @param signal - Aborts when nobody waits for the answer any more.
 */
export type AskForApproval = (request: ApprovalRequest, signal: AbortSignal) => Promise<boolean | null>;
