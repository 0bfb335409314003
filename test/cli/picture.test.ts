/** Tests `tenacitty screen --png`: a picture in a file, or on stdout. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodePng } from '../picture/decoded-png.js';
import { sharedPlace } from './place.js';
import type { Place } from './place.js';

let place: Place;
beforeEach(async () => (place = await sharedPlace()));
afterEach(() => place.clear());

it('writes the picture to a file, and reports if that is not possible', async () => {
  const id = await place.open('exec cat');
  const path = join(place.directory, 'screen.png');
  expect(await place.run('screen', '--png', path, id)).toEqual({ code: 0, stdout: '', stderr: '' });
  const { width, height } = decodePng(readFileSync(path));
  expect([width, height]).toEqual([640, 384]);
  const nowhere = await place.run('screen', '--png', join(place.directory, 'no', 'where.png'), id);
  expect(nowhere).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('cannot be written') });
});

it('writes the picture to stdout if requested', async () => {
  const id = await place.open('exec cat');
  const path = join(place.directory, 'other.png');
  const script = `"$node" "$main" screen --png - ${id} > ${path}`;
  expect(await place.runInShell(script)).toMatchObject({ code: 0, stderr: '' });
  expect(decodePng(readFileSync(path)).width).toBe(640);
});
