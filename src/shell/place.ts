/** Whether a shell stands where it stood when a command for it was judged. It knows no policy. */
import type { ShellPlace } from '../contract/command.js';
import type { Surroundings } from './surroundings.js';

/** @param place - Without one anywhere will do. */
export function standsAt(place: ShellPlace | undefined, { terminal, log }: Surroundings): boolean {
  if (place === undefined) return true;
  const { commandId = null, cwd = null } = log.newest ?? {};
  return terminal.cwd() === place.cwd && commandId === place.newest && cwd === place.cwdInShell;
}
