/**
 * Appends to the files of one segment at a time, and holds the two descriptors that this needs. Always writes at the
 * segment's recorded end, so that the remains of an earlier attempt are overwritten or truncated.
 */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, write } from 'node:fs';
import { promisify } from 'node:util';
import { deleteIfExists } from './deletions.js';
import { isGone } from './read-descriptors.js';
import type { Segment } from './segment.js';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
const FLAGS = O_WRONLY | O_NOFOLLOW | O_NONBLOCK;
const FILE_MODE = 0o600;
const writeAt = promisify(write);

interface Opened {
  readonly segment: Segment;
  readonly output: number;
  readonly index: number;
}

export class SegmentWriter {
  #opened: Opened | null = null;

  /** Creates the empty files of a new segment, replacing existing files. @throws the file system error. */
  create(segment: Segment): void {
    segment.release();
    deleteIfExists(segment.outputPath);
    deleteIfExists(segment.indexPath);
    this.#open(segment, FLAGS | O_CREAT | O_EXCL);
  }

  /** Returns whether the segment's files still exist under their paths. */
  isThere(segment: Segment): boolean {
    try {
      const { output, index } = this.#openedFor(segment);
      return fstatSync(output).nlink > 0 && fstatSync(index).nlink > 0;
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  /** Appends to the files; does not update the segment. @throws the file system error. */
  async append(segment: Segment, output: Uint8Array, index: Uint8Array): Promise<void> {
    const files = this.#openedFor(segment);
    await writeWhole(files.output, output, segment.outputBytes);
    await writeWhole(files.index, index, segment.indexBytes);
  }

  /** Truncates the files to what the segment has recorded. @throws the file system error. */
  cut(segment: Segment): void {
    const { output, index } = this.#openedFor(segment);
    ftruncateSync(index, segment.indexBytes);
    ftruncateSync(output, segment.outputBytes);
  }

  /** Closes the descriptors until they are needed again. Must not be called during `append`. */
  release(): void {
    const opened = this.#opened;
    this.#opened = null;
    if (opened === null) return;
    closeSync(opened.output);
    closeSync(opened.index);
  }

  #openedFor(segment: Segment): Opened {
    const opened = this.#opened;
    return opened?.segment === segment ? opened : this.#open(segment, FLAGS);
  }

  #open(segment: Segment, flags: number): Opened {
    this.release();
    const output = openSync(segment.outputPath, flags, FILE_MODE);
    try {
      const index = openSync(segment.indexPath, flags, FILE_MODE);
      return (this.#opened = { segment, output, index });
    } catch (error) {
      closeSync(output);
      throw error;
    }
  }
}

async function writeWhole(fd: number, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await writeAt(fd, bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
