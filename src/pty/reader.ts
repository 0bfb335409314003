/**
 * Reads the master side of a pseudo-terminal without losing a byte. Owns its descriptor: only this module closes it,
 * exactly once.
 */
import { readSync } from 'node:fs';
import { ReadStream } from 'node:tty';

/** Size of the read buffer. Most kernels return at most one 4 KiB buffer per read; others return more. */
const READ_BUFFER_BYTES = 64 * 1024;

/** Shared by all terminals, because its contents are consumed within the call that fills it. */
const readBuffer = new Uint8Array(READ_BUFFER_BYTES);

/**
 * Maximum number of bytes that are drained in one call: more than the kernel buffers of an ended program's output
 * (about 20 KiB). Any output beyond that comes from other processes.
 */
const MAX_DRAIN_BYTES = 256 * 1024;

/**
 * `empty`: there is nothing to read now. `hungUp`: there is nothing to read, and no process has the terminal open.
 * `more`: the limit was reached, so there may be more to read.
 */
export type DrainResult = 'empty' | 'hungUp' | 'more';

export interface PtyReaderEvents {
  /** Called with output. `bytes` is a view of a shared buffer, valid only during the call. Must not throw. */
  onData(bytes: Uint8Array): void;
  /**
   * Called when no process has the terminal open. There may still be bytes to drain, and the descriptor is still open.
   */
  onHangup(): void;
  /** Called when the descriptor has been closed. */
  onClose(): void;
}

/** Reads a master descriptor, which it takes ownership of. Starts reading at once. */
export class PtyReader {
  readonly #fd: number;
  readonly #events: PtyReaderEvents;
  readonly #stream: MasterStream;
  #paused = false;

  constructor(fd: number, events: PtyReaderEvents) {
    this.#fd = fd;
    this.#events = events;
    this.#stream = new MasterStream(fd, {
      onRead: (size) => {
        events.onData(readBuffer.subarray(0, size));
        return !this.#paused;
      },
      onHangup: () => events.onHangup(),
    });
    this.#stream.once('close', () => events.onClose());
    // Starts the first read directly. resume() would only schedule it, and it would then start even if reading has been
    // paused by that time.
    this.#stream.read(0);
  }

  pause(): void {
    this.#paused = true;
    this.#stream.pause();
  }

  resume(): void {
    this.#paused = false;
    if (!this.#stream.destroyed) this.#stream.resume();
  }

  /** Immediately reads what the kernel holds, up to a limit, even if reading is paused. The descriptor must be open. */
  drain(): DrainResult {
    for (let total = 0; total < MAX_DRAIN_BYTES && !this.#stream.released;) {
      const size = this.#readNow();
      if (typeof size === 'string') return size;
      total += size;
      this.#events.onData(readBuffer.subarray(0, size));
    }
    return 'more';
  }

  /** Closes the descriptor immediately. `onClose` follows. Safe to call twice. */
  close(): void {
    this.#stream.release();
  }

  /**
   * Reads once. The kernel flushes its buffer before it returns EAGAIN or EIO, so both mean that there is nothing left
   * to read.
   */
  #readNow(): number | 'empty' | 'hungUp' {
    try {
      return readSync(this.#fd, readBuffer) || 'hungUp';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'empty' : 'hungUp';
    }
  }
}

interface MasterStreamHooks {
  /** Called when this many bytes have been read into the shared buffer. Returns whether to continue reading. */
  onRead(size: number): boolean;
  onHangup(): void;
}

/**
 * A tty stream that keeps its descriptor open when Node would close it, that is, at end-of-file or after an error.
 * Versions of libuv before 1.52 report end-of-file as soon as the last process has closed the terminal, even if up to
 * 20 KB are unread. With any version, a process can open the terminal again, as login does.
 */
class MasterStream extends ReadStream {
  readonly #hooks: MasterStreamHooks;
  #finishDestroy: (() => void) | undefined;
  released = false;

  constructor(fd: number, hooks: MasterStreamHooks) {
    super(fd, { onread: { buffer: readBuffer, callback: (size: number) => hooks.onRead(size) } } as object);
    this.#hooks = hooks;
  }

  /** Closes the descriptor immediately. */
  release(): void {
    if (this.released) return;
    this.released = true;
    if (this.#finishDestroy) this.#finishDestroy();
    else this.destroy();
  }

  override _destroy(_error: Error | null, callback: (error?: Error | null) => void): void {
    // The error is EIO, the usual end of a pseudo-terminal, so it is not passed on.
    this.#finishDestroy = () => super._destroy(null, callback);
    if (this.released) this.#finishDestroy();
    else this.#hooks.onHangup();
  }
}
