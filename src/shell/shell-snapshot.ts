/**
 * Checks that a shell is still in the directory that it was in when the policy checked a command for it, and that no
 * other command has begun since.
 */
import type { ShellSnapshot } from '../contract/command.js';
import type { ShellContext } from './shell-context.js';

/** @param place - If absent, any place is accepted. */
export function matchesSnapshot(place: ShellSnapshot | undefined, { terminal, log }: ShellContext): boolean {
  if (place === undefined) return true;
  const { commandId = null, cwd = null } = log.newest ?? {};
  return terminal.cwd() === place.cwd && commandId === place.newest && cwd === place.cwdInShell;
}
