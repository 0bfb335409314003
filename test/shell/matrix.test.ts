/** The page about shells names the cases that there are, all of them, and says what was found. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUBJECTS } from './cases/cases.js';
import { caseKey, keptFindings, shellsPage } from './matrix.js';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'shells.md'), 'utf8');

describe('docs/shells.md', () => {
  it('has a row for each case, and no other', () => {
    const rows = PAGE.split('\n').flatMap((line) => /^\| (.*?) \| (?:ok|[a-z]|\?|\*\*no\*\*) \|/.exec(line)?.[1] ?? []);
    const names = Object.values(SUBJECTS).flatMap((cases) => cases.map(({ name }) => name.replaceAll('|', '\\|')));
    expect(rows).toEqual(names);
  });

  it('is what `npm run docs` makes of what the tests have found', () => {
    expect(PAGE).toBe(shellsPage(SUBJECTS, keptFindings()));
  });

  it('says of no shell that a case does not hold, or was not tried', () => {
    const kept = keptFindings();
    const wrong = Object.entries(kept).flatMap(([shell, found]) =>
      Object.keys(found).flatMap((key) => (found[key] === true ? [] : [`${shell}: ${key}`])),
    );
    expect(wrong).toEqual([]);
    expect(PAGE).not.toMatch(/\| (\?|\*\*no\*\*) \|/);
  });

  it('says of each difference what is so instead, below the table that has its mark', () => {
    for (const section of PAGE.split('\n## ').slice(1)) {
      const marks = new Set(section.match(/(?<=\| )[a-z](?= \|)/g));
      const told = section.match(/(?<=^- \*\*)[a-z](?=\*\*: .*\.$)/gm) ?? [];
      expect(told).toEqual([...marks].sort());
    }
  });

  it('can tell cases apart', () => {
    const keys = Object.entries(SUBJECTS).flatMap(([subject, cases]) =>
      cases.map(({ name }) => caseKey(subject, name)),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });
});
