/**
 * Generates output that changes all of a terminal's state besides its text: modes, margins, tab stops, character sets,
 * saved cursors, the alternate screen; with sequences cut off anywhere.
 */
import fc from 'fast-check';

const small = fc.integer({ min: 0, max: 12 });
const text = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[ -~]{1,12}$/) },
  { weight: 3, arbitrary: fc.stringMatching(/^[a-z]{30,90}$/) },
  { weight: 2, arbitrary: fc.constantFrom('\r\n', '\r\n\r\n', '\t', '\b', '\r', '\n') },
);
const wideText = fc.constantFrom('你好世界', 'é', '한글', '┌──┐', '—', 'lqqk');
const joining = fc.constantFrom('e\u0301', '👨‍👩‍👧', '☠️', '👍🏽', '🇩🇪', 'नि', '\u0301', '\u1100\u1161', '🚀');
const wideAtTheMargin = fc.constantFrom('你'.repeat(30), 'a你'.repeat(20), '\x1b[7m你\x1b[m'.repeat(25));

const PRIVATE_MODES = [
  1, 6, 7, 9, 12, 25, 45, 47, 66, 1000, 1002, 1003, 1004, 1006, 1016, 1047, 1048, 1049, 2004, 2026,
];
const privateMode = (allowed: readonly number[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...allowed), fc.constantFrom('h', 'l')).map(([mode, on]) => `\x1b[?${mode}${on}`);
const mode = fc.constantFrom('\x1b[4h', '\x1b[4l', '\x1b[20h', '\x1b[20l', '\x1b=', '\x1b>');
const charset = fc.oneof(
  fc
    .tuple(fc.constantFrom('(', ')', '*', '+', '-', '.'), fc.constantFrom('0', 'A', 'B', '4', 'R', 'K'))
    .map(([set, name]) => `\x1b${set}${name}`),
  fc.constantFrom('\x0e', '\x0f', '\x1bn', '\x1bo', '\x1b|'),
);
const cursor = fc.oneof(
  fc.constantFrom('\x1b7', '\x1b8', '\x1b[s', '\x1b[u', '\x1bM', '\x1bD', '\x1bE'),
  fc.tuple(small, small).map(([y, x]) => `\x1b[${y};${x}H`),
  small.map((style) => `\x1b[${style} q`),
);
const tabs = fc.constantFrom('\x1bH', '\x1b[g', '\x1b[3g', '\t', '\x1b[2I', '\x1b[Z');
const region = fc.tuple(small, small).map(([top, bottom]) => `\x1b[${top};${bottom}r`);
const edit = fc
  .tuple(small, fc.constantFrom(...'@ABCDGJKLMPXbd', ' @', ' A', "'}", "'~", '?J', '?K'))
  .map(([count, final]) => (final.startsWith('?') ? `\x1b[?${count % 3}${final[1]}` : `\x1b[${count}${final}`));
const style = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 110 }), { maxLength: 4 }).map((codes) => `\x1b[${codes.join(';')}m`),
  fc.constantFrom('\x1b[4:3m', '\x1b[4m', '\x1b[21m', '\x1b[24m', '\x1b[58;5;9m', '\x1b[58;2;1;2;3m', '\x1b[59m'),
  fc.constantFrom('\x1b[1"q', '\x1b[0"q', '\x1b[m', '\x1b[48;5;17m', '\x1b[38;2;9;8;7m'),
);
const rare = fc.constantFrom(
  '\x1bc',
  '\x1b[!p',
  '\x1b#8',
  '\x1b]2;a title\x07',
  '\x1b]0;é\x1b\\',
  '\x1b]9;unknown\x07',
);
const half = fc.constantFrom(
  '\x1b', '\x1b[', '\x1b[3', '\x1b[?10', '\x1b[1;\n2', '\x1b[1 ', '\x1b(', '\x1b]0;half', '\x1bP1$', '\x1bPq#0;', '\x1b_G',
  '\x9b1', '\x9d2;c', '\x1b[<', '\x1b]2;a\x1b', 'a\x1b[', '\x1b\n[',
); // prettier-ignore

function piecesOf(
  special: fc.Arbitrary<string>,
  wide: fc.Arbitrary<string>,
  modes: readonly number[],
): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 2, arbitrary: wide },
    { weight: 10, arbitrary: text },
    { weight: 3, arbitrary: special },
    { weight: 4, arbitrary: privateMode(modes) },
    { weight: 1, arbitrary: mode },
    { weight: 2, arbitrary: charset },
    { weight: 4, arbitrary: cursor },
    { weight: 1, arbitrary: tabs },
    { weight: 2, arbitrary: region },
    { weight: 5, arbitrary: edit },
    { weight: 4, arbitrary: style },
    { weight: 1, arbitrary: rare },
    { weight: 1, arbitrary: half },
  );
}

/** Output in pieces that may end within a character or sequence. */
const outputOf = (piece: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array[]> =>
  fc
    .tuple(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat({ max: 2000 }), { maxLength: 6 }))
    .map(([pieces, cuts]) => {
      const bytes = Buffer.from(pieces.join(''));
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
      return places.slice(1).map((place, i) => bytes.subarray(places[i], place));
    });

const withoutWrapping = PRIVATE_MODES.filter((number) => number !== 7);

/** Wide and joining characters reach the right margin only where lines wrap, as in all generated output. */
export const kindsOfState: readonly fc.Arbitrary<Uint8Array[]>[] = [
  outputOf(piecesOf(fc.oneof(joining, wideAtTheMargin), wideText, withoutWrapping)),
  outputOf(piecesOf(fc.constant('x'.repeat(50)), fc.constantFrom('é', '┌──┐', '—', 'lqqk'), PRIVATE_MODES)),
];
