/** Says what does not work of all that a command has looked at. It knows no command. */
import { commandName } from '../command-name.js';
import type { TerminalManager } from '../contract/manager.js';
import { FAILED, OK } from './exit-code.js';
import { say } from './stdout.js';

/** Answers with the exit code: FAILED if a host does not answer, so that what was shown or done is not all there is. */
export async function tellProblems(manager: TerminalManager): Promise<number> {
  const { problems, isIncomplete } = await manager.summary();
  for (const problem of problems) say(problem);
  if (isIncomplete) say(`what is held there is missing, or as it was last heard of; ${commandName()} doctor says more`);
  return isIncomplete ? FAILED : OK;
}
