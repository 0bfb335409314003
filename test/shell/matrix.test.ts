/** Tests that docs/shells.md contains every case and every known difference. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUBJECTS } from './cases/cases.js';
import { shellsPage } from './matrix.js';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'shells.md'), 'utf8');

describe('docs/shells.md', () => {
  it('has a row for each case, and no other', () => {
    const rows = PAGE.split('\n').flatMap((line) => /^\| (.*?) \| (?:ok|[a-z]) \|/.exec(line)?.[1] ?? []);
    const names = Object.values(SUBJECTS).flatMap((cases) => cases.map(({ name }) => name.replaceAll('|', '\\|')));
    expect(rows).toEqual(names);
  });

  it('is what `npm run docs` writes', () => {
    expect(PAGE).toBe(shellsPage(SUBJECTS));
  });

  it('describes each difference below the table that marks it', () => {
    for (const section of PAGE.split('\n## ').slice(1)) {
      const marks = new Set(section.match(/(?<=\| )[a-z](?= \|)/g));
      const told = section.match(/(?<=^- \*\*)[a-z](?=\*\*: .*\.$)/gm) ?? [];
      expect(told).toEqual([...marks].sort());
    }
  });

  it('distinguishes all cases', () => {
    const keys = Object.entries(SUBJECTS).flatMap(([subject, cases]) => cases.map(({ name }) => `${subject}: ${name}`));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
