/** Prints the current part of a test run, how to rerun a failed test, and the slowest files. */
import { relative } from 'node:path';
import { say, ROOT } from './setup.mjs';
import { PART_COUNT, partOf } from './test-parts.mjs';

const SLOWEST = 10;
/** The list of slowest files is omitted for runs of fewer files. */
const MIN_FILES = 20;

// Jest requires a default export.
export default class PartReporter {
  #part = -1;
  #files = [];

  onTestFileStart({ path }) {
    const { index, name } = partOf(path);
    if (index <= this.#part) return;
    this.#part = index;
    say(`part ${index + 1} of ${PART_COUNT}: ${name}`);
  }

  onTestFileResult({ path }, { testResults, perfStats: { runtime } }) {
    this.#files.push({ file: relative(ROOT, path), seconds: runtime / 1000 });
    for (const { status, fullName } of testResults) {
      if (status === 'failed')
        say(`failed; to run it again: npm test -- ${relative(ROOT, path)} -t ${inQuotes(fullName)}`);
    }
  }

  onRunComplete() {
    if (this.#files.length < MIN_FILES) return;
    const slowest = this.#files.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    const lines = slowest.map(({ file, seconds }) => `\n${seconds.toFixed(1).padStart(7)} s  ${file}`);
    say(`the ${SLOWEST} slowest files:${lines.join('')}`);
  }
}

/** Quotes a name as a word for a POSIX shell; Jest, which reads it as a regular expression, matches it literally. */
function inQuotes(name) {
  const literal = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return `'${literal.replaceAll("'", "'\\''")}'`;
}
