/**
 * Passes a command's text, and the integration itself, to a shell: as files that the shell reads, or as lines typed one
 * by one when the shell requests them.
 */
import { newNonce, ScriptFiles } from './script-files.js';
import { loadLine } from './shells.js';
import type { TrackedKind, ShellKind } from './shells.js';
import { typedLines } from './nested/typed-script.js';

export interface CommandTransport {
  /** Identifies the shell's marks. */
  readonly nonce: string;
  /** Returns the line that reloads the integration; null if that is impossible. May throw file system errors. */
  loadLine(kind: TrackedKind): string | null;
  /** Stores the text of a command for the shell. May throw file system errors. */
  put(command: number, kind: TrackedKind, text: string): void;
  /** Called before the command runs; typing its text restarts at the first line. */
  begin(): void;
  /** Returns the next line to type, Enter included; null if there is none. */
  next(): string | null;
  /** Called when the shell has the text or will never take it. */
  drop(command: number): void;
  /** Returns the shell's record of the newest line typed at its prompt; null if it keeps none. */
  typed(): string | null;
  /** Releases all resources. */
  close(): void;
  readonly handOffState: TransportHandOff;
}

/** All the state that a hand-off to another process needs. */
export interface TransportHandOff {
  readonly nonce: string;
  /** Null if commands are typed. */
  readonly directory: string | null;
  /** See `ScriptFiles`. */
  readonly isInMemory: boolean;
  readonly isInner: boolean;
  readonly lines: readonly string[];
  readonly next: number;
}

/** Passes commands and scripts as files in a directory that belongs to the shell. */
export class FileTransport implements CommandTransport {
  readonly #files: ScriptFiles;
  readonly #isInner: boolean;

  /** @param isInner - Whether this is a nested shell. */
  constructor(files: ScriptFiles, isInner = false) {
    this.#files = files;
    this.#isInner = isInner;
  }

  /** @param files - The files of the terminal's shell; the new ones are placed in a subdirectory. */
  static within(files: ScriptFiles): FileTransport {
    return new FileTransport(files.within(), true);
  }

  get nonce(): string {
    return this.#files.nonce;
  }

  loadLine(kind: TrackedKind): string {
    return loadLine(kind, this.#isInner ? this.#files.innerScript(kind) : this.#files.script(kind as ShellKind));
  }

  put(command: number, kind: TrackedKind, text: string): void {
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

  get handOffState(): TransportHandOff {
    const { nonce, directory, isInMemory } = this.#files;
    return { nonce, directory, isInMemory, isInner: this.#isInner, lines: [], next: 0 };
  }
}

/**
 * Types commands and scripts, for a shell that shares no files with us because it is on another machine, belongs to
 * another user, or is in another mount namespace.
 */
export class TypingTransport implements CommandTransport {
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

  put(_command: number, kind: TrackedKind, text: string): void {
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

  get handOffState(): TransportHandOff {
    const files = { directory: null, isInMemory: false };
    return { nonce: this.nonce, ...files, isInner: true, lines: this.#lines, next: this.#next };
  }
}

export function resumeTransport({
  nonce,
  directory,
  isInMemory,
  isInner,
  lines,
  next,
}: TransportHandOff): CommandTransport {
  if (directory === null) return new TypingTransport(nonce, lines, next);
  return new FileTransport(new ScriptFiles(directory, nonce, isInMemory), isInner);
}
