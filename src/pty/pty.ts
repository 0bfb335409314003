/**
 * Manages one pseudo-terminal with one program: its input, output, size and exit. Loses no output and leaks no
 * descriptor.
 */
import { constants } from 'node:os';
import { directoryOf, foregroundOf, type ForegroundProcess } from '../processes/foreground.js';
import { startTimeOf } from '../processes/process-table.js';
import { forgetMaster, forkPty, rememberMaster, resizePty, type ForkedPty, type PtyOptions } from './native.js';
import { omittedNote, PacedOutput } from './paced-output.js';
import { PtyReader } from './reader.js';
import { PtyWriter } from './writer.js';

export type { PtyOptions } from './native.js';

/**
 * How a program ended: exactly one of the fields is not null. Both are null if no process was left that could wait for
 * the program.
 */
export interface PtyExit {
  /** 0 to 255, or null if a signal ended the program. */
  readonly exitCode: number | null;
  /** Name of that signal, such as `SIGKILL`, or null. */
  readonly signal: string | null;
}

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/**
 * What a process needs to take over the pseudo-terminal of another process. The descriptor is the receiver's own copy.
 */
export interface PtyHandOff {
  readonly fd: number;
  readonly pid: number;
  readonly startTime: number | null;
  /** Input that the kernel has not accepted yet. */
  readonly pendingInput: Uint8Array;
  /** Output that has been read but not yet delivered, in base64. */
  readonly pendingOutput: string;
  /** How the program ended, if it has. */
  readonly exit: PtyExit | null;
}

/**
 * Callbacks for the events of a pseudo-terminal. They are never called from within a call to `Pty`. If one throws, the
 * exception is rethrown separately, as an uncaught exception, and the terminal continues.
 */
export interface PtyEvents {
  /** Called when output has been read, which is then delivered in one or more pieces. */
  onRead?(): void;
  /**
   * Called with a piece of output. `bytes` is a view of a buffer that all terminals share, and is valid only during the
   * call.
   */
  onData(bytes: Uint8Array): void;
  /**
   * Called exactly once, when the program has been reaped and all its output has been delivered or dropped, even if
   * reading is paused.
   */
  onExit(exit: PtyExit): void;
  /** Called exactly once, after `onExit`, when no more events can follow and the descriptor is closed. */
  onClose(): void;
}

/**
 * Intervals between checks whether the terminal has been opened again, as login does after it has closed it. They
 * double from the minimum to the maximum.
 */
const MIN_REOPEN_POLL_MS = 10;
const MAX_REOPEN_POLL_MS = 320;
/** How long after a program's end its last output may take to deliver. What is left then is dropped. */
const MAX_LAST_OUTPUT_MS = 5000;

/** A running or ended program in a pseudo-terminal. Created by `Pty.spawn` or `Pty.adopt`. */
export class Pty {
  readonly pid: number;
  /**
   * When the program started, according to the kernel. The pid and this time identify the program permanently. Null if
   * the program ended at once.
   */
  readonly startTime: number | null;
  readonly #fd: number;
  readonly #events: PtyEvents;
  readonly #reader: PtyReader;
  readonly #writer: PtyWriter;
  readonly #pacedOutput: PacedOutput;
  #size: Size;
  #exit: PtyExit | null = null;
  /** Whether the program's exit has been reported, which happens only after its output has been delivered. */
  #isExitReported = false;
  readonly #pausedFor = new Set<string>();
  #isHungUp = false;
  #isHandedOver = false;
  /** Whether the descriptor has been released. From then on, its number may refer to another file. */
  #isClosed = false;
  /** Whether the descriptor has been closed, so that nothing more will be read. */
  #isDone = false;
  #reopenTimer: NodeJS.Timeout | undefined;
  #skipTimer: NodeJS.Timeout | undefined;

  /**
   * Starts a program in a new pseudo-terminal. The first output is delivered in a later turn of the event loop.
   *
   * `options.file` must be the path of an executable and `options.cwd` a directory. They are not checked here: a
   * program that cannot be executed ends with exit code 1 and a line of output.
   *
   * @throws `SPAWN_FAILED` if the system refuses; `UNSUPPORTED_PLATFORM` on musl libc and if there is no native code.
   */
  static spawn(options: PtyOptions, events: PtyEvents): Pty {
    const forked = forkPty(options, (exitCode, signal) => pty.#onWaited(exitOf(exitCode, signal)));
    const { cols, rows } = options;
    const pty = new Pty({ ...forked, startTime: startTimeOf(forked.pid), cols, rows }, events);
    return pty;
  }

  /**
   * Takes over a pseudo-terminal that another process has handed over (`handOver`). This process is not the program's
   * parent, so the caller must report how the program ended to `programEnded`.
   */
  static adopt(handed: PtyHandOff, size: Size, events: PtyEvents): Pty {
    rememberMaster(handed.fd);
    const pty = new Pty({ ...handed, ...size }, events);
    pty.#exit = handed.exit;
    pty.#isExitReported = handed.exit !== null;
    pty.#writer.write(handed.pendingInput);
    pty.#pacedOutput.addLater(Buffer.from(handed.pendingOutput, 'base64'));
    return pty;
  }

  private constructor(opened: ForkedPty & Size & { startTime: number | null }, events: PtyEvents) {
    const { fd, pid, startTime, cols, rows } = opened;
    this.#size = { cols, rows };
    this.pid = pid;
    this.startTime = startTime;
    this.#fd = fd;
    this.#events = events;
    this.#writer = new PtyWriter(fd);
    this.#pacedOutput = new PacedOutput({
      take: (bytes) => this.#emit(() => events.onData(bytes)),
      size: () => this.#size,
      onBehind: () => this.#reader.pause(),
      onTaken: () => this.#onTaken(),
    });
    this.#reader = new PtyReader(fd, {
      onData: (bytes) => {
        this.#events.onRead?.();
        this.#pacedOutput.add(bytes);
      },
      onHangup: () => this.#onHangup(),
      onClose: () => this.#onReaderClosed(),
    });
  }

  /** Bytes of input that the program has not read yet. */
  get pendingInputBytes(): number {
    return this.#writer.pendingBytes;
  }

  /**
   * Types bytes, completely and in order, as fast as the program reads them. The caller may reuse them after the call.
   * Does nothing once the terminal is closed. Drops input that no process can read any more.
   */
  write(bytes: Uint8Array): void {
    this.#writer.write(bytes);
  }

  get isPaused(): boolean {
    return this.#pausedFor.size > 0;
  }

  /** Whether output has been read but not passed on yet. */
  get isBehind(): boolean {
    return this.#pacedOutput.isBehind;
  }

  /**
   * Pauses reading. The program blocks once the kernel's buffer (about 20 KB) is full. Nothing is lost: when the
   * program ends, the rest of its output is delivered even while reading is paused.
   *
   * @param reason - Identifies why reading is paused. Reading continues once `resume` has been called for every such
   * reason.
   */
  pause(reason = ''): void {
    if (this.#isClosed) return;
    this.#pausedFor.add(reason);
    this.#reader.pause();
  }

  resume(reason = ''): void {
    if (this.#pausedFor.delete(reason)) this.#readOn();
  }

  #readOn(): void {
    if (this.isPaused || this.#isClosed || this.#isHandedOver || this.#pacedOutput.isBehind) return;
    if (this.#isHungUp) this.#pollReopenedIn(MIN_REOPEN_POLL_MS);
    else this.#reader.resume();
  }

  /** Changes the size; the program receives SIGWINCH. Does nothing once the terminal is closed. */
  resize(cols: number, rows: number): void {
    if (this.#isClosed) return;
    this.#size = { cols, rows };
    resizePty(this.#fd, cols, rows);
  }

  /** Returns the foreground process; null if the program has ended, and on systems without /proc. */
  foreground(): ForegroundProcess | null {
    return this.#exit ? null : foregroundOf(this.pid);
  }

  /**
   * Returns the directory of the program; null if the program has ended, or if the system does not report its
   * directory.
   */
  directory(): string | null {
    return this.#exit ? null : directoryOf(this.pid);
  }

  /**
   * Stops reading and writing, and returns what another process needs to take over. That process must receive a copy of
   * the descriptor. Afterwards, call `close` if the other process has taken over, and otherwise `takeBack`. `onExit` is
   * called in either case.
   */
  handOver(): PtyHandOff {
    this.#isHandedOver = true;
    this.#reader.pause();
    const pendingInput = this.#writer.suspend();
    const pendingOutput = this.#pacedOutput.suspend().toString('base64');
    const exit = this.#isExitReported ? this.#exit : null;
    return { fd: this.#fd, pid: this.pid, startTime: this.startTime, pendingInput, pendingOutput, exit };
  }

  /** Undoes `handOver`. */
  takeBack(): void {
    this.#isHandedOver = false;
    this.#writer.resume();
    this.#pacedOutput.resume();
    this.#readOn();
    if (this.#exit && !this.#pacedOutput.isBehind && this.#reader.drain() === 'hungUp') this.close();
  }

  /** For an adopted terminal: call this with how the program ended. */
  programEnded(exit: PtyExit): void {
    if (this.#exit === null) this.#onWaited(exit);
  }

  /**
   * Closes the terminal immediately: drops undelivered output, and makes the kernel send SIGHUP to the program.
   * `onExit` follows when the program ends, then `onClose`. Safe to call twice.
   */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#reopenTimer);
    clearTimeout(this.#skipTimer);
    this.#pacedOutput.drop();
    this.#writer.stop();
    forgetMaster(this.#fd);
    this.#reader.close();
  }

  /**
   * Handles the end of the program. Some of its output may still be in the kernel, and other processes may continue to
   * write.
   */
  #onWaited(exit: PtyExit): void {
    // If the terminal is being handed over, the other process reads the rest.
    const isOurs = !this.#isClosed && !this.#isHandedOver;
    const isHungUp = isOurs && this.#reader.drain() === 'hungUp';
    this.#exit = exit;
    if (isOurs && this.#pacedOutput.isBehind) {
      this.#skipTimer = setTimeout(() => this.#skip(), MAX_LAST_OUTPUT_MS);
      return;
    }
    this.#reportExit();
    if (!this.#isDone && isHungUp) this.close();
  }

  /**
   * Drops the output that is still pending `MAX_LAST_OUTPUT_MS` after the program ended: rendering it could delay the
   * report of the exit by minutes.
   */
  #skip(): void {
    if (this.#isHandedOver) return;
    const bytes = this.#pacedOutput.drop();
    this.#emit(() => this.#events.onData(omittedNote(bytes)));
    this.#reportExit();
    this.#readOn();
  }

  #reportExit(): void {
    clearTimeout(this.#skipTimer);
    this.#isExitReported = true;
    this.#emit(() => this.#events.onExit(this.#exit!));
    if (this.#isDone) this.#emit(() => this.#events.onClose());
  }

  #onTaken(): void {
    if (this.#exit && !this.#isExitReported) this.#reportExit();
    this.#readOn();
  }

  #onHangup(): void {
    this.#isHungUp = true;
    this.#pollReopened(MIN_REOPEN_POLL_MS);
  }

  /**
   * Reads the output that is left after a hangup and, as long as the program is running, checks for output that still
   * arrives.
   */
  #pollReopened(delayMs: number): void {
    if (this.isPaused || this.#isClosed || this.#pacedOutput.isBehind) return;
    const isHungUp = this.#reader.drain() === 'hungUp';
    if (this.#pacedOutput.isBehind) return;
    if (isHungUp && this.#exit) return this.close();
    this.#pollReopenedIn(isHungUp ? Math.min(delayMs * 2, MAX_REOPEN_POLL_MS) : MIN_REOPEN_POLL_MS);
  }

  #pollReopenedIn(delayMs: number): void {
    clearTimeout(this.#reopenTimer);
    this.#reopenTimer = setTimeout(() => this.#pollReopened(delayMs), delayMs);
  }

  #onReaderClosed(): void {
    this.#isDone = true;
    if (this.#exit && !this.#isExitReported) this.#reportExit();
    else if (this.#exit) this.#emit(() => this.#events.onClose());
  }

  /**
   * Calls a callback so that an exception in it neither stops reading nor prevents the descriptor from being closed.
   */
  #emit(event: () => void): void {
    try {
      event();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

function exitOf(exitCode: number, signal: number): PtyExit {
  return signal > 0 ? { exitCode: null, signal: signalName(signal) } : { exitCode, signal: null };
}

/** Returns the usual name of a signal number. Real-time signals are named after their number. */
function signalName(number: number): string {
  const known = Object.entries(constants.signals).find(([, value]) => value === number);
  return known ? known[0] : `SIG${number}`;
}
