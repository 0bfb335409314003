/** Tests the track of a terminal: what it remembers, what it forgets, and what it stores. */
import { Track } from './track.js';

it('returns the point that applies at an offset, and the later ones', () => {
  const track = new Track();
  track.read(0, 100);
  track.read(10, 104);
  track.read(20, 105);
  track.read(30, 200);
  expect(track.points(0, Infinity, 10)).toEqual([
    [0, 100],
    [20, 105],
    [30, 200],
  ]);
  expect(track.points(25, Infinity, 10)).toEqual([
    [20, 105],
    [30, 200],
  ]);
  expect(track.points(20, 30, 10)).toEqual([[20, 105]]);
  expect(track.points(0, Infinity, 1)).toEqual([[0, 100]]);
  expect([99, 100, 104, 105, 200].map((time) => track.offsetAfter(time))).toEqual([0, 20, 20, 30, null]);
});

it('does not go back when the clock does', () => {
  const track = new Track();
  track.read(0, 1000);
  track.read(1, 500);
  track.read(2, 1010);
  expect(track.state.points).toEqual([
    [0, 1000],
    [2, 1010],
  ]);
});

it('keeps the size before the first change, and every later one', () => {
  const track = new Track();
  track.resized({ offset: 5, time: 7, cols: 100, rows: 30 }, { cols: 80, rows: 24 });
  track.resized({ offset: 5, time: 8, cols: 90, rows: 30 }, { cols: 100, rows: 30 });
  expect(track.sizes.map(({ offset, cols }) => [offset, cols])).toEqual([
    [0, 80],
    [5, 100],
    [5, 90],
  ]);
});

it('drops the oldest points when there are too many, but stores all', () => {
  const track = new Track();
  let stored = 0;
  track.store = { add: () => void stored++, read: async () => ({ points: [], sizes: [] }) };
  for (let i = 0; i < 100_000; i++) track.read(i, i * 10);
  expect(stored).toBe(100_000);
  expect(track.start).toBeGreaterThan(50_000);
  expect(track.startTime).toBe(track.start * 10);
  expect(track.points(99_999, Infinity, 10)).toEqual([[99_999, 999_990]]);
  expect(track.state.points).toEqual([]);
  track.store = null;
  expect(new Track(track.state).state).toEqual(track.state);
});
