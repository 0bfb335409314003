/** Text of somebody else, made fit for a person's terminal: it is shown, and nothing in it is obeyed. Pure. */

/**
 * But for line end and tab: controls, what turns the direction of text, halves of characters, and what is not seen; of that,
 * what joins emoji and letters or says how they look has its use in plain text.
 */
const TRICKS = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]|(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{DI}/gu;
const UNSEEN = /\p{DI}/gu;
/** So many that what is behind them is not looked for. */
const MANY_BLANKS = /[\t\p{Zs}\u2800]{9,}/gu;
const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;
const PICTURE_OF_DELETE = '\u2421';
const UNKNOWN = '\ufffd';
/** What the emulator writes of colours; nothing else begins with an escape there. */
const COLOUR = /(\x1b\[[\d;:]*m)/;

/** Line ends and tabs stay; a control character is shown by its picture, as `␛`, what else could deceive as `�`. */
export function harmless(text: string): string {
  return text.replace(/\r(?=\n|$)/g, '').replace(TRICKS, pictureOf);
}

/** The same where a person decides by what they see: nothing in it is unseen, and blanks push nothing out of sight. */
export function plainToSee(text: string): string {
  const seen = harmless(text).replace(UNSEEN, UNKNOWN);
  return seen.replace(MANY_BLANKS, (blanks) => ` ␠×${blanks.length} `);
}

/** Harmless on one line, at most so many characters of it. */
export function harmlessLine(text: string, maxChars = Infinity): string {
  const line = harmless(text.slice(0, maxChars + 1)).replace(/[\n\t]+/g, ' ');
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}

/** A row of an emulator: its colours stay where they are wanted. */
export function harmlessRow(ansi: string, hasColour: boolean): string {
  const parts = ansi.split(COLOUR);
  return parts.map((part, index) => (index % 2 === 0 ? harmless(part) : hasColour ? part : '')).join('');
}

function pictureOf(character: string): string {
  if (character === '\n' || character === '\t') return character;
  const code = character.codePointAt(0)!;
  if (code === DELETE) return PICTURE_OF_DELETE;
  return code < 0x20 ? String.fromCodePoint(CONTROL_PICTURES + code) : UNKNOWN;
}
