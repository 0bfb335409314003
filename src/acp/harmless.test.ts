/** Tests how untrusted text is displayed. */
import fc from 'fast-check';
import { harmless, harmlessLine, harmlessRow, plainToSee } from './harmless.js';

describe('text of an agent', () => {
  it('is shown, and nothing in it is obeyed', () => {
    expect(harmless('a\x1b]52;c;x\x07b\x9b2J\x7f')).toBe('a␛]52;c;x␇b\ufffd2J␡');
    expect(harmless('one\r\ntwo\tthree\r')).toBe('one\ntwo\tthree');
    expect(harmless('a\rb')).toBe('a␍b');
    expect(harmless('\u202egnp.exe\u2066')).toBe('\ufffdgnp.exe\ufffd');
    expect(harmless('a\u200b\u2060\u00ad\u3164\u115f\ufeff')).toBe(`a${'\ufffd'.repeat(6)}`);
    expect(harmless('👩‍👩‍👧 ❤️ é ü 日本')).toBe('👩‍👩‍👧 ❤️ é ü 日本');
    expect(harmlessLine('a\nb\tc\x1b')).toBe('a b c␛');
    expect(harmlessLine('abcdef', 4)).toBe('abc…');
  });

  it('is shown without anything unseen where somebody decides by it', () => {
    expect(plainToSee('a\u200d\u200c\ufe0f\u200bb\x1b')).toBe(`a${'\ufffd'.repeat(4)}b␛`);
    expect(plainToSee(`a${' '.repeat(8)}b${' \t\u3000'.repeat(3)}c`)).toBe(`a${' '.repeat(8)}b ␠×9 c`);
  });

  it('never has a control character but line end and tab left', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(harmless(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      }),
    );
  });

  it('keeps the colours of a row where they are wanted', () => {
    expect(harmlessRow('\x1b[1;31mred\x1b[0m\u202e', true)).toBe('\x1b[1;31mred\x1b[0m\ufffd');
    expect(harmlessRow('\x1b[1;31mred\x1b[0m', false)).toBe('red');
  });
});
