/**
 * Checks whether a shell is reading at the prompt that it reported while its command was running, and remembers where
 * that prompt began, because the command's output ends there. A command can print the prompt, or call its hooks, but it
 * cannot make the shell read as it does at its prompt, unless mksh or zsh has no line editor.
 */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { PromptDetector } from './prompt-detector.js';
import type { ShellContext } from './shell-context.js';
import type { TrackedKind } from './shells.js';

/** After this time, all marks that a shell sent before it began to read have arrived. */
const MARK_GRACE_MS = 50;

/** Where the output of a command ends, and the number of the history line there. */
export interface PromptStart {
  readonly offset: number;
  readonly line: number;
}

export class PromptConfirmation {
  readonly #pid: number | null;
  readonly #context: ShellContext;
  readonly #detector: PromptDetector;
  #promptStart: PromptStart | null = null;
  #isLooking = false;

  constructor(pid: number | null, context: ShellContext, detector: PromptDetector) {
    this.#pid = pid;
    this.#context = context;
    this.#detector = detector;
  }

  /**
   * Call when the shell has returned to its prompt, or has reported where the prompt begins, which it does on each
   * redraw.
   */
  take(verb: 'returned' | 'promptStart'): void {
    const { terminal } = this.#context;
    if (verb === 'returned') this.#promptStart = null;
    else this.#promptStart ??= { offset: terminal.outputEnd(), line: terminal.line() };
  }

  /** Returns where the newest reported prompt began, once; null if none was reported. */
  takePromptStart(): PromptStart | null {
    const start = this.#promptStart;
    this.#promptStart = null;
    return start;
  }

  /**
   * Probes once, and calls `confirmed` if the shell is reading at its prompt. That may be a later prompt than the one
   * that it has reported, with marks that are still on their way; `isStill` returns whether none has arrived in the
   * meantime.
   */
  async look(kind: TrackedKind, isStill: () => boolean, confirmed: () => void): Promise<void> {
    if (this.#isLooking || !this.#isReading) return;
    this.#isLooking = true;
    const isPrompt = await this.#detector.confirms(kind, this.#context.probe().tty);
    await delay(MARK_GRACE_MS, undefined, { ref: false });
    // Wait until output that arrived earlier has been read.
    await nextTurn();
    this.#isLooking = false;
    if (isPrompt && isStill() && this.#isReading) confirmed();
  }

  get #isReading(): boolean {
    return this.#context.probe().waiting?.pid === this.#pid;
  }
}
