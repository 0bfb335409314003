/** Keys of a terminal that marks what is pasted: that becomes part of one line, whatever it holds. It knows no line. */

/** The terminal is to mark what is pasted, or not to any more. */
export const MARK_PASTES = '\x1b[?2004h';
export const MARK_NO_PASTES = '\x1b[?2004l';
/** Stands in the line for a line end that was pasted. */
const LINE_END_SHOWN = '\u240a';
const STARTS = '\x1b[200~';
const ENDS = '\x1b[201~';
const MARK = /(\x1b\[20[01]~)/;
/** The beginning of a mark at the end of what has come. The first character alone is the escape key. */
const CUT_MARK = /\x1b\[(?:2(?:0[01]?)?)?$/;
const CUT_MARK_IN_PASTE = /\x1b(?:\[(?:2(?:0[01]?)?)?)?$/;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/g;

export class Pastes {
  #isPasting = false;
  /** What may be the beginning of a mark. */
  #cut = '';

  /** The keys in what has come; nothing that is pasted is one but as text. */
  keysOf(text: string): string {
    const parts = (this.#cut + text).split(MARK);
    const keys = parts.map((part, at) => this.#keysOfPart(part, at === parts.length - 1));
    return keys.join('');
  }

  #keysOfPart(part: string, isLast: boolean): string {
    if (part === STARTS || part === ENDS) {
      this.#isPasting = part === STARTS;
      return '';
    }
    if (isLast) this.#cut = (this.#isPasting ? CUT_MARK_IN_PASTE : CUT_MARK).exec(part)?.[0] ?? '';
    const whole = isLast ? part.slice(0, part.length - this.#cut.length) : part;
    return this.#isPasting ? whole.replace(/\r\n?|\n/g, LINE_END_SHOWN).replace(CONTROLS, '') : whole;
  }
}

/** What was meant by a line with what was pasted into it. */
export function meant(line: string): string {
  return line.replaceAll(LINE_END_SHOWN, '\n');
}
