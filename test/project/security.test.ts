/** Tests that each test named in the section on defences of SECURITY.md exists. */
import { readFileSync } from 'node:fs';

const table = readFileSync('SECURITY.md', 'utf8').split('| who | what they meet | test |\n')[1]!.split('\n\n')[0]!;
const promises = table
  .split('\n')
  .slice(1)
  .map((row) => row.split(' | ') as [string, string, string])
  .map(([who, , shown]) => ({ who: who.slice(2), tests: [...testsIn(shown)] }));

function* testsIn(cell: string): Generator<{ file: string; title: string }> {
  for (const [, file, titles] of cell.matchAll(/`(test\/[^`]+)`: ([^`]*)/g)) {
    for (const [, title] of titles!.matchAll(/“([^”]+)”/g)) yield { file: file!, title: title! };
  }
}

it('contains promises', () => {
  expect(promises.length).toBeGreaterThan(10);
});

it.each(promises)('$who: names existing tests', ({ tests }) => {
  expect(tests).not.toEqual([]);
  for (const { file, title } of tests) expect(readFileSync(file, 'utf8')).toContain(title);
});
