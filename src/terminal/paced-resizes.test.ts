import { PacedResizes, ResizePace } from './paced-resizes.js';

/** How long a resize takes, and how long the next one waits for that. */
const TAKES_MS = 5;
const PAUSE_MS = 20;

let now: number;
let pace: ResizePace;
beforeEach(() => {
  now = 0;
  pace = new ResizePace();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const size = (cols: number) => ({ cols, rows: 24 });

function recorded(): { resizes: PacedResizes; applied: number[] } {
  const applied: number[] = [];
  const resizes = new PacedResizes(({ cols }) => {
    applied.push(cols);
    now += TAKES_MS;
    if (cols === 0) throw new Error('ended');
  }, pace);
  return { resizes, applied };
}

it('applies the first size at once, and only the last of those that follow, later', async () => {
  const { resizes, applied } = recorded();
  const all = [10, 20, 30, 40].map((cols) => resizes.add(size(cols)));
  expect(applied).toEqual([10]);
  await Promise.all(all);
  expect(applied).toEqual([10, 40]);
});

it('makes terminals wait for their turns, in order', async () => {
  const [one, other] = [recorded(), recorded()];
  await one.resizes.add(size(10));
  const waiting = [other.resizes.add(size(20)), one.resizes.add(size(30))];
  expect([one.applied, other.applied]).toEqual([[10], []]);
  await waiting[0];
  expect([one.applied, other.applied]).toEqual([[10], [20]]);
  await waiting[1];
  expect(one.applied).toEqual([10, 30]);
  now += PAUSE_MS;
  void other.resizes.add(size(50));
  expect(other.applied).toEqual([20, 50]);
});

it('reports an error to each caller, and continues', async () => {
  const { resizes, applied } = recorded();
  const [first, ...rest] = [10, 20, 0].map((cols) => resizes.add(size(cols)));
  await first;
  for (const each of rest) await expect(each).rejects.toThrow('ended');
  await resizes.add(size(30));
  expect(applied).toEqual([10, 0, 30]);
});

it('applies a waiting size at once on request', async () => {
  const { resizes, applied } = recorded();
  const all = [10, 20].map((cols) => resizes.add(size(cols)));
  resizes.flush();
  expect(applied).toEqual([10, 20]);
  await Promise.all(all);
  expect(applied).toEqual([10, 20]);
});
