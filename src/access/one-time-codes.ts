/**
 * Stores codes that work once. Each code is a file (0600) in a private folder of the data directory, named by the
 * code's hash. Only the server's user can create files there, so whoever creates a code needs no key. Of several
 * concurrent readers, only one can delete the file, so a code works only once.
 */
import { readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, privateFolder } from './private-folder.js';

const FILE = /^[0-9a-f]{64}$/;

export class OneTimeCodes {
  readonly #dataDir: string;
  readonly #folder: string;

  /** @param folder - Name of the folder in the data directory. */
  constructor(dataDir: string, folder: string) {
    this.#dataDir = dataDir;
    this.#folder = folder;
  }

  /**
   * Stores a code, and removes expired ones.
   *
   * @param content - Returned to whoever uses the code.
   * @throws The system's error if the code cannot be stored; `INVALID_INPUT` if other users could have written to the
   * folder.
   */
  create(code: string, validMs: number, content = ''): void {
    removeExpired(this.#path());
    writeFileSync(this.#pathOf(code), `${Date.now() + validMs}\n${content}`, { mode: 0o600, flag: 'wx' });
  }

  /** Uses up a code. Returns its content, or undefined if it was not valid. At most one of several calls succeeds. */
  use(code: string): string | undefined {
    const path = this.#pathOf(code);
    try {
      const text = readFileSync(path, 'utf8');
      unlinkSync(path);
      return Date.now() < expiryIn(text) ? text.slice(text.indexOf('\n') + 1) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Removes a code that has not been used. */
  remove(code: string): void {
    rmSync(this.#pathOf(code), { force: true });
  }

  #path(): string {
    return privateFolder(this.#dataDir, this.#folder);
  }

  #pathOf(code: string): string {
    return join(this.#path(), hashOf(code));
  }
}

function removeExpired(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => FILE.test(each))) {
    const path = join(folder, name);
    if (isExpired(path)) rmSync(path, { force: true });
  }
}

/** A file that another process is writing or has just removed has not expired. */
function isExpired(path: string): boolean {
  try {
    const text = readFileSync(path, 'utf8');
    return text !== '' && expiryIn(text) <= Date.now();
  } catch {
    return false;
  }
}

function expiryIn(text: string): number {
  return Number(text.split('\n', 1)[0]);
}
