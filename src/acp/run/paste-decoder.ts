/**
 * Decodes the input of a terminal that marks pasted text (bracketed paste), so that pasted text becomes part of one
 * line even if it contains line endings.
 */

/** Sequences that turn the marking of pasted text on and off. */
export const MARK_PASTES_ON = '\x1b[?2004h';
export const MARK_PASTES_OFF = '\x1b[?2004l';
/** Stands for a pasted line ending within a line. */
const LINE_END_SHOWN = '\u240a';
const STARTS = '\x1b[200~';
const ENDS = '\x1b[201~';
const MARK = /(\x1b\[20[01]~)/;
/** Matches the start of a mark at the end of the input. ESC on its own, outside of a paste, is the escape key. */
const CUT_MARK = /\x1b\[(?:2(?:0[01]?)?)?$/;
const CUT_MARK_IN_PASTE = /\x1b(?:\[(?:2(?:0[01]?)?)?)?$/;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/g;

export class PasteDecoder {
  #isPasting = false;
  /** Input that may be the start of a mark and is therefore held back. */
  #cut = '';

  /** Returns the keys in the input. Control characters in pasted text do not count as keys. */
  decode(text: string): string {
    const parts = (this.#cut + text).split(MARK);
    const keys = parts.map((part, at) => this.#decodePart(part, at === parts.length - 1));
    return keys.join('');
  }

  #decodePart(part: string, isLast: boolean): string {
    if (part === STARTS || part === ENDS) {
      this.#isPasting = part === STARTS;
      return '';
    }
    if (isLast) this.#cut = (this.#isPasting ? CUT_MARK_IN_PASTE : CUT_MARK).exec(part)?.[0] ?? '';
    const whole = isLast ? part.slice(0, part.length - this.#cut.length) : part;
    return this.#isPasting ? whole.replace(/\r\n?|\n/g, LINE_END_SHOWN).replace(CONTROLS, '') : whole;
  }
}

/** Converts a line back to the text that was typed and pasted. */
export function restoreText(line: string): string {
  return line.replaceAll(LINE_END_SHOWN, '\n');
}
