import { Resizes } from './resizes.js';

/** Returns the sizes that a reader that starts at `offset` is told. */
function toldFrom(resizes: Resizes, offset: number | undefined): string[] {
  const told: string[] = [];
  let seen = resizes.before(offset);
  for (let next = resizes.after(seen); next !== null; next = resizes.after(seen)) {
    told.push(`${next.cols}x${next.rows}`);
    seen = next.number;
  }
  return told;
}

it('tells of each resize that lies ahead, and of the last where one begins', () => {
  const resizes = new Resizes();
  resizes.add(5, 80, 24);
  resizes.add(7, 100, 30);
  resizes.add(7, 60, 20);
  resizes.add(9, 70, 25);
  expect(toldFrom(resizes, 0)).toEqual(['80x24', '100x30', '60x20', '70x25']);
  expect(toldFrom(resizes, 6)).toEqual(['100x30', '60x20', '70x25']);
  expect(toldFrom(resizes, 7)).toEqual(['60x20', '70x25']);
  expect(toldFrom(resizes, 9)).toEqual(['70x25']);
  expect(toldFrom(resizes, 10)).toEqual([]);
  expect(toldFrom(resizes, undefined)).toEqual([]);
});

it('keeps the newest hundred', () => {
  const resizes = new Resizes();
  for (let n = 1; n <= 150; n++) resizes.add(n, n, 24);
  expect(toldFrom(resizes, 0)).toHaveLength(100);
  expect(toldFrom(resizes, 149)).toEqual(['149x24', '150x24']);
});
