/**
 * Reads the master side of a pseudo-terminal without losing a byte. Owns its descriptor: only this module closes it,
 * exactly once.
 */
import { readSync } from 'node:fs';
import { ReadStream } from 'node:tty';

/** A read returns at most one kernel buffer of 4 KiB; the rest is for kernels that return more. */
const READ_BUFFER_BYTES = 64 * 1024;

/** Shared by all terminals: its contents are consumed within the call that filled it. */
const readBuffer = new Uint8Array(READ_BUFFER_BYTES);

/**
 * More than the kernel buffers of a program's output (about 20 KiB). After this much, the output comes from other
 * processes.
 */
const MAX_DRAIN_BYTES = 256 * 1024;

/** `empty`: nothing to read now. `hungUp`: nothing to read, and no process has the terminal open. */
export type DrainResult = 'empty' | 'hungUp' | 'more';

export interface PtyReaderEvents {
  /** `bytes` is a view of a shared buffer, valid only during the call. Must not throw. */
  onData(bytes: Uint8Array): void;
  /** Called when no process has the terminal open. Bytes may be left to drain; the descriptor is still open. */
  onHangup(): void;
  /** Called when the descriptor is closed. */
  onClose(): void;
}

/** Reads a master descriptor, whose ownership it takes. Reading starts at once. */
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
    // Starts the first read directly: resume() would schedule it, and it would then start even if paused by that time.
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

  /** Reads at once what the kernel holds, up to a limit, paused or not. The descriptor must be open. */
  drain(): DrainResult {
    for (let total = 0; total < MAX_DRAIN_BYTES && !this.#stream.released;) {
      const size = this.#readNow();
      if (typeof size === 'string') return size;
      total += size;
      this.#events.onData(readBuffer.subarray(0, size));
    }
    return 'more';
  }

  /** Closes the descriptor at once; `onClose` follows. Safe to call twice. */
  close(): void {
    this.#stream.release();
  }

  /** Reads once. The kernel flushes its buffer before it returns EAGAIN or EIO, so both mean that nothing is left. */
  #readNow(): number | 'empty' | 'hungUp' {
    try {
      return readSync(this.#fd, readBuffer) || 'hungUp';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'empty' : 'hungUp';
    }
  }
}

interface MasterStreamHooks {
  /** Called when the shared buffer holds this many bytes. Returns whether to continue reading. */
  onRead(size: number): boolean;
  onHangup(): void;
}

/**
 * A tty stream that keeps its descriptor open when Node would close it: at end-of-file or an error. Before libuv 1.52,
 * end-of-file is reported as soon as the last process has closed the terminal, with up to 20 KB unread. With any
 * version, a process may open the terminal again (login does).
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
    // The error is EIO, which is how a pseudo-terminal ends; it is not passed on.
    this.#finishDestroy = () => super._destroy(null, callback);
    if (this.released) this.#finishDestroy();
    else this.#hooks.onHangup();
  }
}
