/**
 * Generates terminal output: random mixes of everything programs write, biased towards the runs of plain lines for
 * which the history has a fast path, and towards what interrupts them.
 */
import fc from 'fast-check';

export type OutputStep =
  | { readonly type: 'write'; readonly bytes: Uint8Array }
  | { readonly type: 'resize'; readonly cols: number; readonly rows: number }
  | { readonly type: 'look' };

const word = fc.stringMatching(/^[!-~]{1,12}$/);
const wideText = fc.constantFrom('你好', 'é', 'ｗｉｄｅ', '한글', '🚀', '✅', '┌──┐', '—', '…', 'ß', 'Ж', '€');
const joiningText = fc.constantFrom(
  'e\u0301',
  '👨‍👩‍👧',
  '☠️',
  '👍🏽',
  '🇩🇪',
  'नि',
  '\u200b',
  '\u00ad',
  '\u1100\u1161',
  '\u0301',
);
const sgr = fc.oneof(
  fc.constantFrom(
    '\x1b[m',
    '\x1b[0m',
    '\x1b[1;31m',
    '\x1b[32m',
    '\x1b[4:3m',
    '\x1b[38;5;208m',
    '\x1b[48;2;1;2;3m',
    '\x1b[7m',
    '\x1b[53m',
  ),
  fc.array(fc.integer({ min: 0, max: 110 }), { maxLength: 6 }).map((codes) => `\x1b[${codes.join(';')}m`),
  fc.constantFrom(
    '\x1b[38;5m',
    '\x1b[38m',
    '\x1b[58;2;9;9;9m',
    '\x1b[59m',
    '\x1b[38;7;1;2;3m',
    '\x1b[38;0;1;2;3;4;5m',
    '\x1b[;;31m',
    '\x1b[4294967327m',
    '\x1b[38;5;4294967297m',
    '\x1b[38:5:9m',
  ),
);

const plainPieceWith = (wide: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: word },
    { weight: 4, arbitrary: fc.constantFrom(' ', '  ') },
    { weight: 2, arbitrary: sgr },
    { weight: 1, arbitrary: fc.constantFrom('\t', '\t', '\x1b[K', '\x1b[0K', '\x1b[1K') },
    { weight: 1, arbitrary: wide },
  );

const small = fc.integer({ min: 0, max: 12 });
const csi = fc
  .tuple(fc.array(small, { maxLength: 2 }), fc.constantFrom(...'@ABCDEFGHIJKLMPSTXZbdefg'))
  .map(([params, final]) => `\x1b[${params.join(';')}${final}`);
const control = fc.constantFrom(
  '\r',
  '\n',
  '\b',
  '\t',
  '\r\r\n',
  '\x0b',
  '\x0c',
  '\x07',
  '\x00',
  '\x7f',
  '\x0e',
  '\x0f',
);
const mode = fc.constantFrom(
  '\x1b[4h', '\x1b[4l', '\x1b[?7h', '\x1b[?6h', '\x1b[?6l', '\x1b[20h', '\x1b[20l',
  '\x1b[?1049h', '\x1b[?1049l', '\x1b[?47h', '\x1b[?47l', '\x1b(0', '\x1b(B', '\x1bH', '\x1b[3g', '\x1b[1"q', '\x1b[0"q',
); // prettier-ignore
const escape = fc.constantFrom(
  '\x1b7',
  '\x1b8',
  '\x1bD',
  '\x1bM',
  '\x1bE',
  '\x1bc',
  '\x1b[!p',
  '\x1b#8',
  '\x1b[s',
  '\x1b[u',
);
const region = fc.tuple(small, small).map(([top, bottom]) => `\x1b[${top};${bottom}r`);
const osc = fc.constantFrom(
  '\x1b]0;title\x07',
  '\x1b]8;;http://a/\x1b\\link\x1b]8;;\x1b\\',
  '\x1b]133;A\x07',
  '\x1bPq\x1b\\',
  '\x1b[6n',
);
const brokenBytes = fc.constantFrom(
  [0xff],
  [0xc3],
  [0xe2, 0x82],
  [0xf0, 0x9f],
  [0xed, 0xa0, 0x80],
  [0xe0, 0x82, 0xa0],
  [0xc2, 0x9b],
  [0xef, 0xbb, 0xbf],
);
const longText = fc.tuple(word, fc.integer({ min: 1, max: 80 })).map(([text, times]) => text.repeat(times));

/** Output with special pieces, and with this kind of characters beyond ASCII. */
function textOf(special: fc.Arbitrary<string>, wide: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const plainPiece = plainPieceWith(wide);
  const plainLine = fc.array(plainPiece, { maxLength: 12 }).map((pieces) => `${pieces.join('')}\r\n`);
  const plainRun = fc
    .tuple(fc.array(plainLine, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 25 }))
    .map(([lines, times]) => lines.join('').repeat(times));
  return fc.oneof(
    { weight: 12, arbitrary: plainRun },
    { weight: 6, arbitrary: plainLine },
    { weight: 4, arbitrary: fc.array(plainPiece, { maxLength: 6 }).map((pieces) => pieces.join('')) },
    { weight: 3, arbitrary: csi },
    { weight: 3, arbitrary: control },
    { weight: 2, arbitrary: special },
    { weight: 2, arbitrary: escape },
    { weight: 1, arbitrary: mode },
    { weight: 1, arbitrary: region },
    { weight: 1, arbitrary: osc },
    { weight: 1, arbitrary: longText },
    { weight: 1, arbitrary: sgr },
  );
}

const writesOf = (text: fc.Arbitrary<string>): fc.Arbitrary<OutputStep[]> => {
  const chunk = fc.oneof(
    { weight: 30, arbitrary: text.map((value) => new TextEncoder().encode(value)) },
    { weight: 1, arbitrary: brokenBytes.map((bytes) => Uint8Array.from(bytes)) },
  );
  return fc
    .tuple(fc.array(chunk, { maxLength: 10 }), fc.array(fc.nat({ max: 4000 }), { maxLength: 12 }))
    .map(([chunks, cuts]) => cutAt(Buffer.concat(chunks), cuts).map((bytes) => ({ type: 'write', bytes }) as const));
};
const resize = fc.record({
  type: fc.constant('resize' as const),
  cols: fc.integer({ min: 2, max: 40 }),
  rows: fc.integer({ min: 2, max: 12 }),
});
const look = fc.constant({ type: 'look' } as const);

const stepsOf = (text: fc.Arbitrary<string>): fc.Arbitrary<OutputStep[]> => {
  const one = fc.oneof(
    { weight: 6, arbitrary: writesOf(text) },
    { weight: 1, arbitrary: resize.map((step): OutputStep[] => [step]) },
    { weight: 2, arbitrary: look.map((step): OutputStep[] => [step]) },
  );
  return fc.array(one, { maxLength: 8 }).map((groups) => groups.flat());
};

/**
 * How the emulator draws a wide or joined character at the right margin without wrapping depends on how the output was
 * split, so output has either such characters or a margin without wrapping.
 */
const wrapping = textOf(joiningText, wideText);
const notWrapping = textOf(fc.constant('\x1b[?7l'), fc.constantFrom('é', '┌──┐', '—', 'Ж', '€'));

/** Steps of output, split at random bytes, with resizes and reads in between, for each of these kinds. */
export const kindsOfSteps: readonly fc.Arbitrary<OutputStep[]>[] = [stepsOf(wrapping), stepsOf(notWrapping)];
export const steps: fc.Arbitrary<OutputStep[]> = fc.oneof(...kindsOfSteps);

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((place, i) => bytes.subarray(places[i], place));
}
