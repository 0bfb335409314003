/** Tests that each test named in the table of docs/persistence.md exists. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const document = readFileSync(join(ROOT, 'docs', 'persistence.md'), 'utf8');
const [table = ''] = document.split('\n\n').filter((part) => part.startsWith('| What happens'));
const rows = table.split('\n').slice(2);

it.each(rows.map((row) => [row.split('|')[1]!.trim(), row]))('a test exists for: %s', (_what, row) => {
  const named = [...row.matchAll(/`(test\/[\w/.-]+\.test\.ts)` › “([^”]+)”/g)];
  expect(named).not.toEqual([]);
  for (const [, file, name] of named) expect(readFileSync(join(ROOT, file!), 'utf8')).toContain(name);
});

it('contains rows', () => {
  expect(rows.length).toBeGreaterThan(15);
});
