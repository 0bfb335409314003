import fc from 'fast-check';
import { echoedText } from './typed-text.js';

const COLUMNS = 80;
const PROMPT = 2;

/** Returns the text typed at a two-column prompt, read from its echo. */
function echoed(echo: string): string {
  return echoedText(echo, PROMPT, COLUMNS);
}

describe('a typed line is recognised by its echo', () => {
  it.each([
    ['as typed', 'ls -l', 'ls -l'],
    ['deleted by backspaces', 'lx\b \bs', 'ls'],
    ['with characters inserted before others', 'cho hi\x1b[6D\x1b[1@e', 'echo hi'],
    ['with characters removed', 'eecho\x1b[5D\x1b[1P', 'echo'],
    ['cut at the cursor', 'echo hi\b\b\b\x1b[K', 'echo'],
    ['redrawn from the start of the row', 'ls\r\x1b[2Cpwd', 'pwd'],
    ['in colours', '\x1b[32mls\x1b[0m', 'ls'],
    ['next to a title sequence', '\x1b]0;title\x07ls', 'ls'],
  ])('%s', (_what, echo, text) => {
    expect(echoed(echo)).toBe(text);
  });
});

describe('background output next to the echo', () => {
  it.each(['@', 'C', 'D', 'P', 'K'])('costs no more than its length, whatever the count of CSI %s', (final) => {
    const echo = `l\x1b[4000000000${final}s`.repeat(2000);
    expect(echoed(echo).length).toBeLessThanOrEqual(16 << 10);
  });

  it('is processed whatever it contains', () => {
    const count = fc.oneof(fc.nat(), fc.constant(''), fc.bigInt({ min: 0n, max: 10n ** 30n }));
    const sequence = fc.tuple(count, fc.constantFrom(...'@CDPKHm')).map(([n, final]) => `\x1b[${n}${final}`);
    const part = fc.oneof(sequence, fc.string(), fc.constantFrom('\r', '\n', '\b', '\x1b'));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 50 }), (parts) => {
        expect(echoed(parts.join('')).length).toBeLessThanOrEqual(16 << 10);
      }),
    );
  });
});
