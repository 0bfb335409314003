/** Tests the timeline along a track of many pages: every time, and every size once. */
import fc from 'fast-check';
import type { TerminalManager } from '../contract/manager.js';
import type { ReadTrack, TrackedSize, TrackPage, TrackPoint } from '../contract/recording.js';
import { Timeline } from './timeline.js';

const END = 60;
const offsets = fc.uniqueArray(fc.integer({ min: 1, max: END }), { maxLength: 20 });
const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

/** A track that returns at most `count` points at once. */
class PagedTrack {
  readonly points: readonly TrackPoint[];
  readonly sizes: readonly TrackedSize[];

  constructor(
    points: readonly number[],
    sizes: readonly number[],
    readonly count: number,
  ) {
    this.points = [0, ...ascending(points)].map((offset) => [offset, offset * 10]);
    this.sizes = [0, ...ascending(sizes)].map((offset) => ({ offset, time: offset * 10, cols: offset + 1, rows: 1 }));
  }

  async track(_id: string, { fromOffset = 0 }: ReadTrack = {}): Promise<TrackPage> {
    const first = this.points.findLastIndex(([offset]) => offset <= fromOffset);
    const points = this.points.slice(first, first + this.count);
    const nextOffset = this.points[first + this.count]?.[0] ?? null;
    const at = this.sizes.findLastIndex(({ offset }) => offset <= fromOffset);
    const sizes = this.sizes.filter(({ offset }, i) => i >= at && offset < (nextOffset ?? Infinity));
    return { timing: 'reads', fromOffset, heldFrom: fromOffset, points, sizes, nextOffset };
  }
}

it('finds each time and each size, however the track is divided into pages', async () => {
  const property = fc.asyncProperty(offsets, offsets, offsets, fc.integer({ min: 1, max: 5 }), async (...given) => {
    const [points, sizes, stops, count] = given;
    const track = new PagedTrack(points, sizes, count);
    const timeline = new Timeline(track as unknown as TerminalManager, 't', await track.track('t'), END);
    const found: TrackedSize[] = [];
    for (const stop of ascending(stops)) {
      await timeline.moveTo(stop);
      expect(timeline.time).toBe(track.points.findLast(([offset]) => offset <= stop)![1]);
      found.push(...timeline.sizesUpTo(stop));
      expect(found).toEqual(track.sizes.slice(1).filter(({ offset }) => offset <= stop));
      const next = [...track.points.map(([offset]) => offset), ...track.sizes.map(({ offset }) => offset)];
      expect(timeline.nextOffset).toBe(Math.min(Infinity, ...next.filter((offset) => offset > stop)));
    }
  });
  await fc.assert(property);
});
