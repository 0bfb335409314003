/**
 * Tells a followed shell that is back at its prompt, and cannot say so any more, from one that reads with its line editor
 * for the command it runs: `read -e`, `vared`. It is asked by a key, which it answers as long as it has our functions; and
 * as long as it has those, it says itself when a command has ended. It knows no session and no log.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ownReading } from '../processes/own-prompt.js';
import { ANSWER_KEY, hasParkKey } from './shells.js';
import type { FollowedKind } from './shells.js';
import { readProcess } from '../processes/process-table.js';
import type { ShellDisplay, ShellTerminal } from './display.js';

/** A line editor answers the key within this time, also on a busy machine, or has no such key. */
const ANSWER_GRACE_MS = 2000;
/** What a shell has said before it came to its prompt is here by then. */
const MARK_GRACE_MS = 500;

/** Another after each exec; null where that is not known. Never throws: whoever takes output asks. */
function programOf(pid: number | null): number | null {
  try {
    return pid === null ? null : (readProcess(pid)?.environmentAddress ?? null);
  } catch {
    return null;
  }
}

export class OwnReading {
  readonly #pid: number | null;
  readonly #terminal: ShellTerminal;
  readonly #display: ShellDisplay;
  /** Tells whether the shell has made itself another program. */
  #program: number | null = null;
  /** Whether it has shown its prompt since the command began. */
  #hasPrompted = false;
  /** Whether it has asked for more of the text that it evaluates: it reads that from the terminal now. */
  #hasContinued = false;
  /** Whether it has answered since the command began, or since somebody has typed Enter or the like. */
  #hasAnswered = false;
  #asking: Promise<void> | null = null;
  #asked = (): void => {};

  constructor(pid: number | null, terminal: ShellTerminal, display: ShellDisplay) {
    this.#pid = pid;
    this.#terminal = terminal;
    this.#display = display;
  }

  /** What has the process is the shell. */
  noteProgram(): void {
    this.#program = programOf(this.#pid);
  }

  /** A command has begun. */
  begin(): void {
    this.#hasPrompted = false;
    this.#hasContinued = false;
    this.#hasAnswered = false;
  }

  continued(): void {
    this.#hasContinued = true;
    this.heard();
  }

  /** Whether what evaluates the newest command takes what is typed for more of its text; bash does after `set +o emacs`. */
  get takesText(): boolean {
    return this.#hasContinued;
  }

  promptShown(): void {
    this.#hasPrompted = true;
    this.heard();
  }

  /** Somebody has typed: what ends a line ends what was read. */
  typed(bytes: Uint8Array): void {
    if (bytes.some((byte) => byte < 0x20)) this.#hasAnswered = false;
  }

  answered(): void {
    this.#hasAnswered = true;
    this.heard();
  }

  /** The shell has said something: what is asked needs no more answer. */
  heard(): void {
    if (this.#asking === null) return;
    this.#display.release('output');
    this.#asked();
  }

  /** Whether the shell, if it is what reads the terminal, has made itself another program. */
  get isOtherProgram(): boolean {
    const now = programOf(this.#pid);
    return this.#program !== null && now !== null && this.#program !== now;
  }

  /** Whether a shell that is seen to read does so with its line editor. */
  async isEditing(kind: FollowedKind, tty: string | null): Promise<boolean> {
    return (await this.#asSeen(kind, tty)) === 'editor';
  }

  /** fish has no other way to read. */
  async #asSeen(kind: FollowedKind, tty: string | null): Promise<'prompt' | 'editor' | null> {
    if (kind === 'fish') return 'editor';
    return this.#pid === null ? null : ownReading(this.#pid, tty);
  }

  /** As the kernel tells of a shell that is seen to read; `isStill` as below. */
  async seen(kind: FollowedKind, tty: string | null, isStill: () => boolean): Promise<'prompt' | 'editor' | 'input'> {
    const as = await this.#asSeen(kind, tty);
    if (as !== 'prompt') return as ?? 'input';
    await delay(MARK_GRACE_MS);
    return isStill() && (await ownReading(this.#pid!, tty)) === 'prompt' && isStill() ? 'prompt' : 'input';
  }

  /**
   * Whether a shell that is seen to read with its line editor while a command runs is at its prompt.
   *
   * @param isStill - Whether the command still runs, and the shell still reads.
   */
  async isAtPrompt(kind: FollowedKind, isStill: () => boolean): Promise<boolean> {
    if (this.#hasPrompted || !hasParkKey(kind)) return this.#hasPrompted;
    // What is held back for another reason is its answer to something else, which is on its way.
    if (this.#hasAnswered || (this.#display.isHeld && this.#asking === null)) return false;
    await this.#ask();
    return !this.#hasAnswered && isStill();
  }

  #ask(): Promise<void> {
    this.#asking ??= new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#asked(), ANSWER_GRACE_MS).unref();
      this.#asked = () => {
        clearTimeout(timer);
        // What it has shown without an answer is that it does not know what to do.
        if (this.#display.isHeld) this.#display.release('echo');
        this.#asking = null;
        this.#asked = () => {};
        resolve();
      };
      this.#display.hold();
      this.#terminal.type(ANSWER_KEY);
    });
    return this.#asking;
  }
}
