/** Reports problems with the hosts that a command used. */
import { commandName } from '../command-name.js';
import type { TerminalManager } from '../contract/manager.js';
import { FAILED, OK } from './exit-code.js';
import { printMessage } from './stdout.js';

/**
 * Prints the problems. Returns the exit code: FAILED if a host did not respond, because the output or the effect of the
 * command is then incomplete.
 */
export async function reportProblems(manager: TerminalManager): Promise<number> {
  const { problems, isIncomplete } = await manager.summary();
  for (const problem of problems) printMessage(problem);
  if (isIncomplete)
    printMessage(`its terminals are missing or shown as last known; for details: ${commandName()} doctor`);
  return isIncomplete ? FAILED : OK;
}
