/**
 * One pseudo-terminal with one program in it: bytes in, bytes out, size, exit. It loses no output and leaves
 * no descriptor behind. It knows no history, no screen, and no processes but the one it started.
 */
import { constants } from 'node:os';
import { directoryOf, foregroundOf, type ForegroundProcess } from '../processes/foreground.js';
import { startTimeOf } from '../processes/process-table.js';
import { forgetMaster, forkPty, rememberMaster, resizePty, type ForkedPty, type PtyOptions } from './native.js';
import { leftOutNote, PacedIntake } from './paced-intake.js';
import { PtyReader } from './reader.js';
import { PtyWriter } from './writer.js';

export type { PtyOptions } from './native.js';

/**
 * How a program ended: exactly one of the two is not null. Both are null if nobody was left who could wait for it.
 */
export interface PtyExit {
  /** 0 to 255, or null if a signal ended the program. */
  readonly exitCode: number | null;
  /** Name of that signal, as `SIGKILL`, or null. */
  readonly signal: string | null;
}

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** What a process needs to go on with another's pseudo-terminal. The descriptor is the receiver's own copy. */
export interface HandedPty {
  readonly fd: number;
  readonly pid: number;
  readonly startTime: number | null;
  /** What was typed and the program has not taken yet. */
  readonly pendingInput: Uint8Array;
  /** Base64: what was read and not delivered yet. */
  readonly pendingOutput: string;
  /** How the program ended, if it has already. */
  readonly exit: PtyExit | null;
}

/**
 * What happens to a pseudo-terminal. Never called from within a call to `Pty`. What a callback throws is
 * thrown again on its own, as an uncaught exception; the terminal goes on.
 */
export interface PtyEvents {
  /** Output. `bytes` is a view of a buffer that all terminals share: valid only during the call. */
  onData(bytes: Uint8Array): void;
  /** The program was waited for and all it wrote was delivered before, even if paused. Exactly once. */
  onExit(exit: PtyExit): void;
  /** Nothing can follow and the descriptor is closed. After `onExit`, exactly once. */
  onClose(): void;
}

/**
 * While the program runs on without the terminal, one of its processes may open it again (login does); it is
 * looked for at these intervals, doubling from the first to the last.
 */
const MIN_REOPEN_POLL_MS = 10;
const MAX_REOPEN_POLL_MS = 320;
/** What a program has written last is shown within this time, or left out. */
const MAX_LAST_OUTPUT_MS = 5000;

/** A running or ended program in a pseudo-terminal. Made by `Pty.spawn`. */
export class Pty {
  readonly pid: number;
  /** When the kernel says the program started; with the pid, its name for good. Null if it ended at once. */
  readonly startTime: number | null;
  readonly #fd: number;
  readonly #events: PtyEvents;
  readonly #reader: PtyReader;
  readonly #writer: PtyWriter;
  readonly #intake: PacedIntake;
  #cells: number;
  #exit: PtyExit | null = null;
  /** Not while what the program wrote is still being delivered. */
  #isExitTold = false;
  #isPaused = false;
  #isHungUp = false;
  #isHandedOver = false;
  /** Whether the descriptor is given up: from then on its number may be another file's. */
  #isClosed = false;
  /** Whether the descriptor was closed and nothing will be read any more. */
  #isDone = false;
  #reopenTimer: NodeJS.Timeout | undefined;
  #skipTimer: NodeJS.Timeout | undefined;

  /**
   * Starts a program in a new pseudo-terminal. Output begins to flow in a later turn of the loop.
   *
   * `options.file` must be a path that can be executed and `options.cwd` a directory: they are not checked
   * here, and a program that cannot be executed ends with exit code 1 and a line of output.
   *
   * @throws `SPAWN_FAILED` if the system refuses; `UNSUPPORTED_PLATFORM` on musl libc and where there is no
   * native code.
   */
  static spawn(options: PtyOptions, events: PtyEvents): Pty {
    const forked = forkPty(options, (exitCode, signal) => pty.#onWaited(exitOf(exitCode, signal)));
    const { cols, rows } = options;
    const pty = new Pty({ ...forked, startTime: startTimeOf(forked.pid), cols, rows }, events);
    return pty;
  }

  /**
   * Goes on with a pseudo-terminal that another process handed over (`handOver`). This process is not the
   * program's parent: how it ended must be told by `programEnded`.
   */
  static adopt(handed: HandedPty, size: Size, events: PtyEvents): Pty {
    rememberMaster(handed.fd);
    const pty = new Pty({ ...handed, ...size }, events);
    pty.#exit = handed.exit;
    pty.#isExitTold = handed.exit !== null;
    pty.#writer.write(handed.pendingInput);
    pty.#intake.addLater(Buffer.from(handed.pendingOutput, 'base64'));
    return pty;
  }

  private constructor(opened: ForkedPty & Size & { startTime: number | null }, events: PtyEvents) {
    const { fd, pid, startTime, cols, rows } = opened;
    this.#cells = cols * rows;
    this.pid = pid;
    this.startTime = startTime;
    this.#fd = fd;
    this.#events = events;
    this.#writer = new PtyWriter(fd);
    this.#intake = new PacedIntake({
      take: (bytes) => this.#emit(() => events.onData(bytes)),
      cells: () => this.#cells,
      onBehind: () => this.#reader.pause(),
      onTaken: () => this.#onTaken(),
    });
    this.#reader = new PtyReader(fd, {
      onData: (bytes) => this.#intake.add(bytes),
      onHangup: () => this.#onHangup(),
      onClose: () => this.#onReaderClosed(),
    });
  }

  /** Bytes written that the program has not taken yet. */
  get pendingInputBytes(): number {
    return this.#writer.pendingBytes;
  }

  /**
   * Types bytes: in order, whole, and as fast as the program takes them. They may be reused after the call.
   * Does nothing once the terminal is closed; what nobody is left to read is dropped.
   */
  write(bytes: Uint8Array): void {
    this.#writer.write(bytes);
  }

  /**
   * Stops reading: the program is held up once the kernel's buffer (some 20 KB) is full. Nothing is lost.
   * When the program ends, what is left is delivered all the same.
   */
  pause(): void {
    if (this.#isPaused || this.#isClosed) return;
    this.#isPaused = true;
    this.#reader.pause();
  }

  resume(): void {
    if (!this.#isPaused || this.#isClosed) return;
    this.#isPaused = false;
    this.#readOn();
  }

  #readOn(): void {
    if (this.#isPaused || this.#isClosed || this.#isHandedOver || this.#intake.isBehind) return;
    if (this.#isHungUp) this.#pollReopenedIn(MIN_REOPEN_POLL_MS);
    else this.#reader.resume();
  }

  /** Changes the size; the program is told by SIGWINCH. Does nothing once the terminal is closed. */
  resize(cols: number, rows: number): void {
    if (this.#isClosed) return;
    this.#cells = cols * rows;
    resizePty(this.#fd, cols, rows);
  }

  /** What runs in the foreground; null once the program has ended, and on systems without /proc. */
  foreground(): ForegroundProcess | null {
    return this.#exit ? null : foregroundOf(this.pid);
  }

  /** The directory the program is in; null once it has ended, and where the system does not tell. */
  directory(): string | null {
    return this.#exit ? null : directoryOf(this.pid);
  }

  /**
   * Stops reading and writing, and gives what another process needs to go on: it must be given a copy of the
   * descriptor. Afterwards either `takeBack` or, when the other process has it, `close`; `onExit` comes all the same.
   */
  handOver(): HandedPty {
    this.#isHandedOver = true;
    this.#reader.pause();
    const pendingInput = this.#writer.suspend();
    const pendingOutput = this.#intake.suspend().toString('base64');
    const exit = this.#isExitTold ? this.#exit : null;
    return { fd: this.#fd, pid: this.pid, startTime: this.startTime, pendingInput, pendingOutput, exit };
  }

  /** Undoes `handOver`. */
  takeBack(): void {
    this.#isHandedOver = false;
    this.#writer.goOn();
    this.#intake.goOn();
    this.#readOn();
    if (this.#exit && !this.#intake.isBehind && this.#reader.drain() === 'hungUp') this.close();
  }

  /** For an adopted one: tells how the program ended. */
  programEnded(exit: PtyExit): void {
    if (this.#exit === null) this.#onWaited(exit);
  }

  /**
   * Gives the terminal up at once: output not yet delivered is dropped, and the kernel sends SIGHUP to the
   * program. `onExit` follows when it ends, then `onClose`. Safe to call twice.
   */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#reopenTimer);
    clearTimeout(this.#skipTimer);
    this.#intake.drop();
    this.#writer.stop();
    forgetMaster(this.#fd);
    this.#reader.close();
  }

  /** The process is gone. What it wrote is still in the kernel, and others may go on writing. */
  #onWaited(exit: PtyExit): void {
    // Of one that is handed over, the other process reads what is left.
    const isOurs = !this.#isClosed && !this.#isHandedOver;
    const isHungUp = isOurs && this.#reader.drain() === 'hungUp';
    this.#exit = exit;
    if (isOurs && this.#intake.isBehind) {
      this.#skipTimer = setTimeout(() => this.#skip(), MAX_LAST_OUTPUT_MS);
      return;
    }
    this.#tellExit();
    if (!this.#isDone && isHungUp) this.close();
  }

  /** Nobody waits for minutes until the end is told, as it takes to show what is made to be costly. */
  #skip(): void {
    if (this.#isHandedOver) return;
    const bytes = this.#intake.drop();
    this.#emit(() => this.#events.onData(leftOutNote(bytes)));
    this.#tellExit();
    this.#readOn();
  }

  #tellExit(): void {
    clearTimeout(this.#skipTimer);
    this.#isExitTold = true;
    this.#emit(() => this.#events.onExit(this.#exit!));
    if (this.#isDone) this.#emit(() => this.#events.onClose());
  }

  #onTaken(): void {
    if (this.#exit && !this.#isExitTold) this.#tellExit();
    this.#readOn();
  }

  #onHangup(): void {
    this.#isHungUp = true;
    this.#pollReopened(MIN_REOPEN_POLL_MS);
  }

  /** Reads what is left after a hangup and, for as long as the program runs, what may still come. */
  #pollReopened(delayMs: number): void {
    if (this.#isPaused || this.#isClosed || this.#intake.isBehind) return;
    const isHungUp = this.#reader.drain() === 'hungUp';
    if (this.#intake.isBehind) return;
    if (isHungUp && this.#exit) return this.close();
    this.#pollReopenedIn(isHungUp ? Math.min(delayMs * 2, MAX_REOPEN_POLL_MS) : MIN_REOPEN_POLL_MS);
  }

  #pollReopenedIn(delayMs: number): void {
    clearTimeout(this.#reopenTimer);
    this.#reopenTimer = setTimeout(() => this.#pollReopened(delayMs), delayMs);
  }

  #onReaderClosed(): void {
    this.#isDone = true;
    if (this.#exit && !this.#isExitTold) this.#tellExit();
    else if (this.#exit) this.#emit(() => this.#events.onClose());
  }

  /** A callback that throws must not stop the reading, nor keep the descriptor from being closed. */
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

/** The kernel's number to the name a caller knows; real-time signals have none but their number. */
function signalName(number: number): string {
  const known = Object.entries(constants.signals).find(([, value]) => value === number);
  return known ? known[0] : `SIG${number}`;
}
