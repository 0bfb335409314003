/** Looks up the user that runs this process: the name, for display, and the login shell. */
import { userInfo } from 'node:os';

let cached: string | undefined;

/** Returns null if there is none: the user may have no entry in the user database, as is common in containers. */
export function loginShell(): string | null {
  try {
    return userInfo().shell;
  } catch {
    return null;
  }
}

export function userName(): string {
  return (cached ??= lookUp());
}

function lookUp(): string {
  try {
    return userInfo().username;
  } catch {
    // A uid without an entry in the user database, as is common in containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
