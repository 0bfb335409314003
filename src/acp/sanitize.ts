/**
 * Sanitizes untrusted text for a person's terminal, so that it is displayed but no escape sequence in it takes effect.
 * Pure.
 */

/**
 * Matches all deceptive characters except line endings and tabs: control characters, bidirectional controls, lone
 * surrogates and invisible characters. Allows invisible characters that join emoji and letters or select their
 * presentation, because ordinary text uses them.
 */
const DECEPTIVE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]|(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{DI}/gu;
const INVISIBLE = /\p{DI}/gu;
/** Matches a run of blanks that is so long that a reader would not look for text after it. */
const MANY_BLANKS = /[\t\p{Zs}\u2800]{9,}/gu;
const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;
const PICTURE_OF_DELETE = '\u2421';
const UNKNOWN = '\ufffd';
/** Matches the colour sequences that the emulator writes. It writes no other escape sequences. */
const COLOUR = /(\x1b\[[\d;:]*m)/;

/**
 * Sanitizes text. Keeps line endings and tabs, shows a control character as its control picture, such as `␛`, and
 * replaces other deceptive characters with `�`.
 */
export function sanitize(text: string): string {
  return text.replace(/\r(?=\n|$)/g, '').replace(DECEPTIVE, pictureOf);
}

/**
 * Sanitizes text that a person bases a decision on. Does the same as `sanitize`, but also replaces invisible
 * characters, and shortens runs of blanks that could push text out of sight.
 */
export function sanitizeForDecision(text: string): string {
  const seen = sanitize(text).replace(INVISIBLE, UNKNOWN);
  return seen.replace(MANY_BLANKS, (blanks) => ` ␠×${blanks.length} `);
}

/** Sanitizes text and shortens it to one line of at most `maxChars` characters. */
export function sanitizeLine(text: string, maxChars = Infinity): string {
  const line = sanitize(text.slice(0, maxChars + 1)).replace(/[\n\t]+/g, ' ');
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}

/** Sanitizes a row of the emulator, and keeps its colours if wanted. */
export function sanitizeRow(ansi: string, hasColour: boolean): string {
  const parts = ansi.split(COLOUR);
  return parts.map((part, index) => (index % 2 === 0 ? sanitize(part) : hasColour ? part : '')).join('');
}

function pictureOf(character: string): string {
  if (character === '\n' || character === '\t') return character;
  const code = character.codePointAt(0)!;
  if (code === DELETE) return PICTURE_OF_DELETE;
  return code < 0x20 ? String.fromCodePoint(CONTROL_PICTURES + code) : UNKNOWN;
}
