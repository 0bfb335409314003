/**
 * Tests that marks are found wherever the output is split, and that no other output is lost, changed or taken for a
 * mark.
 */
import fc from 'fast-check';
import { MarkFilter } from './mark-filter.js';
import { MAX_MARK_BYTES, parseMark } from './marker.js';
import type { Mark } from './marker.js';

const NONCE = 'n0nce';
const MARK = `\x1b]7717;${NONCE};B;42;7\x07`;

/** Filters the pieces: returns the text in one string, and the marks, each with the length of the text before it. */
function filtered(pieces: readonly Buffer[]): { text: string; marks: { at: number; mark: Mark }[] } {
  const text: Buffer[] = [];
  const marks: { at: number; mark: Mark }[] = [];
  const length = (): number => text.reduce((sum, piece) => sum + piece.length, 0);
  const filter = new MarkFilter(NONCE, {
    onText: (bytes) => text.push(Buffer.from(bytes)),
    onMark: (mark) => marks.push({ at: length(), mark }),
  });
  for (const piece of pieces) filter.take(piece);
  filter.end();
  return { text: Buffer.concat(text).toString('latin1'), marks };
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => bytes.subarray(from, at[i] ?? bytes.length));
}

/** Text with many sequences that look like marks but are not. */
const text = fc
  .array(fc.constantFrom('a', '\x1b', '\x1b]', '\x1b]7717', '\x1b]7717;', ';', '\x07', '\r\n', `\x1b]7717;x;B;1\x07`))
  .map((parts) => parts.join(''));

describe('the mark filter', () => {
  it('finds each mark and passes everything else, however the output is split', () => {
    const places = fc.array(fc.nat(1000), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.boolean())), places, (parts, cuts) => {
        const whole = parts.map(([part, isMarked]) => part + (isMarked ? MARK : '')).join('');
        const expected = filtered([Buffer.from(whole, 'latin1')]);
        const bytes = Buffer.from(whole, 'latin1');
        expect(filtered(cut(bytes, cuts))).toEqual(expected);
        expect(expected.text.length + expected.marks.length * MARK.length).toBe(whole.length);
        expect(expected.marks.length).toBe(whole.split(MARK).length - 1);
      }),
    );
  });

  it('reports the position of a mark', () => {
    const mark = { verb: 'promptEnd', instance: 42, history: 7 };
    expect(filtered([Buffer.from(`ab${MARK}c`)])).toEqual({ text: 'abc', marks: [{ at: 2, mark }] });
  });

  it('gives up on a mark that is too long', () => {
    const endless = `\x1b]7717;${NONCE};${'x'.repeat(MAX_MARK_BYTES)}`;
    const filter = new MarkFilter(NONCE, { onText: () => {}, onMark: () => {} });
    filter.take(Buffer.from(endless));
    expect(filter.pending.length).toBeLessThan(MAX_MARK_BYTES);
    expect(filtered([Buffer.from(endless)]).text).toBe(endless);
  });

  it('continues the state of another filter', () => {
    const first = new MarkFilter(NONCE, { onText: () => {}, onMark: () => {} });
    first.take(Buffer.from(MARK.slice(0, 12)));
    const marks: Mark[] = [];
    const second = new MarkFilter(NONCE, { onText: () => {}, onMark: (mark) => marks.push(mark) }, first.pending);
    second.take(Buffer.from(MARK.slice(12)));
    expect(marks).toHaveLength(1);
  });

  it('accepts marks of other shells as long as they are expected, and reports their shell', () => {
    const text: string[] = [];
    const nonces: string[] = [];
    const onText = (bytes: Buffer): number => text.push(bytes.toString('latin1'));
    const filter = new MarkFilter(NONCE, { onText, onMark: (_mark, nonce) => nonces.push(nonce) });
    const other = '\x1b]7717;other;A;7\x07';
    filter.take(Buffer.from(other));
    filter.expect('other');
    filter.take(Buffer.from(other + MARK));
    filter.forget('other');
    filter.take(Buffer.from(other));
    expect({ text, nonces }).toEqual({ text: [other, other], nonces: ['other', NONCE] });
  });
});

describe('a mark', () => {
  it.each([
    ['I;42;bash;5.2', { verb: 'loaded', instance: 42, program: 'bash', version: '5.2' }],
    ['N;17;42;zsh', { verb: 'asks', command: 17, instance: 42, program: 'zsh' }],
    ['N;17;42', { verb: 'asks', command: 17, instance: 42, program: '' }],
    ['A;42', { verb: 'promptStart', instance: 42 }],
    ['B;42', { verb: 'promptEnd', instance: 42, history: null }],
    ['F;42', { verb: 'continuation', instance: 42 }],
    ['R;42;0', { verb: 'parked', instance: 42, isEmpty: true }],
    ['R;42;7', { verb: 'parked', instance: 42, isEmpty: false }],
    ['C;0;42', { verb: 'began', command: 0, instance: 42 }],
    ['D;7;;42;/a', { verb: 'ended', command: 7, status: null, instance: 42, directory: '/a' }],
    ['D;7;3;42;/a;b', { verb: 'ended', command: 7, status: 3, instance: 42, directory: '/a;b' }],
    [
      'D;h9;127:7:3;42;',
      { verb: 'returned', turn: 9, status: 127, notedCommand: 7, notedStatus: 3, instance: 42, directory: null },
    ],
    ['D;h9;1::;42;', { verb: 'returned', turn: 9, status: 1, instance: 42, directory: null }],
    ['D;h9;0;42;', { verb: 'returned', turn: 9, status: 0, instance: 42, directory: null }],
  ])('is parsed: %s', (fields, mark) => {
    expect(parseMark(`${NONCE};${fields}`, NONCE)).toEqual(mark);
  });

  it.each(['', 'A', 'A;x', 'C;1', 'D;h$((i=i+1));0;42;/', 'D;h1;;42;/', 'X;42', 'toString;1'])(
    'is not: %s',
    (fields) => {
      expect(parseMark(`${NONCE};${fields}`, NONCE)).toBeNull();
    },
  );

  it('does not have another nonce', () => {
    expect(parseMark('other;A;42', NONCE)).toBeNull();
  });
});
