/** Determines the text of a question: the line at the cursor, without the text typed into it. Pure. */
import { cutText } from '../../contract/cut-text.js';
import type { TerminalScreen } from '../../contract/output.js';
import type { Question } from '../../contract/waiting.js';
import { MAX_PROMPT_CHARS } from '../../contract/waiting.js';
import { printable } from '../../printable.js';

const ENTER = [0x0d, 0x0a];

export class Prompt {
  /** The question in a line that text has already been typed into; everything after the question is the echo. */
  #partial: string | null = null;

  typed(bytes: Uint8Array, question: Question | null): void {
    if (bytes.some((byte) => ENTER.includes(byte))) this.#partial = null;
    else if (question?.kind === 'line') this.#partial = question.prompt;
  }

  /** @param line - The line as shown. */
  of(line: string, kind: Question['kind']): string {
    // It is shown to people outside the terminal, where other characters could disguise it.
    const text = printable(line.trim());
    if (kind === 'line' && this.#partial !== null && text.startsWith(this.#partial)) return this.#partial;
    return cutText(text, MAX_PROMPT_CHARS);
  }
}

/**
 * Returns the line at the cursor or, if it is blank, the nearest line above it that is not; an empty string if there is
 * none.
 */
export function lineAtCursor({ lines, cursor }: TerminalScreen): string {
  return lines.slice(0, cursor.y + 1).findLast((line) => line.trim() !== '') ?? '';
}
