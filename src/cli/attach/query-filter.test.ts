import fc from 'fast-check';
import { QueryFilter } from './query-filter.js';

const RUNS = 500;
const ESC = 0x1b;

function filtered(bytes: Uint8Array, cuts: readonly number[] = []): string {
  const filter = new QueryFilter();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  const parts = places.slice(1).map((place, i) => filter.push(bytes.subarray(places[i], place)));
  return Buffer.concat([...parts, filter.flush()]).toString('latin1');
}

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

const CSI_QUERIES = [
  'c', '0c', '>c', '>0c', '=c', '5n', '6n', '?6n', '?996n', '4$p', '?2026$p', '>q', '>0q', '?u', '14t', '14;2t', '16t',
  '18t', '19t', '20t', '21t', '11t', '13t', '?m', '?4m', '?1;1;0S',
]; // prettier-ignore
const OSC_QUERIES = [
  '4;1;?',
  '4;1;?;2;?',
  '10;?',
  '11;?',
  '12;?',
  '19;?',
  '10;?;?',
  '52;c;?',
  '52;;?',
  '21;foreground=?',
];
const DCS_QUERIES = ['$qm', '$q"p', '$q q', '+q544e', '+q544e;436f', '0$qr'];
const QUERIES = [
  ...CSI_QUERIES.map((body) => `\x1b[${body}`),
  ...OSC_QUERIES.flatMap((body) => [`\x1b]${body}\x07`, `\x1b]${body}\x1b\\`]),
  ...DCS_QUERIES.map((body) => `\x1bP${body}\x1b\\`),
  '\x05',
  '\x1bZ',
];

const NO_QUERIES = [
  '\x1b[?25h', '\x1b[?1049l', '\x1b[4h', '\x1b[2 q', '\x1b[ q', '\x1b[1"q', '\x1b[>1u', '\x1b[<u', '\x1b[=5;1u', '\x1b[u',
  '\x1b[>4;2m', '\x1b[1;31m', '\x1b[4:3m', '\x1b[!p', '\x1b[61"p', '\x1b[>4n', '\x1b[8;24;80t', '\x1b[22;0t', '\x1b[23t',
  '\x1b[2J', '\x1b[H', '\x1b[3S', '\x1b[1\n;2H', '\x1b7', '\x1b(0', '\x1b]0;what?\x07', '\x1b]2;10;?\x1b\\', '\x1b]133;A\x07',
  '\x1b]8;;http://a/?q\x1b\\', '\x1b]52;c;aGk=\x07', '\x1b]4;1;rgb:ff/00/00\x07', '\x1b]11;#000\x1b\\', '\x1b]104\x07',
  '\x1bPq#0;2;0;0;0~~\x1b\\', '\x1bP1$r0m\x1b\\', '\x1b_Ga=T;AAAA\x1b\\', '\x1bc', '\x1b[38;5;9m', '\x1b[0$}', '\x1b#8',
]; // prettier-ignore

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(...NO_QUERIES),
    fc.stringMatching(/^[ -~]{0,20}$/),
    // Characters whose UTF-8 encoding includes bytes of C1 controls.
    fc.constantFrom('✛✜✝', '你好', 'š›œ', '👨‍👩‍👧', 'é\u0301', '\r\n', '\t', '\u0085', '\u009c'),
  ),
  { maxLength: 20 },
);
const cuts = fc.array(fc.nat({ max: 2000 }), { maxLength: 20 });

/** Replaces introducers and terminators with the equivalent C1 controls. */
function withC1(text: string): string {
  return text.replace(/\x1b([[\]P\\Z])/g, (_, control: string) => String.fromCharCode(control.charCodeAt(0) + 0x40));
}

describe('the query filter', () => {
  it.each(QUERIES)('removes %j, in the 7-bit and both 8-bit forms, wherever it is split', (question) => {
    const forms = [Buffer.from(question), Buffer.from(withC1(question)), Buffer.from(withC1(question), 'latin1')];
    for (const form of forms) {
      const bytes = Buffer.concat([Buffer.from('é<'), form, Buffer.from('>é')]);
      for (let cut = 0; cut <= bytes.length; cut++) expect(filtered(bytes, [cut])).toBe(latin1('é<>é'));
      expect(filtered(bytes, [...bytes.keys()])).toBe(latin1('é<>é'));
    }
  });

  it.each(NO_QUERIES)('passes %j', (text) => {
    for (const form of [text, withC1(text)]) {
      const bytes = Buffer.from(`<${form}>`);
      expect(filtered(bytes, [...bytes.keys()])).toBe(latin1(`<${form}>`));
    }
  });

  it('passes everything that is not a query byte for byte, however it is split', () => {
    const property = fc.property(pieces, cuts, (parts, places) => {
      const text = parts.join('');
      expect(filtered(Buffer.from(text), places)).toBe(latin1(text));
    });
    fc.assert(property, { numRuns: RUNS });
  });

  it('gives the same result for any bytes, however they are split', () => {
    const byte = fc.oneof(
      fc.constantFrom(ESC, 0x5b, 0x5d, 0x50, 0x3f, 0x36, 0x6e, 0x9b, 0x9c, 0x9d, 0xc2, 0x07, 0x18, 0x05, 0x3b, 0x34),
      fc.nat({ max: 255 }),
    );
    const property = fc.property(fc.array(byte, { maxLength: 60 }), cuts, (bytes, places) => {
      expect(filtered(Uint8Array.from(bytes), places)).toBe(filtered(Uint8Array.from(bytes)));
    });
    fc.assert(property, { numRuns: RUNS * 4 });
  });

  it('lets control characters within a query take effect', () => {
    expect(filtered(Buffer.from('a\x1b[6\nn\x1b[?\r1\bnb'))).toBe('a\n\r\bb');
  });

  it('removes queries between other output, and a query after an unfinished sequence', () => {
    expect(filtered(Buffer.from('\x1b[1m\x1b[6n\x1b[3\x1b[c\x1b]0;t\x1b[5n\x1b]11;?\x1b[2m'))).toBe(
      '\x1b[1m\x1b[3\x1b]0;t\x1b[2m',
    );
  });

  it('holds back only an unfinished sequence, up to a limit', () => {
    const filter = new QueryFilter();
    expect(Buffer.from(filter.push(Buffer.from('text\x1b['))).toString()).toBe('text');
    expect(Buffer.from(filter.push(Buffer.from('1mmore'))).toString()).toBe('\x1b[1mmore');
    expect(Buffer.from(filter.push(Buffer.from('\x1b]0;a title'))).toString()).toBe('\x1b]0;a title');
    const endless = `\x1b[${'1;'.repeat(5000)}`;
    expect(filter.push(Buffer.from(endless)).length).toBeGreaterThan(8000);
  });
});
