import { createEmulator } from '../screen/emulator.js';
import { rowText } from '../screen/row.js';
import { isPlain, plainRanges } from './plain-text.js';

describe('isPlain', () => {
  it('is false for every character that the emulator does not simply print', () => {
    const { core } = createEmulator(8, 2);
    const wrong: string[] = [];
    for (const [first, last] of plainRanges) {
      for (let code = first; code <= last; code++) {
        const text = `a${String.fromCodePoint(code).repeat(2)}b`;
        core.write(`\x1b[H\x1b[2J${text}`);
        const line = core.buffers.normal.lines.get(0)!;
        if (rowText(line, line.getTrimmedLength()) !== text) wrong.push(code.toString(16));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is false for every character that joins with the one before it', () => {
    const { core } = createEmulator(80, 2);
    const widthOf = (text: string): number => {
      core.write(`\x1b[H\x1b[2J${text}`);
      return core.buffers.normal.x;
    };
    const wrong: string[] = [];
    for (const [first, last] of plainRanges) {
      for (let code = first; code <= last; code++) {
        const char = String.fromCodePoint(code);
        if (widthOf(char + char) !== 2 * widthOf(char) || widthOf(`a${char}b`) !== 2 + widthOf(char)) {
          wrong.push(code.toString(16));
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is false for control characters, joiners, marks and bytes that are not text', () => {
    const others = [
      0x80, 0x85, 0x9b, 0xad, 0x300, 0x200d, 0xfe0f, 0xfeff, 0xd800, 0x1f1e6, 0x1f3fb, 0x1100, 0xfffd, 0x20000,
    ];
    expect(others.filter(isPlain)).toEqual([]);
  });
});

describe('the emulator', () => {
  it.each([
    ['👍', 2],
    ['👨‍👩‍👧', 2],
    ['☠️', 2],
    ['你', 2],
    ['é', 1],
    ['e\u0301', 1],
  ])('gives %s the width %i', (text, width) => {
    const { core } = createEmulator(8, 2);
    core.write(text);
    expect(core.buffers.normal.x).toBe(width);
  });
});
