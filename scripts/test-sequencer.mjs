/** Runs the test files part by part, and in each part the slowest first, so that no core is idle at the end. */
import Sequencer from '@jest/test-sequencer';
import { partOf } from './test-parts.mjs';

// Jest loads a sequencer by its default export.
export default class PartSequencer extends Sequencer {
  /** Jest's own order (failed first, then by time or size), kept within each part. */
  sort(tests) {
    return super.sort(tests).sort((a, b) => partOf(a.path).index - partOf(b.path).index);
  }
}
