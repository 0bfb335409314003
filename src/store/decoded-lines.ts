/**
 * Reads lines from index files, with a small process-wide cache of decoded pieces, because a page requests its lines
 * one by one.
 */
import type { StoredLine } from '../history/line-buffer.js';
import { findBlock, readLines } from './index-block.js';
import { DamagedFile, readInto } from './read-descriptors.js';

const MAX_KEPT = 8;

interface Decoded {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly lines: readonly StoredLine[];
}

/** Most recently decoded last. */
let kept: readonly Decoded[] = [];

/**
 * Returns all lines of the blocks at `[from, to)` of an index file.
 *
 * @throws DamagedFile if they are damaged; the file system error if the file cannot be read.
 */
export function linesBetween(path: string, from: number, to: number): readonly StoredLine[] {
  for (let i = kept.length - 1; i >= 0; i--) {
    const one = kept[i]!;
    if (one.from === from && one.to === to && one.path === path) return one.lines;
  }
  const lines = decode(path, from, to);
  kept = [...kept.slice(1 - MAX_KEPT), { path, from, to, lines }];
  return lines;
}

/**
 * Removes the lines of these files from the cache, because the files no longer exist and others may take their place.
 */
export function forgetLines(isOf: (path: string) => boolean): void {
  kept = kept.filter(({ path }) => !isOf(path));
}

function decode(path: string, from: number, to: number): StoredLine[] {
  const bytes = Buffer.allocUnsafe(to - from);
  readInto(path, from, bytes, 0, to - from);
  const lines: StoredLine[] = [];
  for (let at = 0; at < bytes.length;) {
    const block = findBlock(bytes, at);
    if (block === null) throw new DamagedFile(`${path} is damaged at ${from + at}`);
    readLines(bytes, block, lines);
    at = block.end;
  }
  return lines;
}
