/**
 * Decides what subscribers of an integrated shell see: its output without our marks and without the echo of injected
 * lines, plus marks that the subscribers' own terminals may understand. Records where prompts end and what was printed
 * between two commands.
 */
import { hostname } from 'node:os';
import type { Caller } from '../contract/caller.js';
import type { CommandEnd } from './session/effects.js';
import type { TrackedKind } from './shells.js';
import {
  directoryMark,
  endedMark,
  modesIn,
  promptBytes,
  VIEWER_MARKS,
  zshLineEndBytes,
} from '../transcript/viewer-marks.js';
import type { Echo } from './typed-text.js';

/** The terminal that the shell runs in. */
export interface ShellTerminal {
  /** Takes output in the form that readers see. The bytes are valid only during the call. */
  show(bytes: Uint8Array): void;
  type(input: string | Uint8Array): void;
  outputEnd(): number;
  /** Returns the number of the history line that output currently goes to. */
  line(): number;
  /** Returns the column of the cursor, from 0. */
  column(): number;
  /** Returns output starting at an offset, limited to the length of a typed line. */
  outputFrom(offset: number): Buffer;
  columns(): number;
  /** Returns the directory of the terminal's program; null if the system does not report it. */
  cwd(): string | null;
  /** Returns whether output is currently left unread. */
  isPaused(): boolean;
  /** Returns who typed last, if known. */
  typist(): Caller | undefined;
  /** Wakes callers that are waiting for a change. */
  changed(): void;
}

/** Where a prompt ended, and the history number that the line typed there gets. */
export interface PromptEnd {
  readonly offset: number;
  readonly column: number;
  readonly history: number | null;
}

/** All the state that a hand-off to another process needs. */
export interface DisplayHandOff {
  /** The withheld output in base64; null if none is withheld. */
  readonly held: string | null;
  readonly said: string | null;
  readonly between: readonly (readonly [number, number])[];
  readonly promptEnd: PromptEnd | null;
}

/** Longer than any echo of an injected line. More than this must be other output, and is shown. */
const MAX_HELD_BYTES = 64 << 10;
/** Maximum number of ranges between two commands; further ones are merged. */
const MAX_BETWEEN = 64;
const LF = 0x0a;
/** Length of what zsh prints before a prompt, apart from a line of blanks. */
const LINE_END_MARK_BYTES = 64;
/** Longer than any prompt and the line typed after it. */
const MAX_PROMPT_BYTES = 4096;

export class ShellDisplay {
  readonly #terminal: ShellTerminal;
  #held: Buffer[] | null = null;
  #heldBytes = 0;
  /** The directory that was last reported to subscribers. */
  #shownDirectory: string | null = null;
  #promptEnd: PromptEnd | null = null;
  #between: [number, number][] = [];
  /** Whether a prompt has begun and not ended. The shell may report its beginning twice. */
  #isPrompting = false;
  /** Whether current output is neither prompt nor echo although no command is running. */
  #isBetween = false;

  constructor(terminal: ShellTerminal, handed?: DisplayHandOff) {
    this.#terminal = terminal;
    if (handed === undefined) return;
    if (handed.held !== null) this.hold(Buffer.from(handed.held, 'base64'));
    this.#shownDirectory = handed.said;
    this.#promptEnd = handed.promptEnd;
    this.#between = handed.between.map(([from, to]) => [from, to]);
  }

  get handOffState(): DisplayHandOff {
    const held = this.#held === null ? null : Buffer.concat(this.#held).toString('base64');
    return { held, said: this.#shownDirectory, between: this.#between, promptEnd: this.#promptEnd };
  }

  get isHeld(): boolean {
    return this.#held !== null;
  }

  /** Where the newest prompt ended; null if none has been seen. */
  get promptEnd(): PromptEnd | null {
    return this.#promptEnd;
  }

  /** What has been shown since the newest prompt. */
  get echo(): Echo {
    const echo = this.#promptEnd === null ? null : this.#terminal.outputFrom(this.#promptEnd.offset);
    return { echo, columns: this.#terminal.columns() };
  }

  /** Withholds output until `release`, or until there is too much of it. */
  hold(held: Buffer = Buffer.alloc(0)): void {
    this.#held = [held];
    this.#heldBytes = held.length;
    this.#isPrompting = false;
  }

  /** @param heldBack - `echo`: discard the withheld output; `output`: show it now. */
  release(heldBack: 'echo' | 'output'): void {
    const held = Buffer.concat(this.#held ?? []);
    this.#held = null;
    this.show(heldBack === 'output' ? held : Buffer.from(modesIn(held.toString('latin1')), 'latin1'));
  }

  /** The withheld output after its first line. */
  get heldAfterFirstLine(): Buffer {
    const held = Buffer.concat(this.#held ?? []);
    const lineEnd = held.indexOf(LF);
    return lineEnd < 0 ? Buffer.alloc(0) : held.subarray(lineEnd + 1);
  }

  show(text: string | Buffer): void {
    if (text.length > 0) this.#terminal.show(typeof text === 'string' ? Buffer.from(text) : text);
  }

  /**
   * Handles output, no matter what printed it. @param isIdle - Whether no command is running and the user is not
   * typing.
   */
  output(bytes: Buffer, isIdle: boolean): void {
    if (this.#held !== null) return this.#holdBack(this.#held, bytes);
    const from = this.#terminal.outputEnd();
    this.show(bytes);
    if (this.#isBetween && isIdle && bytes.length > 0) this.#noteBetween(from);
  }

  promptBegan(): void {
    if (this.isHeld) return;
    this.#isBetween = false;
    if (!this.#isPrompting) this.show(VIEWER_MARKS.promptStart);
    this.#isPrompting = true;
  }

  /** @param history - The number that the line typed there gets, if the shell reports it. */
  promptEnded(history: number | null): void {
    if (this.isHeld) return;
    this.#isPrompting = false;
    this.show(VIEWER_MARKS.promptEnd);
    this.#promptEnd = { offset: this.#terminal.outputEnd(), column: this.#terminal.column(), history };
  }

  /** Set when the shell is waiting at its prompt, so that what is printed now is not an echo. */
  set isBetween(isBetween: boolean) {
    this.#isBetween = isBetween;
  }

  /** Called when a command begins. Returns the ranges of the output printed since the previous command. */
  began(): [number, number][] {
    const between = this.#between;
    this.#between = [];
    this.#isBetween = false;
    this.show(VIEWER_MARKS.began);
    return between;
  }

  ended(exitCode: number | null): void {
    this.show(endedMark(exitCode));
    this.#isBetween = true;
  }

  /** Reports the directory to subscribers, if it has changed. */
  directory(directory: string | null): void {
    if (directory === null || directory === this.#shownDirectory || this.isHeld) return;
    this.#shownDirectory = directory;
    this.show(directoryMark(directory, hostname()));
  }

  /**
   * Returns where the output of a command ends, without the prompt after it that the shell has not reported.
   *
   * @param from - Where that output begins.
   * @param promptStart - Where the prompt begins, if the shell has reported that.
   */
  commandEnd(from: number, { via }: Pick<CommandEnd, 'via'>, kind: TrackedKind, promptStart?: number): number {
    const end = promptStart ?? this.#terminal.outputEnd();
    const last = (bytes: number): string => this.#outputBetween(Math.max(from, end - bytes), end);
    if (via === 'kernel' && promptStart === undefined) return end - promptBytes(last(MAX_PROMPT_BYTES));
    const isHooked = (via === 'prompt' || promptStart !== undefined) && kind === 'zsh';
    return isHooked ? end - zshLineEndBytes(last(this.#terminal.columns() + LINE_END_MARK_BYTES)) : end;
  }

  #outputBetween(from: number, end: number): string {
    return this.#terminal
      .outputFrom(from)
      .subarray(0, end - from)
      .toString('latin1');
  }

  #holdBack(held: Buffer[], bytes: Buffer): void {
    held.push(Buffer.from(bytes));
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > MAX_HELD_BYTES) this.release('output');
  }

  #noteBetween(from: number): void {
    const last = this.#between.at(-1);
    const to = this.#terminal.outputEnd();
    if (last !== undefined && (last[1] === from || this.#between.length >= MAX_BETWEEN)) last[1] = to;
    else this.#between.push([from, to]);
  }
}
