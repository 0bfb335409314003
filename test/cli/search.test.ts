/** Tests `tenacitty search`: in the format of grep, page by page, and as JSON. */
import { searchMatch } from '../../src/contract/search.js';
import { sharedPlace } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

const ended = (script: string): Promise<string> => place.ended(script);

it('prints the lines with their numbers, even more than one answer holds', async () => {
  const id = await ended('seq 1 5000');
  const expected = Array.from({ length: 5000 }, (_, i) => (/[13579]$/.test(`${i + 1}`) ? `${i}:${i + 1}\n` : '')).join(
    '',
  );
  expect(await place.stdout('search', '--regex', id, '[13579]$')).toBe(expected);
  expect(await place.stdout('search', '--max', '2', '--from', '100', id, '0')).toBe('100:101\n101:102\n');
  expect(await place.stdout('search', '--from', '8', '--to', '9', id, '0')).toBe('9:10\n');
});

it('prints context lines, each line once, with groups separated', async () => {
  const id = await ended('seq 1 20 | sed "s/^5$/hit/; s/^7$/HIT/; s/^15$/hit/"');
  expect(await place.stdout('search', '-i', '-C', '2', id, 'hit')).toBe(
    ['2-3', '3-4', '4:hit', '5-6', '6:HIT', '7-8', '8-9', '--', '12-13', '13-14', '14:hit', '15-16', '16-17', ''].join(
      '\n',
    ),
  );
  expect(await place.stdout('search', id, 'hit')).toBe('4:hit\n14:hit\n');
});

it('prints objects for programs', async () => {
  const id = await ended('printf "a b\\nb c\\n"');
  const lines = (await place.stdout('search', '--json', '-C', '1', id, 'b')).trimEnd().split('\n');
  expect(lines.map((line) => searchMatch.parse(JSON.parse(line)))).toEqual([
    { line: 0, text: 'a b', before: [], after: ['b c'], truncated: false },
    { line: 1, text: 'b c', before: ['a b'], after: [], truncated: false },
  ]);
});

it('exits with 1 if nothing is found, and with 2 if the search is not possible', async () => {
  const id = await ended('echo something');
  expect(await place.run('search', id, 'anything')).toEqual({ code: 1, stdout: '', stderr: '' });
  expect(await place.run('search', '--regex', id, '(')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('RE2'),
  });
  expect(await place.run('search', id)).toMatchObject({ code: 2 });
  expect(await place.run('search', '-C', '21', id, 'x')).toMatchObject({ code: 2 });
  expect(await place.run('search', 'nobody', 'x')).toMatchObject({ code: 3 });
});
