import fc from 'fast-check';
import { UnfinishedLine } from './unfinished-line.js';

function lineOf(...typed: string[]): string {
  const line = new UnfinishedLine();
  for (const text of typed) line.add(Buffer.from(text));
  return line.bytes.toString();
}

describe('an unfinished line', () => {
  it.each([
    ['is what was typed since the last Enter', ['ls\recho h', 'al'], 'echo hal'],
    ['contains its corrections, which are repeated', ['echo x\x7fy'], 'echo x\x7fy'],
    ['is gone after Ctrl-C', ['echo hal\x03'], ''],
    ['is empty after Ctrl-U, and starts again', ['echo hal\x15ls'], 'ls'],
    ['is not repeated if keys have recalled or moved text', ['ec\x1b[Aho'], ''],
    ['is repeated again after a line with such keys', ['\x10\recho'], 'echo'],
    ['is not repeated if it is too long to be typed by hand', ['x'.repeat(4097)], ''],
  ])('%s', (_what, typed, expected) => {
    expect(lineOf(...typed)).toBe(expected);
  });

  it('returns the lines that were ended, except blank ones and those changed by editing keys', () => {
    const line = new UnfinishedLine();
    const entered = [' echo h', 'al \rls\r\r \rech\x7fho\r\x1b[A\rpwd'].map((text) => line.add(Buffer.from(text)));
    expect(entered).toEqual([[], ['echo hal', 'ls']]);
  });

  it('is the same however the input is split', () => {
    const typed = fc.array(fc.constantFrom('a', 'ü', ' ', '\r', '\n', '\x03', '\x15', '\x1b[D', '\x7f'));
    fc.assert(fc.property(typed, (pieces) => expect(lineOf(...pieces)).toBe(lineOf(pieces.join('')))));
  });
});
