import fc from 'fast-check';
import { literalPattern, regexPattern } from './pattern.js';
import type { Pattern } from './pattern.js';
import { OutputSearch } from './output-search.js';
import type { OutputMatch } from './output-search.js';
import { OutputText } from './output-text.js';

/** A piece of output: as it is written, and as it is searched. */
interface Token {
  readonly raw: string;
  readonly text: string;
}

const invisible = (...all: string[]): Token[] => all.map((raw) => ({ raw, text: '' }));

const WORD = fc
  .string({ unit: fc.constantFrom(...'abcxyz 0189.:é漢🙂'), minLength: 1, maxLength: 12 })
  .map((text) => ({ raw: text, text }));
const SEQUENCE = fc.constantFrom(
  ...invisible('\x1b[31m', '\x1b[m', '\x1b[?2004h', '\x1b[2;5H', '\x1b(B', '\x1b=', '\x1b7', '\x1b[>4;1m', '\x1b[0 q'),
  ...invisible(
    '\x1b]0;a title\x07',
    '\x1b]8;;http://x/\x1b\\',
    '\x1bPq#1;abc\x1b\\',
    '\x1b_app\x1b\\',
    '\x1b]7;file\x18',
  ),
);
const LINE_END = fc.constantFrom('\r\n', '\n', '\r\r\n').map((raw) => ({ raw, text: '\n' }));
const OVERWRITTEN = fc.constant({ raw: '\rx', text: '\nx' });
const OUTPUT = fc.array(fc.oneof(WORD, SEQUENCE, LINE_END, OVERWRITTEN), { maxLength: 40 });
const CUTS = fc.array(fc.nat({ max: 400 }), { maxLength: 12 });

function joined(tokens: readonly Token[], part: keyof Token): string {
  return tokens.map((token) => token[part]).join('');
}

/** Feeds output split at these places, as a terminal's output grows: what was not taken is passed again. */
function feed(raw: Buffer, cuts: readonly number[], from: number, take: (bytes: Buffer, at: number) => number): void {
  let at = 0;
  for (const cut of [...cuts, raw.length].sort((a, b) => a - b)) {
    if (cut > at) at += take(raw.subarray(at, cut), from + at);
  }
}

function searchAll(pattern: Pattern[], raw: Buffer, cuts: readonly number[] = []): OutputMatch | null {
  const search = new OutputSearch(pattern, 0);
  let found: OutputMatch | null = null;
  feed(raw, cuts, 0, (bytes, at) => {
    found ??= search.take(bytes);
    return search.position - at;
  });
  return found;
}

describe('output as text', () => {
  it('contains no escape sequences, wherever it is split, and each position has its offset', () => {
    fc.assert(
      fc.property(OUTPUT, CUTS, fc.nat({ max: 1e9 }), (tokens, cuts, from) => {
        // Text at the end, so that no sequence is unfinished.
        const raw = Buffer.from(`${joined(tokens, 'raw')}|`);
        const output = new OutputText();
        let text = '';
        feed(raw, cuts, from, (bytes, at) => {
          const { piece, taken } = output.take(bytes, at);
          text += piece.text;
          for (let length = 1; length <= piece.text.length; length++) {
            const last = raw[piece.offsetBehind(length) - 1 - from];
            const isLineEnd = piece.text[length - 1] === '\n';
            expect(isLineEnd ? [0x0a, 0x0d] : [piece.text.charCodeAt(length - 1)]).toContain(last);
          }
          return taken;
        });
        expect(Buffer.from(text, 'latin1').toString()).toBe(`${joined(tokens, 'text')}|`);
      }),
    );
  });

  it('continues after an unfinished sequence, and drops one without an end', () => {
    const textOf = (raw: string) => new OutputText().take(Buffer.from(raw), 0).piece.text;
    expect(textOf('a\x1b[3\x07b')).toBe('a\x07b');
    expect(textOf(`a\x1b[${'1;'.repeat(5000)}`)).toBe('a');
    expect(textOf('a\x1b]0;never ended')).toBe('a');
  });
});

describe('a search', () => {
  it('finds a text wherever the output is split, and ends right after it', () => {
    fc.assert(
      fc.property(OUTPUT, OUTPUT, CUTS, (before, after, cuts) => {
        const raw = `${joined(before, 'raw')}\x1b[1mREA\x1b[0mDY`;
        const found = searchAll([literalPattern('READY')], Buffer.from(`${raw}${joined(after, 'raw')}|`), cuts);
        expect(found).toMatchObject({ reason: 'text', match: { text: 'READY' }, offset: Buffer.byteLength(raw) });
        expect(found!.match.line).toContain('READY');
      }),
    );
  });

  it('finds a match of a regular expression wherever the output is split, with its groups', () => {
    fc.assert(
      fc.property(OUTPUT, CUTS, (before, cuts) => {
        const raw = Buffer.from(`${joined(before, 'raw')}\nPORT \x1b[32m80\x1b[m80 é;(KEY)?\r\nrest`);
        const found = searchAll([regexPattern('^PORT (\\d+) (é);(\\d)?')], raw, cuts);
        const match = {
          text: 'PORT 8080 é;',
          line: expect.stringContaining('PORT 8080 é;'),
          groups: ['8080', 'é', null],
        };
        // More digits may follow: what matters is that the match is found, and where it begins.
        expect(found).toMatchObject({ reason: 'regex', match });
        expect(raw.subarray(0, found!.offset).toString().endsWith('é;')).toBe(true);
      }),
    );
  });

  it('returns the line and the groups of a match', () => {
    const raw = Buffer.from('first\r\n\x1b[1mListening\x1b[m on :3000 now\r\nlast');
    const found = searchAll([regexPattern('on :(\\d+)( x)?')], raw);
    const match = { text: 'on :3000', line: 'Listening on :3000 now', groups: ['3000', null] };
    expect(found).toEqual({ reason: 'regex', match, offset: raw.indexOf(' now') });
  });

  it('returns the earlier match of two patterns', () => {
    const patterns = [literalPattern('late'), regexPattern('ear(ly)')];
    expect(searchAll(patterns, Buffer.from('early, late'))).toMatchObject({
      reason: 'regex',
      match: { text: 'early' },
    });
    expect(searchAll(patterns, Buffer.from('late, early'))).toMatchObject({ reason: 'text', match: { text: 'late' } });
  });

  it('skips megabytes and still finds text across their boundaries', () => {
    const filler = Buffer.from('0123456789 plain line of a log\r\n'.repeat(2000));
    fc.assert(
      fc.property(fc.nat({ max: filler.length }), fc.array(fc.nat({ max: 130_000 }), { maxLength: 6 }), (at, cuts) => {
        const raw = Buffer.concat([filler.subarray(0, at), Buffer.from('NEEDLE'), filler.subarray(at), filler]);
        expect(searchAll([literalPattern('NEEDLE')], raw, cuts)).toMatchObject({ offset: at + 6 });
        const none = new OutputSearch([literalPattern('NEEDLES')], 0);
        feed(raw, cuts, 0, (bytes, offset) => {
          expect(none.take(bytes)).toBeNull();
          return none.position - offset;
        });
        expect(raw.length - none.position).toBeLessThan(20);
      }),
      { numRuns: 30 },
    );
  });

  it('finds nothing across a gap', () => {
    const search = new OutputSearch([literalPattern('ab')], 0);
    expect(search.take(Buffer.from('xa'))).toBeNull();
    search.skipTo(100);
    expect(search.take(Buffer.from('bx'))).toBeNull();
    expect(search.take(Buffer.from('ab'))).toMatchObject({ offset: 104 });
  });

  it('continues on a line that has only begun', () => {
    const search = new OutputSearch([literalPattern('ready now')], 10);
    expect(search.take(Buffer.from('one\r\n\x1b[1mready n'))).toBeNull();
    expect(search.resumeAt).toBe(10 + 5 + 4);
    search.take(Buffer.from('o\r\n..'));
    search.take(Buffer.from('.\r\n'));
    // The line ending may be part of CR CR LF.
    expect(search.resumeAt).toBe(search.position);
  });

  it('finds text as long as the window, and drops what precedes it', () => {
    const long = `<${'x'.repeat(60_000)}>`;
    const raw = Buffer.from(`${'filler '.repeat(20_000)}${long}`);
    const cuts = Array.from({ length: 60 }, (_, index) => index * 3333);
    expect(searchAll([regexPattern('<x+>')], raw, cuts)?.match.text).toHaveLength(long.length);
  });
});

describe('a regular expression', () => {
  it.each(['(', 'a(?=b)', '(a)\\1', '[z-a]', 'a**', '(?<!a)b', '', 'x*', '^'])(
    '%j is refused with the name of the field',
    (source) => {
      const refusal = { code: 'INVALID_INPUT', details: { issues: [expect.objectContaining({ field: 'regex' })] } };
      expect(() => regexPattern(source)).toThrow(expect.objectContaining(refusal));
    },
  );

  it('takes time linear in the text, for any expression', () => {
    const text = 'a'.repeat(64 << 10);
    // Each of these would take a backtracking engine longer than the time limit.
    for (const source of ['(a*)*b', '(a|a)*b', '(a+a+)+b', '(.*)*x.*y', '([a-z]+)+[0-9]']) {
      expect(regexPattern(source).find(text, 0)).toBeNull();
    }
  });
});
