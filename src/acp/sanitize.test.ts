/** Tests how untrusted text is displayed. */
import fc from 'fast-check';
import { sanitize, sanitizeLine, sanitizeRow, sanitizeForDecision } from './sanitize.js';

describe('text of an agent', () => {
  it('is shown without any effect of its control characters', () => {
    expect(sanitize('a\x1b]52;c;x\x07b\x9b2J\x7f')).toBe('a␛]52;c;x␇b\ufffd2J␡');
    expect(sanitize('one\r\ntwo\tthree\r')).toBe('one\ntwo\tthree');
    expect(sanitize('a\rb')).toBe('a␍b');
    expect(sanitize('\u202egnp.exe\u2066')).toBe('\ufffdgnp.exe\ufffd');
    expect(sanitize('a\u200b\u2060\u00ad\u3164\u115f\ufeff')).toBe(`a${'\ufffd'.repeat(6)}`);
    expect(sanitize('👩‍👩‍👧 ❤️ é ü 日本')).toBe('👩‍👩‍👧 ❤️ é ü 日本');
    expect(sanitizeLine('a\nb\tc\x1b')).toBe('a b c␛');
    expect(sanitizeLine('abcdef', 4)).toBe('abc…');
  });

  it('is shown without invisible characters where a person makes a decision', () => {
    expect(sanitizeForDecision('a\u200d\u200c\ufe0f\u200bb\x1b')).toBe(`a${'\ufffd'.repeat(4)}b␛`);
    expect(sanitizeForDecision(`a${' '.repeat(8)}b${' \t\u3000'.repeat(3)}c`)).toBe(`a${' '.repeat(8)}b ␠×9 c`);
  });

  it('contains no control characters other than line endings and tabs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(sanitize(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      }),
    );
  });

  it('keeps the colours of a row if wanted', () => {
    expect(sanitizeRow('\x1b[1;31mred\x1b[0m\u202e', true)).toBe('\x1b[1;31mred\x1b[0m\ufffd');
    expect(sanitizeRow('\x1b[1;31mred\x1b[0m', false)).toBe('red');
  });
});
