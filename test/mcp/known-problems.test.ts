/**
 * Tests the table of other servers' problems in docs/mcp.md: it has twenty-five rows, and each test that a row names
 * exists.
 */
import { readFileSync } from 'node:fs';

const ROWS = 25;

const section = readFileSync('docs/mcp.md', 'utf8').split('## Problems with other tools\n')[1]!;
const rows = [...section.matchAll(/^\| (\d+) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(([, number, what, , shown]) => ({
  number: Number(number),
  what: what!,
  tests: [...shown!.matchAll(/`(test\/[^`]+)`: “([^”]+)”/g)].map(([, file, title]) => ({ file: file!, title: title! })),
}));

it('has all of them, in order', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: ROWS }, (_, at) => at + 1));
});

it.each(rows)('$number, $what: names existing tests', ({ tests }) => {
  expect(tests).not.toEqual([]);
  for (const { file, title } of tests) expect(readFileSync(file, 'utf8')).toContain(title);
});
