/** Checks whether a file can be executed. */
import { accessSync, constants, statSync } from 'node:fs';

/** Returns whether the path leads to a regular file that this user has permission to execute. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // It is missing or not executable. Either way, it cannot be started.
    return false;
  }
}
