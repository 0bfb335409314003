/** A screen as lines of text. Pure. */
import type { TerminalScreen } from '../contract/output.js';

/** What is seen, without what is empty at the right and at the bottom: full-screen programs write blanks to the margin. */
export function screenText({ lines }: TerminalScreen): string {
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}
