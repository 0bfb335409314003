/**
 * How the text of a command, and the integration itself, come to a shell: as files that it reads, or typed line by line
 * as it asks for them. It knows neither the shell nor the terminal.
 */
import { newNonce, ScriptFiles } from './script-files.js';
import { loadLine } from './shells.js';
import type { FollowedKind, ShellKind } from './shells.js';
import { typedLines } from './nested/typed-script.js';

export interface CommandWay {
  /** By which the shell's marks are known. */
  readonly nonce: string;
  /** The line that loads the integration again; null where that cannot be. May throw what a disk throws. */
  loadLine(kind: FollowedKind): string | null;
  /** Takes the text of a command for the shell. May throw what a disk throws. */
  put(command: number, kind: FollowedKind, text: string): void;
  /** The command is about to be run: what is typed of it begins anew. */
  begin(): void;
  /** The next line to be typed, Enter included; null: there is none. */
  next(): string | null;
  /** The shell has the text, or will not take it any more. */
  drop(command: number): void;
  /** What the shell has noted of the newest line that was typed at its prompt; null if it notes nothing. */
  typed(): string | null;
  /** Gives up everything. */
  close(): void;
  readonly handed: HandedWay;
}

/** All that is needed to go on in another process. */
export interface HandedWay {
  readonly nonce: string;
  /** Null: by typing. */
  readonly directory: string | null;
  /** See `ScriptFiles`. */
  readonly isInMemory: boolean;
  readonly isInner: boolean;
  readonly lines: readonly string[];
  readonly next: number;
}

/** Files in a directory of the shell's own. */
export class ByFile implements CommandWay {
  readonly #files: ScriptFiles;
  readonly #isInner: boolean;

  /** @param isInner - Whether the shell runs within another. */
  constructor(files: ScriptFiles, isInner = false) {
    this.#files = files;
    this.#isInner = isInner;
  }

  /** @param files - Of the shell of the terminal, among which these are. */
  static within(files: ScriptFiles): ByFile {
    return new ByFile(files.within(), true);
  }

  get nonce(): string {
    return this.#files.nonce;
  }

  get directory(): string {
    return this.#files.directory;
  }

  loadLine(kind: FollowedKind): string {
    return loadLine(kind, this.#isInner ? this.#files.innerScript(kind) : this.#files.script(kind as ShellKind));
  }

  put(command: number, kind: FollowedKind, text: string): void {
    this.#files.writeCommand(command, kind, text);
  }

  begin(): void {}

  next(): null {
    return null;
  }

  drop(command: number): void {
    this.#files.removeCommand(command);
  }

  typed(): string | null {
    return this.#files.typed();
  }

  close(): void {
    this.#files.remove();
  }

  get handed(): HandedWay {
    const { nonce, directory, isInMemory } = this.#files;
    return { nonce, directory, isInMemory, isInner: this.#isInner, lines: [], next: 0 };
  }
}

/** No file is shared: another machine, another user, another mount namespace. */
export class ByTyping implements CommandWay {
  readonly nonce: string;
  #lines: readonly string[] = [];
  #next = 0;

  constructor(nonce = newNonce(), lines: readonly string[] = [], next = 0) {
    this.nonce = nonce;
    this.#lines = lines;
    this.#next = next;
  }

  loadLine(): null {
    return null;
  }

  put(_command: number, kind: FollowedKind, text: string): void {
    this.#lines = typedLines(kind, text);
    this.#next = 0;
  }

  begin(): void {
    this.#next = 0;
  }

  next(): string | null {
    return this.#lines[this.#next++] ?? null;
  }

  drop(): void {
    this.#lines = [];
  }

  typed(): null {
    return null;
  }

  close(): void {
    this.drop();
  }

  get handed(): HandedWay {
    const files = { directory: null, isInMemory: false };
    return { nonce: this.nonce, ...files, isInner: true, lines: this.#lines, next: this.#next };
  }
}

export function resumeWay({ nonce, directory, isInMemory, isInner, lines, next }: HandedWay): CommandWay {
  if (directory === null) return new ByTyping(nonce, lines, next);
  return new ByFile(new ScriptFiles(directory, nonce, isInMemory), isInner);
}
