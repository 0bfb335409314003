/**
 * What those who look at a followed shell are shown: its output without our marks, without the echo of our lines, and
 * with marks that their own terminals may understand. It notes where prompts end, and what was printed between two
 * commands. It knows no session and no log.
 */
import { hostname } from 'node:os';
import type { CommandEnd } from './session/effects.js';
import type { FollowedKind } from './shells.js';
import { directoryMark, endedMark, modesIn, promptBytes, SHOWN_MARKS, zshLineEndBytes } from '../transcript/shown.js';
import type { Echo } from './typed-text.js';

/** The terminal that the shell is in. */
export interface ShellTerminal {
  /** Takes output as readers are to see it. Valid only during the call. */
  show(bytes: Uint8Array): void;
  type(input: string | Uint8Array): void;
  outputEnd(): number;
  /** Line of the history that output goes to now. */
  line(): number;
  /** Column of the cursor, from 0. */
  column(): number;
  /** Output from an offset on, as much of it as is a line that somebody types. */
  outputFrom(offset: number): Buffer;
  columns(): number;
  /** The directory that the program of the terminal is in; null where the system does not tell. */
  cwd(): string | null;
  /** Something has happened that somebody may wait for. */
  changed(): void;
}

/** Where a prompt ended, and the number that the line typed there gets. */
export interface PromptEnd {
  readonly offset: number;
  readonly column: number;
  readonly history: number | null;
}

/** All that is needed to go on in another process. */
export interface HandedDisplay {
  /** Base64, of what is held back; null: nothing is. */
  readonly held: string | null;
  readonly said: string | null;
  readonly between: readonly (readonly [number, number])[];
  readonly promptEnd: PromptEnd | null;
}

/** More than the echo of a line of ours ever is: it is other output, and shown. */
const MAX_HELD_BYTES = 64 << 10;
/** Spans between two commands; more are put together. */
const MAX_BETWEEN = 64;
const LF = 0x0a;
/** What zsh prints before a prompt, beside the blanks of a line. */
const LINE_END_MARK_BYTES = 64;
/** More than a prompt ever is, with what is typed behind it. */
const MAX_PROMPT_BYTES = 4096;

export class ShellDisplay {
  readonly #terminal: ShellTerminal;
  #held: Buffer[] | null = null;
  #heldBytes = 0;
  /** The directory that viewers were told. */
  #said: string | null = null;
  #promptEnd: PromptEnd | null = null;
  #between: [number, number][] = [];
  /** Whether what is shown now is neither prompt nor echo, though no command runs. */
  #isBetween = false;

  constructor(terminal: ShellTerminal, handed?: HandedDisplay) {
    this.#terminal = terminal;
    if (handed === undefined) return;
    if (handed.held !== null) this.hold(Buffer.from(handed.held, 'base64'));
    this.#said = handed.said;
    this.#promptEnd = handed.promptEnd;
    this.#between = handed.between.map(([from, to]) => [from, to]);
  }

  get handed(): HandedDisplay {
    const held = this.#held === null ? null : Buffer.concat(this.#held).toString('base64');
    return { held, said: this.#said, between: this.#between, promptEnd: this.#promptEnd };
  }

  get isHeld(): boolean {
    return this.#held !== null;
  }

  /** Where the newest prompt ended; null if that was not seen. */
  get promptEnd(): PromptEnd | null {
    return this.#promptEnd;
  }

  /** What was shown since that prompt. */
  get echo(): Echo {
    const echo = this.#promptEnd === null ? null : this.#terminal.outputFrom(this.#promptEnd.offset);
    return { echo, columns: this.#terminal.columns() };
  }

  /** Shows no output until `release`, unless it becomes too much. */
  hold(held: Buffer = Buffer.alloc(0)): void {
    this.#held = [held];
    this.#heldBytes = held.length;
  }

  /** @param heldBack - `echo`: nobody needs to see it; `output`: it is shown now. */
  release(heldBack: 'echo' | 'output'): void {
    const held = Buffer.concat(this.#held ?? []);
    this.#held = null;
    this.show(heldBack === 'output' ? held : Buffer.from(modesIn(held.toString('latin1')), 'latin1'));
  }

  /** What is held back behind the first line of it. */
  get heldBehindLine(): Buffer {
    const held = Buffer.concat(this.#held ?? []);
    const lineEnd = held.indexOf(LF);
    return lineEnd < 0 ? Buffer.alloc(0) : held.subarray(lineEnd + 1);
  }

  show(text: string | Buffer): void {
    if (text.length > 0) this.#terminal.show(typeof text === 'string' ? Buffer.from(text) : text);
  }

  /**
   * Takes output, whoever has printed it.
   *
   * @param isIdle - No command runs, and nobody types.
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
    this.show(SHOWN_MARKS.promptStart);
  }

  /** @param history - The number that the line typed there gets, where the shell says so. */
  promptEnded(history: number | null): void {
    if (this.isHeld) return;
    this.show(SHOWN_MARKS.promptEnd);
    this.#promptEnd = { offset: this.#terminal.outputEnd(), column: this.#terminal.column(), history };
  }

  /** The shell waits at its prompt: what is printed now is no echo. */
  set isBetween(isBetween: boolean) {
    this.#isBetween = isBetween;
  }

  /** A command begins; gives where in the output stands what was printed since the one before. */
  began(): [number, number][] {
    const between = this.#between;
    this.#between = [];
    this.#isBetween = false;
    this.show(SHOWN_MARKS.began);
    return between;
  }

  ended(exitCode: number | null): void {
    this.show(endedMark(exitCode));
    this.#isBetween = true;
  }

  /** Tells viewers the directory, if it is another one. */
  directory(directory: string | null): void {
    if (directory === null || directory === this.#said || this.isHeld) return;
    this.#said = directory;
    this.show(directoryMark(directory, hostname()));
  }

  /**
   * Where the output of a command ends, without what stands behind it for a prompt that the shell has not told of.
   *
   * @param from - Where that output begins.
   */
  commandEnd(from: number, { via }: Pick<CommandEnd, 'via'>, kind: FollowedKind): number {
    const end = this.#terminal.outputEnd();
    const last = (bytes: number): string => this.#terminal.outputFrom(Math.max(from, end - bytes)).toString('latin1');
    if (via === 'kernel') return end - promptBytes(last(MAX_PROMPT_BYTES));
    const isHooked = via === 'prompt' && kind === 'zsh';
    return isHooked ? end - zshLineEndBytes(last(this.#terminal.columns() + LINE_END_MARK_BYTES)) : end;
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
