/** Runs the test files part by part, slowest first within each part, so that no core is idle at the end. */
import Sequencer from '@jest/test-sequencer';
import { partOf } from './test-parts.mjs';

// Jest requires a default export.
export default class PartSequencer extends Sequencer {
  /** Keeps Jest's own order (failed first, then by duration or size) within each part. */
  sort(tests) {
    return super.sort(tests).sort((a, b) => partOf(a.path).index - partOf(b.path).index);
  }
}
