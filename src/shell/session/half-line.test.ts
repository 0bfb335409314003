import fc from 'fast-check';
import { HalfLine } from './half-line.js';

function lineOf(...typed: string[]): string {
  const line = new HalfLine();
  for (const text of typed) line.add(Buffer.from(text));
  return line.bytes.toString();
}

describe('what is half typed', () => {
  it.each([
    ['is what was typed since the last Enter', ['ls\recho h', 'al'], 'echo hal'],
    ['has its corrections in it, to be made again', ['echo x\x7fy'], 'echo x\x7fy'],
    ['is gone after Ctrl-C', ['echo hal\x03'], ''],
    ['is gone after Ctrl-U, and begins anew', ['echo hal\x15ls'], 'ls'],
    ['is not repeated where keys have recalled or moved', ['ec\x1b[Aho'], ''],
    ['is repeated again after a line in which they have', ['\x10\recho'], 'echo'],
    ['is not repeated when it is too long to be typed by hand', ['x'.repeat(4097)], ''],
  ])('%s', (_what, typed, expected) => {
    expect(lineOf(...typed)).toBe(expected);
  });

  it('tells the lines that were ended, but for blank ones and what keys have changed', () => {
    const line = new HalfLine();
    const entered = [' echo h', 'al \rls\r\r \rech\x7fho\r\x1b[A\rpwd'].map((text) => line.add(Buffer.from(text)));
    expect(entered).toEqual([[], ['echo hal', 'ls']]);
  });

  it('is the same in whatever pieces it was typed', () => {
    const typed = fc.array(fc.constantFrom('a', 'ü', ' ', '\r', '\n', '\x03', '\x15', '\x1b[D', '\x7f'));
    fc.assert(fc.property(typed, (pieces) => expect(lineOf(...pieces)).toBe(lineOf(pieces.join('')))));
  });
});
