/**
 * Checks whether a shell is still in the same directory, with no newer command, as when the policy checked a command
 * for it.
 */
import type { ShellSnapshot } from '../contract/command.js';
import type { ShellContext } from './shell-context.js';

/** @param place - If absent, any place is accepted. */
export function matchesSnapshot(place: ShellSnapshot | undefined, { terminal, log }: ShellContext): boolean {
  if (place === undefined) return true;
  const { commandId = null, cwd = null } = log.newest ?? {};
  return terminal.cwd() === place.cwd && commandId === place.newest && cwd === place.cwdInShell;
}
