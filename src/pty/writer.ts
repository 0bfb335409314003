/**
 * Writes to the master side of a pseudo-terminal: completely, in order, and as fast as the program reads. Neither
 * blocks the event loop nor busy-waits while the program is not reading. Does not own the descriptor: call `stop`
 * before closing it.
 */
import { writeSync } from 'node:fs';

/**
 * Maximum number of bytes that are written in one turn of the event loop, so that a large paste does not delay other
 * terminals.
 */
const MAX_BYTES_PER_TURN = 64 * 1024;

/** Maximum number of bytes per system call, because a call can take as long as the program keeps reading. */
const MAX_BYTES_PER_WRITE = 16 * 1024;

/** Delay before a retry: short for a program that is reading, and doubling up to the maximum for one that is not. */
const MIN_DELAY_MS = 1;
const MAX_DELAY_MS = 32;

const NO_BYTES = new Uint8Array(0);

export type WriteNow = (fd: number, bytes: Uint8Array, offset: number, length: number) => number;

export class PtyWriter {
  readonly #fd: number;
  readonly #writeNow: WriteNow;
  #pending: Uint8Array = NO_BYTES;
  #start = 0;
  #end = 0;
  #delayMs = MIN_DELAY_MS;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #stopped = false;

  /** @param writeNow - Writes without blocking, and throws EAGAIN if nothing can be written. */
  constructor(fd: number, writeNow: WriteNow = writeSync) {
    this.#fd = fd;
    this.#writeNow = writeNow;
  }

  /** Bytes passed to `write` that the kernel has not accepted yet. */
  get pendingBytes(): number {
    return this.#end - this.#start;
  }

  /** Queues bytes, and immediately writes what can be written. The caller may reuse the bytes after the call. */
  write(bytes: Uint8Array): void {
    if (this.#stopped || bytes.length === 0) return;
    const isIdle = this.pendingBytes === 0;
    this.#append(bytes);
    if (isIdle) this.#flush();
  }

  /** Stops writing until `resume` is called. Returns a copy of the pending bytes. */
  suspend(): Uint8Array {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    return this.#pending.slice(this.#start, this.#end);
  }

  /** Undoes `suspend`. */
  resume(): void {
    if (!this.#stopped && this.pendingBytes > 0) this.#flush();
  }

  /** Discards the pending bytes and stops writing. Safe to call twice. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#forget();
  }

  #flush(): void {
    for (let budget = MAX_BYTES_PER_TURN; budget > 0; budget -= MAX_BYTES_PER_WRITE) {
      const wanted = Math.min(this.pendingBytes, MAX_BYTES_PER_WRITE);
      const written = this.#tryWrite(wanted);
      this.#start += written;
      if (this.pendingBytes === 0) return this.#forget();
      if (written > 0) this.#delayMs = MIN_DELAY_MS;
      if (written < wanted) return this.#flushLater();
    }
    this.#immediate = setImmediate(() => this.#flush());
  }

  #flushLater(): void {
    this.#timer = setTimeout(() => this.#flush(), this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, MAX_DELAY_MS);
  }

  #tryWrite(length: number): number {
    try {
      return this.#writeNow(this.#fd, this.#pending, this.#start, length);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
      // EIO: no process has the terminal open, so the pending input can never be delivered.
      this.#end = this.#start;
      return 0;
    }
  }

  #append(bytes: Uint8Array): void {
    if (this.#end + bytes.length > this.#pending.length) this.#makeRoom(bytes.length);
    this.#pending.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /**
   * Makes room for more bytes. Doubling the buffer keeps many small writes cheap, and moving the rest to the front
   * reuses the space of bytes that have been written.
   */
  #makeRoom(size: number): void {
    const needed = this.pendingBytes + size;
    const target = needed * 2 <= this.#pending.length ? this.#pending : new Uint8Array(needed * 2);
    target.set(this.#pending.subarray(this.#start, this.#end));
    this.#pending = target;
    this.#end -= this.#start;
    this.#start = 0;
  }

  #forget(): void {
    this.#pending = NO_BYTES;
    this.#start = 0;
    this.#end = 0;
    this.#delayMs = MIN_DELAY_MS;
  }
}
