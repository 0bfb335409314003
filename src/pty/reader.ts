/**
 * Reads the master side of a pseudo-terminal without losing a byte, and owns its descriptor: only here
 * is it closed, once. It knows nothing of processes: when to drain and when to close is told to it.
 */
import { readSync } from 'node:fs';
import { ReadStream } from 'node:tty';

/** A read gives at most one kernel buffer of 4 KiB; the rest is for kernels that give more. */
const READ_BUFFER_BYTES = 64 * 1024;

/** One for all terminals: it is used up within the call that filled it. */
const readBuffer = new Uint8Array(READ_BUFFER_BYTES);

/**
 * More than the kernel holds back of what a program has written (about 20 KiB): after this much,
 * what still comes was written by somebody else.
 */
const MAX_DRAIN_BYTES = 256 * 1024;

/** `empty`: nothing there now. `hungUp`: nothing there and nobody has the terminal open. */
export type DrainResult = 'empty' | 'hungUp' | 'more';

export interface PtyReaderEvents {
  /** `bytes` is a view of a shared buffer, valid only during the call. Must not throw. */
  onData(bytes: Uint8Array): void;
  /** Nobody has the terminal open any more. There may be bytes left to drain; the descriptor is open still. */
  onHangup(): void;
  /** The descriptor is closed. */
  onClose(): void;
}

/** Reads a master descriptor, which from now on belongs to it. Reading begins at once. */
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
    // A first read by hand: resume() would schedule it, and it would then begin even if paused by that time.
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

  /** Reads at once what the kernel holds, up to a bound, paused or not. The descriptor must be open. */
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

  /** The kernel flushes what it holds before it answers EAGAIN or EIO: both mean that nothing is left. */
  #readNow(): number | 'empty' | 'hungUp' {
    try {
      return readSync(this.#fd, readBuffer) || 'hungUp';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'empty' : 'hungUp';
    }
  }
}

interface MasterStreamHooks {
  /** The shared buffer holds this many bytes. Returns whether to go on reading. */
  onRead(size: number): boolean;
  onHangup(): void;
}

/**
 * A tty stream that keeps its descriptor open when Node would close it: at an end or an error. Before
 * libuv 1.52 an end is reported as soon as the last process has closed the terminal, with up to 20 KB
 * unread; and on any version a process may yet open the terminal anew (login does).
 */
class MasterStream extends ReadStream {
  readonly #hooks: MasterStreamHooks;
  #finishDestroy: (() => void) | undefined;
  released = false;

  constructor(fd: number, hooks: MasterStreamHooks) {
    super(fd, { onread: { buffer: readBuffer, callback: (size: number) => hooks.onRead(size) } } as object);
    this.#hooks = hooks;
  }

  /** Lets the descriptor be closed, at once. */
  release(): void {
    if (this.released) return;
    this.released = true;
    if (this.#finishDestroy) this.#finishDestroy();
    else this.destroy();
  }

  override _destroy(_error: Error | null, callback: (error?: Error | null) => void): void {
    // The error is EIO, which is how a pseudo-terminal ends; it goes no further.
    this.#finishDestroy = () => super._destroy(null, callback);
    if (this.released) this.#finishDestroy();
    else this.#hooks.onHangup();
  }
}
