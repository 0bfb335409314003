/** Measures the size of files. Files that vanish during the measurement are not counted. */
import { readdirSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the size of the files directly in a directory. Synchronous. */
export function bytesIn(directory: string): number {
  try {
    const sizes = readdirSync(directory).map(
      (name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size,
    );
    return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  } catch {
    return 0;
  }
}

/**
 * Returns the size of all files in a directory and its subdirectories. Asynchronous, so that it does not block other
 * work.
 */
export async function bytesBelow(directory: string): Promise<number> {
  let sum = 0;
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (entry.isFile()) sum += await sizeOf(join(entry.parentPath, entry.name));
  }
  return sum;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
