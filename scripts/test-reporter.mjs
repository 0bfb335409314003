/** Says in which part a test run is, how to run a failed test again, and which files were slowest. */
import { relative } from 'node:path';
import { say, ROOT } from './setup.mjs';
import { PART_COUNT, partOf } from './test-parts.mjs';

const SLOWEST = 10;
/** A run of a few files needs no such list. */
const MIN_FILES = 20;

// Jest loads a reporter by its default export.
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
      if (status === 'failed') say(`failed; again: npm test -- ${relative(ROOT, path)} -t ${inQuotes(fullName)}`);
    }
  }

  onRunComplete() {
    if (this.#files.length < MIN_FILES) return;
    const slowest = this.#files.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    const lines = slowest.map(({ file, seconds }) => `\n${seconds.toFixed(1).padStart(7)} s  ${file}`);
    say(`the ${SLOWEST} slowest files:${lines.join('')}`);
  }
}

/** A word for a POSIX shell that Jest, which reads a regular expression, takes literally. */
function inQuotes(name) {
  const literal = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return `'${literal.replaceAll("'", "'\\''")}'`;
}
