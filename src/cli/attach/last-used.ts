/** Chooses the terminal to attach to if none is named. */
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalDetail } from '../../contract/terminal.js';
import { TerminalError } from '../../errors.js';
import { reportProblems } from '../problems.js';
import { printMessage } from '../stdout.js';
import { shortId } from '../terminal-id.js';
import type { CommandFormatter } from '../command-formatter.js';
import { OWN_TERMINAL } from './attach-terminal.js';

/**
 * Returns the running terminal that was created or typed into most recently, and reports which one it is. Ignores the
 * terminal that this process runs in.
 *
 * @throws `TERMINAL_NOT_FOUND` if no other terminal is running.
 */
export async function lastUsedTerminal(manager: TerminalManager, formatCommand: CommandFormatter): Promise<string> {
  const running = await othersThatRun(manager);
  const latest = running.reduce<TerminalDetail | undefined>(
    (best, one) => (best === undefined || usedAt(one) >= usedAt(best) ? one : best),
    undefined,
  );
  await reportProblems(manager);
  if (latest === undefined) {
    throw new TerminalError(
      'TERMINAL_NOT_FOUND',
      `No terminal is running. To open one: ${formatCommand('new --attach')}`,
    );
  }
  const which = running.length === 1 ? 'the only running one' : `the last one used of ${running.length} running ones`;
  printMessage(`no ID given: attaching to terminal ${shortId(latest.id)}, ${which}`);
  return latest.id;
}

async function othersThatRun(manager: TerminalManager): Promise<TerminalDetail[]> {
  const listed = await manager.list();
  const ids = listed.filter(({ id, status }) => status === 'active' && id !== OWN_TERMINAL).map(({ id }) => id);
  // Skips terminals that have been removed in the meantime or are not responding, because they cannot be attached to.
  const details = await Promise.all(ids.map((id) => manager.get(id).catch(() => undefined)));
  return details.filter((detail) => detail?.status === 'active') as TerminalDetail[];
}

/**
 * Returns when a terminal was created or last typed into. Output does not count as use, because a program that prints
 * continuously would then always win.
 */
function usedAt({ created, recentInputs }: TerminalDetail): number {
  return Math.max(Date.parse(created), Date.parse(recentInputs.at(-1)?.time ?? created));
}
