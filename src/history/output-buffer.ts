/** Holds the newest bytes that a program has written, at absolute offsets that never change, in a ring of slabs. */
import { allocateBuffer } from './buffer-pool.js';

/** Small enough that an idle terminal costs little, large enough that few lines cross a slab boundary. */
const SLAB_BYTES = 16 << 10;
/** Slabs kept for reuse by all buffers, so that steady output allocates nothing. */
const MAX_SPARE_SLABS = 64;

const spareSlabs: Buffer[] = [];

function takeSlab(): Buffer {
  return spareSlabs.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
}

function returnSlab(slab: Buffer): void {
  if (spareSlabs.length < MAX_SPARE_SLABS) spareSlabs.push(slab);
}

export class OutputBuffer {
  #slabs: Buffer[] = [];
  /** Absolute offset of the first byte of the first slab. */
  #base = 0;
  #start = 0;
  #end = 0;

  /** @param start - Absolute offset of the first byte that will be appended. */
  constructor(start = 0) {
    this.#base = start;
    this.#start = start;
    this.#end = start;
  }

  /** Offset of the oldest byte held. */
  get start(): number {
    return this.#start;
  }

  /** Offset after the newest byte, which is the number of bytes ever appended. */
  get end(): number {
    return this.#end;
  }

  /** Number of bytes of memory in use, rounded up to whole slabs. */
  get memoryBytes(): number {
    return this.#slabs.length * SLAB_BYTES;
  }

  /** Appends a copy of `bytes`. Drops nothing; the owner decides what to drop (`dropBefore`). */
  append(bytes: Uint8Array): void {
    let taken = 0;
    while (taken < bytes.length) {
      const at = this.#end - this.#base;
      const index = Math.floor(at / SLAB_BYTES);
      if (index === this.#slabs.length) this.#slabs.push(takeSlab());
      const within = at - index * SLAB_BYTES;
      const count = Math.min(SLAB_BYTES - within, bytes.length - taken);
      const part = taken === 0 && count === bytes.length ? bytes : bytes.subarray(taken, taken + count);
      this.#slabs[index]!.set(part, within);
      taken += count;
      this.#end += count;
    }
  }

  /**
   * Returns the bytes from `from` up to, but not including, `to`; both are limited to what is held.
   *
   * The result may be a view of the ring: use it before the next `append` or `dropBefore`, or copy it.
   */
  slice(from: number, to: number): Buffer {
    const first = Math.max(from, this.#start) - this.#base;
    const last = Math.min(to, this.#end) - this.#base;
    if (first >= last) return Buffer.alloc(0);
    const firstSlab = Math.floor(first / SLAB_BYTES);
    const lastSlab = Math.floor((last - 1) / SLAB_BYTES);
    const within = first - firstSlab * SLAB_BYTES;
    if (firstSlab === lastSlab) return this.#slabs[firstSlab]!.subarray(within, within + last - first);
    const parts = this.#slabs.slice(firstSlab, lastSlab + 1);
    parts[0] = parts[0]!.subarray(within);
    return Buffer.concat(parts, last - first);
  }

  /** Like `slice`, but returns the caller's own copy. */
  copy(from: number, to: number): Uint8Array {
    const first = Math.max(from, this.#start);
    const bytes = allocateBuffer(Math.max(0, Math.min(to, this.#end) - first));
    let at = 0;
    for (const view of this.views(first, first + bytes.length)) {
      bytes.set(view, at);
      at += view.length;
    }
    return bytes;
  }

  /** Returns the bytes from `from` to `to`, which must be held, as views of the ring: valid until they are dropped. */
  views(from: number, to: number): Buffer[] {
    const views: Buffer[] = [];
    for (let at = from; at < to;) {
      const end = Math.min(to, at + SLAB_BYTES - ((at - this.#base) % SLAB_BYTES));
      views.push(this.slice(at, end));
      at = end;
    }
    return views;
  }

  /** Forgets the bytes before `offset`. Memory is freed slab by slab. */
  dropBefore(offset: number): void {
    this.#start = Math.min(Math.max(offset, this.#start), this.#end);
    const whole = Math.floor((this.#start - this.#base) / SLAB_BYTES);
    if (whole === 0) return;
    for (const slab of this.#slabs.splice(0, whole)) returnSlab(slab);
    this.#base += whole * SLAB_BYTES;
  }
}
