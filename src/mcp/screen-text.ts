/** A screen as lines of text. Pure. */
import type { TerminalScreen } from '../contract/output.js';

/** What is seen, without the empty rows at the bottom. */
export function screenText({ lines }: TerminalScreen): string {
  return lines.join('\n').trimEnd();
}
