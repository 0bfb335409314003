/**
 * Distinguishes a shell that is back at its prompt but can no longer report it from a shell that is using its line
 * editor for a running command, such as `read -e` or `vared`. Types a key that the shell replies to only while it has
 * our functions. As long as it has them, it also reports the end of a command.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { threadState } from '../processes/awaited-descriptors.js';
import { knowsPrompt, promptReading } from '../processes/prompt-reading.js';
import { ANSWER_KEY, hasParkKey, isRepl } from './shells.js';
import type { TrackedKind } from './shells.js';
import { readProcess } from '../processes/process-table.js';
import type { Mark } from './marker.js';
import type { ShellDisplay, ShellTerminal } from './display.js';

/** If a line editor has not replied to the key within this time, even on a busy machine, it has no such key. */
const ANSWER_GRACE_MS = 2000;
/** After this time, all marks that a shell sent before its prompt have arrived. */
const MARK_GRACE_MS = 500;

/**
 * Returns a value that identifies the program and changes with each exec; null if unknown. Never throws, because it is
 * called while output is being handled.
 */
function programOf(pid: number | null): number | null {
  try {
    return pid === null ? null : (readProcess(pid)?.environmentAddress ?? null);
  } catch {
    return null;
  }
}

export class PromptDetector {
  readonly #pid: number | null;
  readonly #terminal: ShellTerminal;
  readonly #display: ShellDisplay;
  /** Identifies the program of the shell, to detect an exec. */
  #program: number | null = null;
  /** Whether the shell has shown its prompt since the command began. */
  #hasPrompted: boolean;
  /** Whether the shell has reported, since the command began, that its line editor is off. */
  #isEditorOff = false;
  /** Whether it has asked for more of the command that it is evaluating, and now reads that from the terminal. */
  #hasContinued = false;
  /** Whether it has replied since the command began, or since the user typed Enter or another control character. */
  #hasAnswered = false;
  #pendingQuery: Promise<void> | null = null;
  #endQuery = (): void => {};

  /** @param hasPrompted - Whether another process may have seen the shell show its prompt. */
  constructor(pid: number | null, terminal: ShellTerminal, display: ShellDisplay, hasPrompted: boolean) {
    this.#pid = pid;
    this.#hasPrompted = hasPrompted;
    this.#terminal = terminal;
    this.#display = display;
  }

  /** Call when the process is known to run the shell. */
  noteProgram(): void {
    this.#program = programOf(this.#pid);
  }

  /** Call when a command has begun. */
  begin(): void {
    this.#hasPrompted = false;
    this.#isEditorOff = false;
    this.#hasContinued = false;
    this.#hasAnswered = false;
  }

  /** Call when the shell has sent this mark and its session has taken it. */
  take(verb: Mark['verb'], kind: TrackedKind, isRunning: boolean): void {
    if (verb === 'answers') this.#hasAnswered = true;
    if (verb === 'editorOff') this.#isEditorOff = true;
    if (!isRunning) return;
    if (verb === 'returned') this.#hasPrompted = false;
    if (verb === 'promptEnd') this.#hasPrompted = true;
    if (verb === 'continuation' && kind === 'bash') this.#hasContinued = true;
  }

  /**
   * Whether the shell reads typed input as the continuation of the newest command, as bash does after `set +o emacs`.
   */
  get readsContinuation(): boolean {
    return this.#hasContinued;
  }

  /** Call when the user has typed. A control character, such as Enter, may end the line that is being read. */
  typed(bytes: Uint8Array): void {
    if (bytes.some((byte) => byte < 0x20)) this.#hasAnswered = false;
  }

  /** Call when the shell sends a mark: a pending query then needs no other reply. */
  markReceived(): void {
    if (this.#pendingQuery === null) return;
    this.#display.release('output');
    this.#endQuery();
  }

  /**
   * Whether the shell's process has become another program by exec. Call only if this process is reading the terminal.
   */
  get isOtherProgram(): boolean {
    const now = programOf(this.#pid);
    return this.#program !== null && now !== null && this.#program !== now;
  }

  /**
   * Returns whether a shell that is reading the terminal, with no command running, is at its prompt. `isStill` returns
   * whether both are still true.
   */
  async isForPrompt(kind: TrackedKind, tty: string | null, isStill: () => boolean): Promise<boolean> {
    return (await this.#readByKernel(kind, tty)) !== null && isStill();
  }

  /** Returns whether the kernel shows how this shell reads. */
  canConfirm(kind: TrackedKind): boolean {
    if (this.#pid === null || isRepl(kind) || !(kind === 'fish' || knowsPrompt(this.#pid))) return false;
    return threadState(this.#pid, this.#pid).doing !== 'hidden';
  }

  /**
   * Returns whether a shell that is reading the terminal is reading at the prompt that it has reported. With its line
   * editor off, only its report shows that.
   */
  async confirms(kind: TrackedKind, tty: string | null): Promise<boolean> {
    if (!this.#hasPrompted || this.isOtherProgram) return false;
    return this.#isEditorOff || (await this.#readByKernel(kind, tty)) !== null;
  }

  /** Determines from the kernel's information how a shell reads; fish always reads with its line editor. */
  async #readByKernel(kind: TrackedKind, tty: string | null): Promise<'prompt' | 'editor' | null> {
    if (kind === 'fish') return 'editor';
    return this.#pid === null ? null : promptReading(this.#pid, tty);
  }

  /** Determines from the kernel's information how a shell is reading the terminal; for `isStill`, see `isAtPrompt`. */
  async classify(
    kind: TrackedKind,
    tty: string | null,
    isStill: () => boolean,
  ): Promise<'prompt' | 'editor' | 'input'> {
    const as = await this.#readByKernel(kind, tty);
    if (as !== 'prompt') return as ?? 'input';
    await delay(MARK_GRACE_MS);
    return isStill() && (await promptReading(this.#pid!, tty)) === 'prompt' && isStill() ? 'prompt' : 'input';
  }

  /**
   * Returns whether a shell that is using its line editor while a command is running is at its prompt.
   *
   * @param isStill - Whether the command is still running and the shell is still reading.
   */
  async isAtPrompt(kind: TrackedKind, isStill: () => boolean): Promise<boolean> {
    if (this.#hasPrompted || !hasParkKey(kind)) return this.#hasPrompted;
    // If output is withheld for another reason, another query is pending and its reply is on its way.
    if (this.#hasAnswered || (this.#display.isHeld && this.#pendingQuery === null)) return false;
    await this.#queryShell();
    return !this.#hasAnswered && isStill();
  }

  #queryShell(): Promise<void> {
    this.#pendingQuery ??= new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#endQuery(), ANSWER_GRACE_MS).unref();
      this.#endQuery = () => {
        clearTimeout(timer);
        // The shell has printed something instead of a reply, so it does not know the key.
        if (this.#display.isHeld) this.#display.release('echo');
        this.#pendingQuery = null;
        this.#endQuery = () => {};
        resolve();
      };
      this.#display.hold();
      this.#terminal.type(ANSWER_KEY);
    });
    return this.#pendingQuery;
  }
}
