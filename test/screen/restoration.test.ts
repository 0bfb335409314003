/**
 * Tests that a new screen that is given the restoration of another shows the same, whatever is written to both
 * afterwards.
 */
import fc from 'fast-check';
import { CAPTURE_SIZE, captureNames, readCapture } from '../captures/capture.js';
import { kindsOfSteps } from '../history/output-arbitrary.js';
import { kindsOfState } from './state-arbitrary.js';
import { ScreenUnderTest } from './screen-under-test.js';
import { runs } from '../deep.js';

/** The number of cases and the seed can be set; by default, they are the same every time. */
const RUNS = runs({ normal: 100, deep: 600 });
const SEED = Number(process.env['RESTORATION_SEED'] ?? 20_261_121);
const CUTS = 20;

/** Output before and after, of one kind: with characters of all widths, or with lines that do not wrap. */
const outputs = fc.oneof(
  ...kindsOfState.map((state, kind) => {
    const written = kindsOfSteps[kind]!.map((all) =>
      all.flatMap((step) => (step.type === 'write' ? [step.bytes] : [])),
    );
    const output = fc.oneof(written, state);
    return fc.tuple(output, output);
  }),
);
const cols = fc.integer({ min: 2, max: 40 });
const rows = fc.integer({ min: 2, max: 12 });

describe('the restoration of a screen', () => {
  it('gives a new subscriber the same screen, after any output and before any other', () => {
    const property = fc.property(cols, rows, outputs, (width, height, [before, after]) => {
      const original = new ScreenUnderTest(width, height);
      for (const bytes of before) original.write(bytes);
      fc.pre(!original.isBehindEmptied);
      const newcomer = original.newcomer();
      expect(newcomer.state).toEqual(original.state);
      for (const bytes of after) {
        original.write(bytes);
        newcomer.write(bytes);
      }
      expect(newcomer.state).toEqual(original.state);
    });
    fc.assert(property, { numRuns: RUNS, seed: SEED });
  });

  it.each(captureNames())('gives a new subscriber the same screen at any point of the capture of %s', (name) => {
    const bytes = readCapture(name);
    const original = new ScreenUnderTest(CAPTURE_SIZE.cols, CAPTURE_SIZE.rows);
    let from = 0;
    for (let cut = 1; cut <= CUTS; cut++) {
      const to = Math.floor((bytes.length * cut) / CUTS);
      original.write(bytes.subarray(from, to));
      from = to;
      const newcomer = original.newcomer();
      expect(newcomer.state).toEqual(original.state);
      newcomer.write(bytes.subarray(to));
      const whole = new ScreenUnderTest(CAPTURE_SIZE.cols, CAPTURE_SIZE.rows);
      whole.write(bytes);
      expect(newcomer.state).toEqual(whole.state);
    }
  });
});
