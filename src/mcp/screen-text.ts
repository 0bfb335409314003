/** Converts a screen to lines of text. Pure. */
import type { TerminalScreen } from '../contract/output.js';

/**
 * Returns the visible text without empty cells at the right and bottom: full-screen programs write spaces up to the
 * margin.
 */
export function screenText({ lines }: TerminalScreen): string {
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}
