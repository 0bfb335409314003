import { Screen } from './screen.js';
import type { Row } from './screen.js';

function screenOf(cols = 20, rows = 5): { screen: Screen; left: Row[]; replies: string[] } {
  const left: Row[] = [];
  const replies: string[] = [];
  const screen = new Screen(cols, rows, {
    onRowLeft: (row) => left.push(row),
    onReply: (reply) => replies.push(reply),
  });
  return { screen, left, replies };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('Screen', () => {
  it.each([
    ['the cursor position', '\x1b[2;3H\x1b[6n', '\x1b[2;3R'],
    ['the status', '\x1b[5n', '\x1b[0n'],
    ['the kind of terminal', '\x1b[c', '\x1b[?1;2c'],
    ['the version', '\x1b[>q', '\x1bP>|tenacitty\x1b\\'],
    ['the size in characters', '\x1b[18t', '\x1b[8;5;20t'],
    ['its background', '\x1b]11;?\x07', '\x1b]11;rgb:0000/0000/0000\x1b\\'],
    ['its text colour', '\x1b]10;?\x1b\\', '\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\'],
    ['its keyboard protocol', '\x1b[?u', '\x1b[?0u'],
  ])('answers the query for %s', (_what, question, answer) => {
    const { screen, replies } = screenOf();
    screen.write(bytes(question));
    expect(replies).toEqual([answer]);
  });

  it.each([
    ['within a line', ['caf\xe9 na\xefve'], 'caf\ufffd na\ufffdve'],
    ['at the end of a line', ['plain \xe9\r'], 'plain \ufffd'],
    ['alone, and cut off', ['x\x80y\xc3\r'], 'x\ufffdy\ufffd'],
    ['in parts, and next to valid text', ['\xc3', '\xa9\xe2\x82', 'z'], 'é\ufffdz'],
    ['in colour', ['\x1b[31m\xff\x1b[0m!'], '\ufffd!'],
  ])('shows U+FFFD for invalid UTF-8: %s', (_where, pieces, expected) => {
    const { screen } = screenOf();
    for (const piece of pieces) screen.write(Buffer.from(piece, 'latin1'));
    expect(screen.snapshot('text').lines[0]).toBe(expected);
  });

  it('does not report its title, and keeps no control characters in it', () => {
    const { screen, replies } = screenOf();
    screen.write(bytes('\x1b]0;a title\x07\x1b[21t'));
    expect([screen.title, replies]).toEqual(['a title', []]);
    screen.write(bytes(`\x1b]2;${'x'.repeat(5000)}\x07`));
    expect(screen.title).toHaveLength(1024);
  });

  it('hands over the rows that leave it, with their wrapping', () => {
    const { screen, left } = screenOf(4, 2);
    screen.write(bytes('abcdef\r\n\x1b[31mred\x1b[0m\r\nx'));
    expect(left).toEqual([
      { ansi: 'abcd', isWrapped: false, continues: true },
      { ansi: 'ef', isWrapped: true, continues: false },
    ]);
    expect(screen.snapshot('ansi').lines).toEqual(['\x1b[31mred\x1b[0m', 'x']);
  });

  it('hands over rows that are erased completely, in each way to do that', () => {
    for (const wipe of ['\x1b[2J', '\x1b[H\x1b[J', '\x1bc']) {
      const { screen, left } = screenOf();
      screen.write(bytes(`one\r\ntwo${wipe}`));
      expect(left.map(({ ansi }) => ansi)).toEqual(['one', 'two']);
    }
  });

  it('hands over nothing of the alternate screen', () => {
    const { screen, left } = screenOf();
    screen.write(bytes(`before\x1b[?1049h${'line\r\n'.repeat(50)}\x1b[2J`));
    expect(screen.snapshot('text')).toMatchObject({ alternate: true });
    screen.write(bytes('\x1b[?1049l'));
    expect([left, screen.snapshot('text').lines[0]]).toEqual([[], 'before']);
  });

  it('keeps a character whose bytes arrive one by one', () => {
    const { screen } = screenOf();
    for (const byte of bytes('—€😀é')) screen.write(Uint8Array.of(byte));
    expect(screen.snapshot('text').lines[0]).toBe('—€😀é');
  });

  it('shows each colour and attribute', () => {
    const { screen } = screenOf(80, 2);
    const styled = [
      '\x1b[1;2;3;5;7;8;9;53ma\x1b[0m',
      '\x1b[4;31;42mb\x1b[0m',
      '\x1b[4:3;91;102mc\x1b[0m',
      '\x1b[38;5;208;48;5;17md\x1b[0m',
      '\x1b[38;2;1;2;3;48;2;4;5;6me\x1b[0m',
      '\x1b[4;58;2;7;8;9mf\x1b[0m',
    ].join('');
    screen.write(bytes(styled));
    expect(screen.snapshot('ansi').lines[0]).toBe(styled);
  });
});
