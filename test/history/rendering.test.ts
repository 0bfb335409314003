/** Tests that the history shows what an emulator fed byte by byte has shown. */
import fc from 'fast-check';
import type { Transcript } from '../../src/transcript/transcript.js';
import { steps } from './output-arbitrary.js';
import type { OutputStep } from './output-arbitrary.js';
import { ReferenceHistory } from './reference.js';
import { linesOf, screenOf, unboundedTranscript } from './shown.js';
import { runs } from '../deep.js';

/** The number of cases and the seed can be set; by default, they are the same every time. */
const RUNS = runs({ normal: 100, deep: 600 });
const SEED = Number(process.env['RENDERING_SEED'] ?? 20_261_120);

function play(all: readonly OutputStep[], transcript: Transcript, reference: ReferenceHistory): void {
  for (const step of all) {
    if (step.type === 'resize') {
      transcript.resize(step.cols, step.rows);
      reference.resize(step.cols, step.rows);
    } else if (step.type === 'look') linesOf(transcript);
    else {
      transcript.append(step.bytes);
      reference.feed(step.bytes);
    }
  }
}

describe('rendering', () => {
  it('produces the lines and the screen of the emulator fed byte by byte, for any output however it is split', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 2, max: 12 }), steps, (cols, rows, all) => {
        const transcript = unboundedTranscript(cols, rows);
        const reference = new ReferenceHistory(cols, rows);
        play(all, transcript, reference);
        expect(linesOf(transcript)).toEqual(reference.lines);
        expect(screenOf(transcript)).toEqual(reference.screen);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it('loses no text, whatever size the screen is given in the middle of a line', () => {
    const piece = fc.oneof(
      { weight: 6, arbitrary: fc.stringMatching(/^[ -~]{0,30}$/) },
      { weight: 2, arbitrary: fc.constant('\r\n') },
      { weight: 2, arbitrary: fc.constantFrom('你好', '한글 ', 'a你', '🚀') },
      { weight: 2, arbitrary: fc.tuple(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 2, max: 9 })) },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const transcript = unboundedTranscript(20, 5);
        for (const one of pieces) {
          if (typeof one === 'string') transcript.append(Buffer.from(one));
          else transcript.resize(...one);
        }
        const text = pieces.filter((one) => typeof one === 'string').join('');
        const lines = text.split('\r\n');
        if (lines.at(-1) === '') lines.pop();
        expect(linesOf(transcript)).toEqual(lines);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});
