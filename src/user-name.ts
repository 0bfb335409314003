/** Determines the name of the user that runs this process, for display. */
import { userInfo } from 'node:os';

let cached: string | undefined;

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
