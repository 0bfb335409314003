/**
 * The files of a session's directory, as an agent reads and writes them through its client. Nothing outside of that
 * directory, wherever links lead. It knows no protocol.
 */
import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { invalidInput, TerminalError } from '../../errors.js';

/** A line of the protocol has no room for more, with what it takes to escape it. */
const MAX_READ_BYTES = 5 << 20;

export interface FilePart {
  /** Number of the first line, from 1. Default: 1. */
  readonly line?: number | null | undefined;
  /** Most lines. Default: all. */
  readonly limit?: number | null | undefined;
}

export class SessionFiles {
  readonly #root: string;

  /** @param cwd - The directory, which exists. */
  constructor(cwd: string) {
    this.#root = realpathSync(cwd);
  }

  /** @throws `INVALID_INPUT` if it is not there, outside, no file, or too large; `READ_FAILED`. */
  read(path: string, part: FilePart = {}): string {
    const real = this.#existing(path);
    const { size } = fileOf(path, real);
    if (size > MAX_READ_BYTES) throw refused(path, `it has ${size} bytes; ${MAX_READ_BYTES} can be read`);
    const text = attempt('READ_FAILED', path, () => readFileSync(real, 'utf8'));
    const [line, limit] = [part.line ?? 1, part.limit ?? Infinity];
    if (line <= 1 && limit === Infinity) return text;
    const start = Math.max(0, line - 1);
    return text
      .split(/(?<=\n)/)
      .slice(start, start + limit)
      .join('');
  }

  /** Makes the file, and directories for it, where they are missing. @throws `INVALID_INPUT`, `WRITE_FAILED`. */
  write(path: string, content: string): void {
    const real = this.#whereToWrite(path);
    attempt('WRITE_FAILED', path, () => {
      mkdirSync(dirname(real), { recursive: true });
      writeFileSync(real, content);
    });
  }

  #existing(path: string): string {
    checkAbsolute(path);
    try {
      return this.#inside(path, realpathSync(path));
    } catch (error) {
      if (error instanceof TerminalError) throw error;
      throw refused(path, 'there is no such file');
    }
  }

  /** What exists of the path is followed, link by link; what does not is made there. */
  #whereToWrite(path: string): string {
    checkAbsolute(path);
    const whole = resolve(path);
    if (isThere(whole)) {
      const real = this.#existing(whole);
      fileOf(path, real);
      return real;
    }
    const missing = [basename(whole)];
    let parent = dirname(whole);
    for (; !isThere(parent) && parent !== dirname(parent); parent = dirname(parent)) missing.unshift(basename(parent));
    return join(this.#existing(parent), ...missing);
  }

  #inside(path: string, real: string): string {
    const way = relative(this.#root, real);
    if (way === '..' || way.startsWith('../') || isAbsolute(way)) {
      throw refused(path, `it is outside of ${this.#root}, the directory of the session`);
    }
    return real;
  }
}

/** A link counts as there, wherever it leads; what is below a file is not. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function fileOf(path: string, real: string): { readonly size: number } {
  const found = statSync(real);
  if (!found.isFile()) throw refused(path, 'it is no file');
  return found;
}

function checkAbsolute(path: string): void {
  if (!isAbsolute(path)) throw refused(path, 'expected an absolute path');
}

function refused(path: string, message: string): TerminalError {
  return invalidInput({ field: 'path', message, given: path });
}

function attempt<Result>(code: 'READ_FAILED' | 'WRITE_FAILED', path: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new TerminalError(code, cause instanceof Error ? cause.message : String(cause), { path }, { cause });
  }
}
