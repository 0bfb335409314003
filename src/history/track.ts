/**
 * Records when output was read from the program, and the sizes of its screen: offsets with times, in order. Keeps the
 * newest of each; the sizes before the oldest one kept are not known.
 */
import type { TrackedSize, TrackPoint } from '../contract/recording.js';

/** Reads that follow within this time count as one: no viewer sees the difference. */
const SAME_READ_MS = 5;
/** A program that never stops writing reaches this after 80 seconds, and the points then use 256 KiB. */
const MAX_POINTS = 16_384;
/** The oldest points are dropped in steps, so that not every read drops one. */
const DROPPED_POINTS = MAX_POINTS / 4;
const MAX_SIZES = 1024;

/** The points are empty if they are stored. */
export interface TrackState {
  readonly points: readonly TrackPoint[];
  readonly sizes: readonly TrackedSize[];
}

/** Where a track is stored beyond what memory holds. */
export interface TrackStore {
  /** Stores a point or a size. */
  add(offset: number, time: number, size?: Pick<TrackedSize, 'cols' | 'rows'>): void;
  /** Returns everything that has been stored and is still kept. */
  read(): Promise<TrackState>;
}

export class Track {
  readonly #offsets: number[];
  readonly #times: number[];
  readonly #sizes: TrackedSize[];
  store: TrackStore | null = null;

  constructor({ points, sizes }: TrackState = { points: [], sizes: [] }) {
    this.#offsets = points.map(([offset]) => offset);
    this.#times = points.map(([, time]) => time);
    this.#sizes = [...sizes];
  }

  /** All the state that a hand-off needs. */
  get state(): TrackState {
    return { points: this.store === null ? this.points(0, Infinity, Infinity) : [], sizes: this.#sizes };
  }

  get sizes(): readonly TrackedSize[] {
    return this.#sizes;
  }

  /** Offset of the oldest point; Infinity if there is none. */
  get start(): number {
    return this.#offsets[0] ?? Infinity;
  }

  /** When the oldest point was read; Infinity if there is none. */
  get startTime(): number {
    return this.#times[0] ?? Infinity;
  }

  /** Returns the point that applies at `from` and the later ones before `to`, at most `count`. */
  points(from: number, to: number, count: number): TrackPoint[] {
    const first = Math.max(0, lastUpTo(this.#offsets, from));
    const points: TrackPoint[] = [];
    for (let i = first; points.length < count && this.#offsets[i]! < to; i++) {
      points.push([this.#offsets[i]!, this.#times[i]!]);
    }
    return points;
  }

  /** Returns the offset of the first point after `time`, or null. */
  offsetAfter(time: number): number | null {
    return this.#offsets[lastUpTo(this.#times, time) + 1] ?? null;
  }

  /** Records that the output from `offset` on has just been read. If the clock was set back, time stands still. */
  read(offset: number, now: number): void {
    const last = this.#times.at(-1);
    const time = Math.max(now, last ?? 0);
    if (last !== undefined && time - last < SAME_READ_MS) return;
    this.#offsets.push(offset);
    this.#times.push(time);
    if (this.#offsets.length > MAX_POINTS)
      for (const one of [this.#offsets, this.#times]) one.splice(0, DROPPED_POINTS);
    this.store?.add(offset, time);
  }

  /** @param before - The size so far, which applies from the start if no size has been recorded. */
  resized(size: TrackedSize, before: Pick<TrackedSize, 'cols' | 'rows'>): void {
    if (this.#sizes.length === 0) this.#addSize({ ...before, offset: 0, time: 0 });
    this.#addSize(size);
  }

  #addSize(size: TrackedSize): void {
    this.#sizes.push(size);
    if (this.#sizes.length > MAX_SIZES) this.#sizes.shift();
    this.store?.add(size.offset, size.time, size);
  }
}

/** Returns the index of the last of some ascending numbers that is at most `limit`; -1 if there is none. */
function lastUpTo(ascending: readonly number[], limit: number): number {
  let low = -1;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (ascending[middle]! <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
