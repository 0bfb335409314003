/** Where commands and lines are among the rows of the emulator. */
import fc from 'fast-check';
import type { CommandRecord } from '../../src/contract/command.js';
import type { OutputPage } from '../../src/contract/output.js';
import { HeadlessTerminal } from '../../src/screen/headless.js';
import { keepErasedRows } from '../../web/src/terminal/erasures.js';
import { CommandMarker } from '../../web/src/terminal/command-marks.js';
import { Painter } from '../../web/src/terminal/painting.js';
import {
  endedLinesOf,
  glyphsIn,
  linesBetween,
  linesOf,
  ownerOf,
  rowsOf,
  rowsOfLines,
} from '../../web/src/terminal/rows.js';
import type { CommandMarks } from '../../web/src/terminal/rows.js';
import { asMcpCall, asOf, linkTo } from '../../web/src/terminal/command-list.js';
import { wouldType } from '../../web/src/terminal/watched-keys.js';

const newTerminal = (cols = 10, rows = 4) =>
  new HeadlessTerminal({ cols, rows, scrollback: 1000, allowProposedApi: true });
const textOf = ({ buffer: { normal } }: HeadlessTerminal, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => normal.getLine(from + index)!.translateToString(true));

describe('lines', () => {
  // Row 0 continues a line whose beginning is gone; rows 2 and 5 continue the ones above them.
  const isWrapped = (row: number): boolean => [0, 2, 5].includes(row);

  test('are counted from a known one, in both directions', () => {
    const rows = rowsOfLines(isWrapped, { row: 4, line: 12 }, 6);
    expect([...rows].sort(([a], [b]) => a - b)).toEqual([
      [10, 1],
      [11, 3],
      [12, 4],
      [13, 6],
    ]);
    expect(linesBetween(isWrapped, 1, 5)).toBe(3);
  });

  test('lead to the rows of a command that was printed earlier', () => {
    const rows = rowsOfLines(isWrapped, { row: 4, line: 12 }, 6);
    const found = (fromLine: number, toLine: number | null) =>
      rowsOf({ commandId: 1, fromLine, toLine }, rows, 10, isWrapped);
    expect(found(11, 13)).toEqual({ typed: 1, begin: 3, end: 6 });
    expect(found(3, null)).toEqual({ typed: -1, begin: -1, end: null });
    expect([found(3, 9), found(12, 99)]).toEqual([null, null]);
  });

  test('are those above a screen if the page was read at the same offset, or no line has left it since', () => {
    const page = (fields: object) =>
      ({ output: 'a\nb\nc', fromLine: 7, mutableFrom: 9, isActive: true, ...fields }) as OutputPage;
    const stats = { totalBytes: 100, linesShown: 3 };
    expect(linesOf(page({ stats }), 100, null)).toEqual({ from: 7, lines: ['a', 'b'] });
    expect(linesOf(page({ stats }), 99, 9)).toEqual({ from: 7, lines: ['a', 'b'] });
    expect(linesOf(page({ stats, mutableFrom: 7 }), 100, null)).toEqual({ from: 7, lines: [] });
    expect([linesOf(page({ stats }), 99, 8), linesOf(page({ stats, isActive: false }), 100, 9)]).toEqual([null, null]);
  });
});

describe('the last screen of a program', () => {
  const page = (...lines: string[]) =>
    ({ output: lines.join('\n'), totalLines: 50, stats: { linesShown: lines.length } }) as OutputPage;

  test('shows the last lines, and the others are above it', () => {
    const lines = ['first', '\x1b[31mabcdef\x1b[0m', '', 'last', ''];
    expect(endedLinesOf(page(...lines), ['abcd', 'ef', '', 'last', '', ''])).toEqual({
      ...{ from: 45, lines: ['first'], screen: lines.slice(1) },
    });
    expect(endedLinesOf(page('a'), ['', ''])).toEqual({ from: 49, lines: ['a'], screen: [] });
  });

  test('may show something else', () => {
    expect(endedLinesOf(page('first', 'last'), ['rst', 'last'])).toBeNull();
    expect(endedLinesOf(page('first', 'last'), ['other', 'last'])).toBeNull();
    expect(endedLinesOf(page('last'), ['', 'last'])).toBeNull();
  });
});

describe('the command at a row', () => {
  const marks = (commandId: number, begin: number, end: number | null): CommandMarks => ({
    ...{ commandId, typed: { line: begin - 1 }, begin: { line: begin } },
    end: end === null ? null : { line: end },
  });
  const all = [marks(1, -1, 4), marks(2, 6, null), marks(3, 8, 10)];

  test('is the innermost one whose output it shows', () => {
    expect([0, 3, 4, 5, 6, 8, 10].map((row) => ownerOf(all, row))).toEqual([1, 1, null, null, 2, 3, 2]);
  });

  test('has its glyph at the line that it was typed in', () => {
    expect(glyphsIn(all, 5, 2)).toEqual([{ commandId: 2, index: 0 }]);
  });
});

test('a screen is painted below the lines above it, whatever their lengths', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 9 }), fc.integer({ min: 1, max: 5 }), async (lines, rows) => {
      const terminal = newTerminal(10, rows);
      const painter = new Painter(terminal);
      const screen = { cols: 10, rows, data: 'screen' };
      const painted: unknown[] = [];
      void painter.write('before');
      void painter.paint(screen, Promise.resolve({ from: 5, lines }), (above) => painted.push(above));
      await painter.write('!');
      const { baseY } = terminal.buffer.normal;
      const cut = (text: string): string[] => text.match(/.{1,10}/g) ?? [''];
      expect(textOf(terminal, 0, baseY)).toEqual(lines.flatMap(cut));
      expect(textOf(terminal, baseY, baseY + rows).join('')).toBe('screen!');
      expect(painted).toEqual([{ from: 5, lines }]);
    }),
    { numRuns: 30 },
  );
});

test('a screen that begins in the middle of a line has nothing above it', async () => {
  const terminal = newTerminal();
  const screen = { cols: 10, rows: 4, data: `\x1b[1;10Hxy\x1b[1;1H\x1b[M` };
  const painted: unknown[] = [];
  await new Painter(terminal).paint(screen, Promise.resolve({ from: 0, lines: ['a'] }), (above) => painted.push(above));
  expect([terminal.buffer.normal.baseY, painted]).toEqual([0, [null]]);
});

describe('a command', () => {
  const command = (fields: object) => ({ commandId: 1, toLine: null, ...fields }) as CommandRecord;
  const write = (terminal: HeadlessTerminal, text: string): Promise<void> =>
    new Promise((resolve) => {
      terminal.write(text, resolve);
    });

  function marked() {
    const terminal = newTerminal();
    const all: { value: readonly CommandMarks[]; peek(): readonly CommandMarks[] } = {
      value: [],
      peek: () => all.value,
    };
    return { terminal, all, marker: new CommandMarker(terminal as never, all as never) };
  }
  const rows = (all: { value: readonly CommandMarks[] }) =>
    all.value.map(({ typed, begin, end }) => [typed?.line, begin?.line, end?.line]);

  test('is marked where the cursor is when it begins and ends, and the rows move with the output', async () => {
    const { terminal, all, marker } = marked();
    await write(terminal, 'before\r\n$ a long command\r\n');
    marker.began(command({}));
    marker.began(command({}));
    await write(terminal, 'output\r\n');
    marker.ended(command({}));
    expect(rows(all)).toEqual([[1, 3, 4]]);
    await write(terminal, '\n'.repeat(1001));
    expect(rows(all)).toEqual([[-1, 1, 2]]);
  });

  test('is not marked on the screen of a full-screen program', async () => {
    const { terminal, all, marker } = marked();
    await write(terminal, '\x1b[?1049h');
    marker.began(command({}));
    expect(all.value).toEqual([]);
  });

  test('is marked by its lines on a screen just painted', async () => {
    const { terminal, all, marker } = marked();
    await write(terminal, 'a\r\n$ x\r\nout\r\n$ y\r\nout\r\nout\r\n');
    const above = { from: 10, lines: ['a', '$ x', 'out'] };
    marker.place([command({ fromLine: 12, toLine: 13 }), command({ commandId: 2, fromLine: 14 })], above);
    expect(terminal.buffer.normal.baseY).toBe(3);
    expect(rows(all)).toEqual([
      [1, 2, 3],
      [3, 4, undefined],
    ]);
  });

  test('is marked on a hidden screen when it is shown again', async () => {
    const { terminal, all, marker } = marked();
    await write(terminal, '$ x\r\nout\r\n\x1b[?1049hfull screen');
    marker.place([command({ fromLine: 6, toLine: 7 })], { from: 5, lines: [] });
    expect(all.value).toEqual([]);
    await write(terminal, '\x1b[?1049l');
    expect(rows(all)).toEqual([[0, 1, 2]]);
    marker.clear();
    await write(terminal, '\x1b[?1049h\x1b[?1049l');
    expect(all.value).toEqual([]);
  });

  test('that began later is not on the screen, and one that ended later is running', () => {
    const all = [
      { fromOffset: 0, toOffset: 9, toLine: 1 },
      { fromOffset: 10, toOffset: 30, toLine: 2 },
      { fromOffset: 31, toOffset: null, toLine: null },
    ];
    expect(asOf(all, 20)).toEqual([all[0], { ...all[1], toLine: null }]);
  });

  test('is copied as the arguments of the MCP tool, and as a link to its output', () => {
    expect(JSON.parse(asMcpCall('abc', `echo "x"`))).toEqual({ action: 'EXEC', id: 'abc', command: 'echo "x"' });
    expect(linkTo('http://h', 'a b', { fromLine: 7 })).toBe('http://h/terminals/a%20b/history#L7');
  });
});

describe('a screen that is erased as a whole', () => {
  async function erasedWith(sequence: string): Promise<string[]> {
    const terminal = newTerminal();
    keepErasedRows(terminal, () => {});
    await new Promise<void>((resolve) => {
      terminal.write(`a\r\nb\r\nc${sequence}new`, resolve);
    });
    return textOf(terminal, 0, terminal.buffer.normal.baseY + 1);
  }

  test('moves above the new one, as in the history', async () => {
    expect(await erasedWith('\x1b[H\x1b[2J')).toEqual(['a', 'b', 'c', 'new']);
    expect(await erasedWith('\x1b[H\x1b[J')).toEqual(['a', 'b', 'c', 'new']);
  });

  test('does not if only a part is erased, or a part of the screen scrolls', async () => {
    expect(await erasedWith('\x1b[2;1H\x1b[J')).toEqual(['a']);
    expect(await erasedWith('\x1b[2;3r\x1b[H\x1b[2J')).toEqual(['new']);
    expect(await erasedWith('\x1b[?1049h\x1b[H\x1b[2J')).toEqual(['a']);
  });
});

test('keys that would type are told from those of the browser', () => {
  const pressed = (key: string, modifiers = {}) =>
    wouldType({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...modifiers });
  expect(['x', 'Enter', 'ArrowUp', 'Shift', 'Tab', 'F5'].map((key) => pressed(key))).toEqual([
    ...[true, true, true],
    ...[false, false, false],
  ]);
  expect([pressed('c', { ctrlKey: true }), pressed('t', { ctrlKey: true }), pressed('v', { metaKey: true })]).toEqual([
    ...[true, false, false],
  ]);
});
