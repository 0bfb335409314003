import fc from 'fast-check';
import { sweep } from './retention.js';
import type { StoredHistory } from './retention.js';

/** A history of segments, each with its size and time, newest last. */
class Fake implements StoredHistory {
  readonly isEnded: boolean;
  isRemoved = false;

  constructor(
    readonly id: string,
    readonly endedAt: number | null,
    readonly segments: { bytes: number; time: number }[],
  ) {
    this.isEnded = endedAt !== null;
  }

  get bytes(): number {
    return this.isRemoved ? 0 : this.segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get oldestSegmentTime(): number | null {
    return this.segments[0]?.time ?? null;
  }

  dropOldest(): number {
    return this.segments.length > 1 ? this.segments.shift()!.bytes : 0;
  }

  remove(): void {
    this.isRemoved = true;
  }
}

const DAY = 86_400_000;
const NOW = 100 * DAY;
const at = (...times: number[]): { bytes: number; time: number }[] => times.map((time) => ({ bytes: 10, time }));

describe('sweep', () => {
  it('removes ended terminals above the age limit, and no others', () => {
    const stores = [
      new Fake('old', NOW - 31 * DAY, at(1)),
      new Fake('young', NOW - DAY, at(1)),
      new Fake('runs', null, at(1)),
    ];
    const limits = { maxBytesTotal: 1000, maxAgeMs: 30 * DAY, now: NOW };
    expect(sweep(stores, limits)).toEqual({ expired: ['old'], removed: [], shortened: [] });
    expect(stores.map(({ isRemoved }) => isRemoved)).toEqual([true, false, false]);
    const again = sweep([new Fake('old', 0, at(1))], { ...limits, maxAgeMs: 0 });
    expect(again.expired).toEqual([]);
  });

  it('drops the oldest segments of ended terminals first, then of running ones', () => {
    const a = new Fake('a', 50, at(3, 5, 9));
    const b = new Fake('b', 60, at(4, 8));
    const runs = new Fake('runs', null, at(1, 2, 3));
    const limits = { maxAgeMs: 0, now: NOW };
    expect(sweep([a, b, runs], { ...limits, maxBytesTotal: 60 }).shortened).toEqual([
      { id: 'a', bytes: 10 },
      { id: 'b', bytes: 10 },
    ]);
    expect(a.segments).toEqual(at(5, 9));
    expect(sweep([a, b, runs], { ...limits, maxBytesTotal: 40 })).toEqual({
      expired: [],
      removed: ['b'],
      shortened: [{ id: 'a', bytes: 10 }],
    });
    expect(sweep([a, runs], { ...limits, maxBytesTotal: 15 })).toEqual({
      expired: [],
      removed: ['a'],
      shortened: [{ id: 'runs', bytes: 20 }],
    });
    expect(sweep([runs], { ...limits, maxBytesTotal: 1 })).toEqual({ expired: [], removed: [], shortened: [] });
    expect(runs.segments).toEqual(at(3));
  });

  it('keeps to the total limit where possible, and removes no more than necessary', () => {
    const segments = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 50 }), time: fc.nat({ max: 99 }) }), {
      maxLength: 6,
    });
    const store = fc.record({ endedAt: fc.option(fc.nat({ max: 99 })), segments });
    fc.assert(
      fc.property(fc.array(store, { maxLength: 8 }), fc.nat({ max: 500 }), (all, maxBytesTotal) => {
        const stores = all.map((one, i) => new Fake(String(i), one.endedAt, [...one.segments]));
        const sum = (): number => stores.reduce((total, { bytes }) => total + bytes, 0);
        const before = sum();
        const { removed, shortened } = sweep(stores, { maxBytesTotal, maxAgeMs: 0, now: NOW });
        const running = stores.filter(({ isEnded }) => !isEnded);
        const isLeast =
          running.every(({ segments: left }) => left.length <= 1) &&
          stores.every((one) => !one.isEnded || one.isRemoved);
        expect(sum() <= maxBytesTotal || isLeast).toBe(true);
        if (before <= maxBytesTotal) expect([removed, shortened]).toEqual([[], []]);
        const hasEnded = stores.some((one) => one.isEnded && !one.isRemoved);
        const touched = running.filter(({ id }) => shortened.some((one) => one.id === id));
        expect(hasEnded && touched.length > 0).toBe(false);
      }),
    );
  });
});
