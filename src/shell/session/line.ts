/**
 * Describes what is known about the line at a shell's current or next prompt. Plain data, part of the hand-off to
 * another process.
 */
export interface PromptLine {
  /** Whether input was typed that the shell may read at its next prompt. */
  hasTyped: boolean;
  /** Whether the input typed since the last command ended contains an Enter. */
  hasSubmitted: boolean;
  hasParked: boolean;
  /** Whether the user has typed since the line was last known to be empty: more of that input may still arrive. */
  isUnsure: boolean;
  /** Whether the terminal has since replied to a program's query; the reply may be left for the shell to read. */
  hasLitter: boolean;
  /** Number of park keys that were typed and have had no reply yet. */
  parksDue: number;
}

export function emptyLine(): PromptLine {
  const isThere = { hasTyped: false, hasSubmitted: false, hasParked: false };
  return { ...isThere, isUnsure: false, hasLitter: false, parksDue: 0 };
}

/** Returns whether the line is known to be empty. Only the shell's reply to a key proves that typed input was read. */
export function isKnownEmpty({ isUnsure, hasLitter }: PromptLine, hasParkKey: boolean): boolean {
  return !(isUnsure && hasParkKey) && !hasLitter;
}
