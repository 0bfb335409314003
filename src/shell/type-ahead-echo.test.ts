/** Tests that the echo of type-ahead is found at the end of the output, and that nothing else is taken for it. */
import fc from 'fast-check';
import { TypeAheadEcho } from './type-ahead-echo.js';

/**
 * Returns the output without the echo at its end. Each piece was typed at its offset, and its echo is somewhere after
 * it.
 */
function endOf(output: string, typed: readonly (readonly [bytes: string, offset: number])[]): string {
  const ahead = new TypeAheadEcho();
  for (const [bytes, offset] of typed) ahead.add(Buffer.from(bytes), offset);
  const all = Buffer.from(output);
  return all
    .subarray(
      0,
      ahead.endWithout(all.length, (from) => all.subarray(from)),
    )
    .toString();
}

it.each([
  ['nothing typed', 'fin\r\n', [], 'fin\r\n'],
  ['a line after the last output', 'fin\r\necho x\r\n', [['echo x\r', 5]], 'fin\r\n'],
  ['a line that was typed before the last output came', 'fin\r\necho x\r\n', [['echo x\r', 0]], 'fin\r\n'],
  ['a line before the last output', 'echo x\r\nfin\r\n', [['echo x\r', 0]], 'echo x\r\nfin\r\n'],
  [
    'key by key',
    'fin\r\nab',
    [
      ['a', 5],
      ['b', 6],
    ],
    'fin\r\n',
  ],
  [
    'keys, the last of which are not echoed yet',
    'fin\r\nab',
    [
      ['a', 5],
      ['b', 6],
      ['c', 7],
    ],
    'fin\r\n',
  ],
  [
    'keys around the last output',
    'afin\r\nb',
    [
      ['a', 0],
      ['b', 1],
    ],
    'afin\r\n',
  ],
  ['the same text, printed by the program before', 'echo x\r\n', [['echo x\r', 8]], 'echo x\r\n'],
  ['control characters', 'fin\r\n^L^?\t', [['\x0c\x7f\t', 5]], 'fin\r\n'],
] as const)('%s', (_what, output, typed, expected) => {
  expect(endOf(output, typed)).toBe(expected);
});

it('finds no echo once a program has read the input', () => {
  const ahead = new TypeAheadEcho();
  ahead.add(Buffer.from('yes\r'), 0);
  ahead.clear();
  expect(ahead.endWithout(5, () => Buffer.from('yes\r\n'))).toBe(5);
});

it('never removes more than was typed, and leaves a prefix of the output', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r\n') });
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), (output, typed) => {
      const rest = endOf(
        output,
        typed.map((bytes) => [bytes.replaceAll('\r\n', '\r'), 0]),
      );
      expect(output.startsWith(rest)).toBe(true);
      expect(output.length - rest.length).toBeLessThanOrEqual(typed.join('').length);
    }),
  );
});
