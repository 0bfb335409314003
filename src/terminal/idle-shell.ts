/** Whether a terminal is a shell that has nothing to do, as its marks and the process table say. It ends nothing. */
import { HAS_PROCESS_TABLE, takeSnapshot } from '../processes/process-table.js';
import { membersOf } from '../processes/process-tree.js';
import type { Terminal } from './terminal.js';

/**
 * Whether a shell sits at an empty prompt and no other process runs in its terminal. False where that is not known: of
 * a shell that is not followed, and where the system does not tell of processes.
 */
export async function isIdleShell(terminal: Terminal): Promise<boolean> {
  if (!HAS_PROCESS_TABLE || !isAtPrompt(terminal)) return false;
  const members = membersOf(await takeSnapshot(), terminal.processes);
  return members.length === 1 && members[0]!.pid === terminal.pid && isAtPrompt(terminal);
}

function isAtPrompt({ shell }: Terminal): boolean {
  return shell !== null && shell.inner === null && shell.state === 'prompt';
}
