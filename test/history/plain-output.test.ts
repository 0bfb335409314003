/** Tests that plain output is rendered the same with and without an emulator. */
import fc from 'fast-check';
import { MAX_PLAIN_OUTPUT_BYTES, plainView } from '../../src/transcript/plain-output.js';
import { linesOf, screenOf, unboundedTranscript } from './shown.js';
import { steps } from './output-arbitrary.js';
import { runs } from '../deep.js';

const RUNS = runs({ normal: 300, deep: 1000 });
const SEED = 20_261_121;

const output = steps.map((all) => Buffer.concat(all.flatMap((step) => (step.type === 'write' ? [step.bytes] : []))));
const plainPiece = fc.constantFrom(
  ...['a', 'word ', ' ', '\t', '你好', '—', '\x1b[31m', '\x1b[m', '\x1b[48;5;7m', '\x1b[K', '\r\n', '\r\n', '\r'],
);
const plainOutput = fc.array(plainPiece, { maxLength: 30 }).map((pieces) => Buffer.from(pieces.join('')));

/** Returns coloured lines as a screen shows them, whichever sequences set the colours. */
function drawn(ansi: readonly string[], cols: number): unknown {
  const screen = unboundedTranscript(cols, ansi.length + 2);
  for (const line of ansi) screen.append(Buffer.from(`${line}\x1b[0m\r\n`));
  return screenOf(screen);
}

function linesAt<Line>(total: number, lineOf: (n: number) => Line): Line[] {
  return Array.from({ length: total }, (_, n) => lineOf(n));
}

describe('plain output', () => {
  it('has the emulator’s lines and colours, for any output', () => {
    let plain = 0;
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), fc.oneof(output, plainOutput), (cols, bytes) => {
        const view = plainView('a', bytes, cols);
        if (view === null) return;
        plain++;
        const transcript = unboundedTranscript(cols, 5);
        transcript.append(bytes);
        transcript.finish();
        const emulated = transcript.view();
        expect(linesAt(view.total, view.text)).toEqual(linesOf(transcript));
        expect(drawn(linesAt(view.total, view.ansi), 80)).toEqual(drawn(linesAt(emulated.total, emulated.ansi), 80));
        expect([view.outputEnd, view.fingerprint]).toEqual([emulated.outputEnd, emulated.fingerprint]);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(plain).toBeGreaterThan(RUNS / 10);
  });

  it.each([
    ['nothing', '', []],
    ['a line without an end', 'a\r\nb', ['a', 'b']],
    ['a colour after the last line', '\x1b[31ma\r\n\x1b[m', ['a']],
    ['empty lines', '\r\n\r\n', ['', '']],
    ['a line that is wider than the screen', `${'x'.repeat(200)}\r\n`, ['x'.repeat(200)]],
  ])('is %s', (_what, text, lines) => {
    const view = plainView('a', Buffer.from(text), 80)!;
    expect(linesAt(view.total, view.text)).toEqual(lines);
    expect(view.bytes(0, text.length).toString()).toBe(text);
  });

  it.each([
    ['moves the cursor', 'a\x1b[Ab'],
    ['overwrites', '10%\r20%'],
    ['is cut in the middle of a character', '\xe4\xbd'],
    ['is too long', 'x\r\n'.repeat(MAX_PLAIN_OUTPUT_BYTES / 3 + 1)],
  ])('is not what %s', (_what, text) => {
    expect(plainView('a', Buffer.from(text, 'latin1'), 80)).toBeNull();
  });
});
