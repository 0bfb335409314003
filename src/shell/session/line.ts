/**
 * What is known of the line that stands at a shell's prompt, or will at the next: plain data, as one process hands it to
 * another.
 */
export interface PromptLine {
  /** Whether something was typed that the next prompt may find. */
  hasTyped: boolean;
  /** Whether an Enter was among that, since the last command ended. */
  hasSubmitted: boolean;
  hasParked: boolean;
  /** Whether somebody has typed since the line was last known to be empty: there may be more to come of it. */
  isUnsure: boolean;
  /** Whether the terminal has answered a program since, which may have left that to the shell to read. */
  hasLitter: boolean;
  /** Keys to put by that were typed and not answered yet. */
  parksDue: number;
}

export function emptyLine(): PromptLine {
  const isThere = { hasTyped: false, hasSubmitted: false, hasParked: false };
  return { ...isThere, isUnsure: false, hasLitter: false, parksDue: 0 };
}
