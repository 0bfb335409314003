/**
 * Stores the track of a terminal next to its output: entries of a fixed size, each a point or a size of the screen.
 * Writes in the background. An entry that was cut off at the end is removed.
 *
 *     float64  offset in the output
 *     float64  milliseconds since the epoch
 *     uint16   columns; 0 for a point
 *     uint16   rows; 0 for a point
 *
 * Numbers are little-endian.
 */
import { appendFile, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import type { TrackedSize, TrackPoint } from '../contract/recording.js';
import type { TrackState, TrackStore } from '../history/track.js';

/** The file's name in the terminal's directory. */
export const TRACK_NAME = 'track.v1';
const ENTRY_BYTES = 20;
const TIME_AT = 8;
const COLS_AT = 16;
const ROWS_AT = 18;
/** When the file reaches this size, its older half is dropped. */
const MAX_FILE_BYTES = 200_000 * ENTRY_BYTES;
/** While the disk hangs, older entries are dropped. */
const MAX_WAITING = 16_384;
const FILE_MODE = 0o600;

export class TrackFile implements TrackStore {
  readonly #path: string;
  #waiting: Buffer[] = [];
  /** Size of the file; null if it is not known yet. */
  #bytes: number | null = null;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  add(offset: number, time: number, size?: Pick<TrackedSize, 'cols' | 'rows'>): void {
    const entry = Buffer.alloc(ENTRY_BYTES);
    entry.writeDoubleLE(offset);
    entry.writeDoubleLE(time, TIME_AT);
    entry.writeUInt16LE(size?.cols ?? 0, COLS_AT);
    entry.writeUInt16LE(size?.rows ?? 0, ROWS_AT);
    this.#waiting.push(entry);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
  }

  /** Writes what has been added. Never rejects: problems with the disk are reported when the output is saved. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write()).catch(() => (this.#bytes = null));
    return this.#writing.then(() => {});
  }

  async read(): Promise<TrackState> {
    await this.flush();
    // There is no file if an earlier version held the terminal.
    return stateOf(await readFile(this.#path).catch(() => Buffer.alloc(0)));
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0) return;
    this.#bytes ??= await wholeSize(this.#path);
    const entries = Buffer.concat(this.#waiting);
    this.#waiting = [];
    if (this.#bytes + entries.length > MAX_FILE_BYTES) await this.#dropOlderHalf();
    await appendFile(this.#path, entries, { mode: FILE_MODE });
    this.#bytes += entries.length;
  }

  async #dropOlderHalf(): Promise<void> {
    const all = await readFile(this.#path);
    const kept = all.subarray(Math.floor(all.length / ENTRY_BYTES / 2) * ENTRY_BYTES);
    await writeFile(`${this.#path}.new`, kept, { mode: FILE_MODE });
    await rename(`${this.#path}.new`, this.#path);
    this.#bytes = kept.length;
  }
}

/** Removes an entry that was cut off, and returns the size of the rest. */
async function wholeSize(path: string): Promise<number> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  const whole = size - (size % ENTRY_BYTES);
  if (whole < size) await truncate(path, whole);
  return whole;
}

function stateOf(bytes: Buffer): TrackState {
  const points: TrackPoint[] = [];
  const sizes: TrackedSize[] = [];
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    const [offset, time] = [bytes.readDoubleLE(at), bytes.readDoubleLE(at + TIME_AT)];
    const [cols, rows] = [bytes.readUInt16LE(at + COLS_AT), bytes.readUInt16LE(at + ROWS_AT)];
    if (cols > 0 && rows > 0) sizes.push({ offset, time, cols, rows });
    else points.push([offset, time]);
  }
  return { points, sizes };
}
