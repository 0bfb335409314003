/** Encodes and decodes frames. Pure; does not depend on sockets or on the contents of payloads. */
import { TerminalError } from '../errors.js';
import { HEADER_BYTES, MAX_FRAME_BYTES } from './protocol.js';

export interface Frame {
  readonly kind: number;
  readonly id: number;
  /** May share memory with the received data. */
  readonly payload: Buffer;
}

/** Returns the header of a frame whose payload has `length` bytes. */
export function encodeHeader(kind: number, id: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt32BE(length, 0);
  header.writeUInt8(kind, 4);
  header.writeUInt32BE(id, 5);
  return header;
}

/** Accepts bytes in chunks of any size and returns the frames in them. */
export class FrameDecoder {
  #chunks: Buffer[] = [];
  #held = 0;
  #header: { length: number; kind: number; id: number } | null = null;

  /**
   * Returns the frames that `chunk` completes.
   *
   * @throws `HOST_FAILED` for a frame that is too long; the data after it cannot be decoded.
   */
  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame !== null; frame = this.#next()) frames.push(frame);
    return frames;
  }

  #next(): Frame | null {
    if (this.#header === null) {
      if (this.#held < HEADER_BYTES) return null;
      this.#header = parseHeader(this.#take(HEADER_BYTES));
    }
    const { kind, id, length } = this.#header;
    if (this.#held < length) return null;
    this.#header = null;
    return { kind, id, payload: this.#take(length) };
  }

  /** Returns the next bytes; copies only if they span several chunks. */
  #take(length: number): Buffer {
    let count = 0;
    let size = 0;
    while (size < length) size += this.#chunks[count++]!.length;
    const taken = this.#chunks.splice(0, count);
    const rest = size - length;
    if (rest > 0) this.#chunks.unshift(taken.at(-1)!.subarray(-rest));
    this.#held -= length;
    return taken.length === 1 ? taken[0]!.subarray(0, length) : Buffer.concat(taken, length);
  }
}

function parseHeader(bytes: Buffer): { length: number; kind: number; id: number } {
  const length = bytes.readUInt32BE(0);
  if (length > MAX_FRAME_BYTES) {
    const message = `A frame of ${length} bytes was announced; at most ${MAX_FRAME_BYTES} are allowed`;
    throw new TerminalError('HOST_FAILED', message, { given: length, expected: MAX_FRAME_BYTES });
  }
  return { length, kind: bytes.readUInt8(4), id: bytes.readUInt32BE(5) };
}
