/**
 * Looks whether a shell reads at the prompt that it has reported while its command runs, and remembers where that
 * prompt began: the output of the command ends there. A text can print the prompt, or call its hooks, but it cannot
 * make the shell read as it does at its prompt. Does not depend on sessions.
 */
import type { PromptDetector } from './prompt-detector.js';
import type { ShellContext } from './shell-context.js';
import type { TrackedKind } from './shells.js';

/** Where the output of a command ends, and the line of the history that this is in. */
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

  /** The shell has returned to its prompt, or reports where that begins, which it repeats when it redraws it. */
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

  /** Looks once; calls `confirmed` if the shell reads at its prompt and `isStill` holds. */
  async look(kind: TrackedKind, isStill: () => boolean, confirmed: () => void): Promise<void> {
    if (this.#isLooking || !this.#isReading) return;
    this.#isLooking = true;
    const isPrompt = await this.#detector.confirms(kind, this.#context.probe().tty);
    this.#isLooking = false;
    if (isPrompt && isStill() && this.#isReading) confirmed();
  }

  get #isReading(): boolean {
    return this.#context.probe().waiting?.pid === this.#pid;
  }
}
