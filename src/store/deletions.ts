/** Deletes files, now or, where the system does not let it, later. It does not know what they hold. */
import { rmSync } from 'node:fs';

export class Deletions {
  #failed: string[] = [];

  /** Deletes what can be deleted; the rest is remembered. */
  delete(paths: readonly string[]): void {
    this.#failed.push(...paths.filter((path) => !isDeleted(path)));
  }

  /** Deletes what was left over. @throws What the system says if something still cannot be deleted. */
  finish(): void {
    for (let path = this.#failed[0]; path !== undefined; path = this.#failed[0]) {
      deleteIfThere(path);
      this.#failed.shift();
    }
  }
}

/** Whatever has that name. @throws What the system says, but not if nothing is there. */
export function deleteIfThere(path: string): void {
  rmSync(path, { force: true, recursive: true });
}

function isDeleted(path: string): boolean {
  try {
    deleteIfThere(path);
    return true;
  } catch {
    return false;
  }
}
