/** Chooses the terminal to attach to when none is named. */
import type { TerminalManager } from '../../contract/manager.js';
import type { TerminalDetail } from '../../contract/terminal.js';
import { TerminalError } from '../../errors.js';
import { reportProblems } from '../problems.js';
import { printMessage } from '../stdout.js';
import { shortId } from '../terminal-id.js';
import type { CommandFormatter } from '../command-formatter.js';
import { OWN_TERMINAL } from './attach-terminal.js';

/**
 * Returns the only running terminal, or the one that was created or typed into most recently, and reports which. The
 * terminal that this process runs in is excluded.
 *
 * @throws `TERMINAL_NOT_FOUND` if there is none.
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
  // Skip terminals that have since been removed or do not respond: they cannot be attached to.
  const details = await Promise.all(ids.map((id) => manager.get(id).catch(() => undefined)));
  return details.filter((detail) => detail?.status === 'active') as TerminalDetail[];
}

/**
 * Returns when a terminal was last used. Output does not count as use: a program that prints continuously would always
 * win.
 */
function usedAt({ created, recentInputs }: TerminalDetail): number {
  return Math.max(Date.parse(created), Date.parse(recentInputs.at(-1)?.time ?? created));
}
