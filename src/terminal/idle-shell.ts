/** Determines whether a terminal is an idle shell from its marks and the process table. Ends nothing. */
import { HAS_PROCESS_TABLE, takeSnapshot } from '../processes/process-table.js';
import { membersOf } from '../processes/process-tree.js';
import type { Terminal } from './terminal.js';

/**
 * Returns whether a shell is at an empty prompt and no other process is running in its terminal. False if that is
 * unknown: without shell integration, or if the system does not list processes.
 */
export async function isIdleShell(terminal: Terminal): Promise<boolean> {
  if (!HAS_PROCESS_TABLE || !isAtPrompt(terminal)) return false;
  const members = membersOf(await takeSnapshot(), terminal.processes);
  return members.length === 1 && members[0]!.pid === terminal.pid && isAtPrompt(terminal);
}

function isAtPrompt({ shell }: Terminal): boolean {
  return shell !== null && shell.inner === null && shell.state === 'prompt';
}
