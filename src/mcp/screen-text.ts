/** Converts a screen to lines of text. Pure. */
import type { TerminalScreen } from '../contract/output.js';

/**
 * Returns the visible text without blank cells at the right and the bottom, because full-screen programs write spaces
 * up to the margins.
 */
export function screenText({ lines }: TerminalScreen): string {
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}
