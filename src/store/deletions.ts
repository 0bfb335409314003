/** Deletes files now or, if the system does not allow that, later. */
import { rmSync } from 'node:fs';

export class Deletions {
  #failed: string[] = [];

  /** Deletes the files that can be deleted and remembers the rest. */
  delete(paths: readonly string[]): void {
    this.#failed.push(...paths.filter((path) => !isDeleted(path)));
  }

  /** Deletes the rest. @throws the file system error if something still cannot be deleted. */
  finish(): void {
    for (let path = this.#failed[0]; path !== undefined; path = this.#failed[0]) {
      deleteIfExists(path);
      this.#failed.shift();
    }
  }
}

/** Deletes whatever has this name, if anything does. @throws the file system error. */
export function deleteIfExists(path: string): void {
  rmSync(path, { force: true, recursive: true });
}

function isDeleted(path: string): boolean {
  try {
    deleteIfExists(path);
    return true;
  } catch {
    return false;
  }
}
