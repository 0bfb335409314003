/**
 * Determines, from the current state of terminals, which events a hook has missed: ends of terminals and commands, and
 * questions that are still being asked. Changes nothing.
 */
import type { HookRequest } from '../contract/hooks.js';
import type { TerminalManager } from '../contract/manager.js';
import { MAX_COMMANDS_PAGE } from '../contract/command.js';
import type { TerminalSummary } from '../contract/terminal.js';
import { commandEnded, ended, waitingFor } from './occurrence.js';
import type { Occurrence } from './occurrence.js';

/**
 * Returns what happened at or after `sinceMs`, oldest first.
 *
 * @param before - The terminals as they were last seen.
 */
export async function missedOccurrences(
  manager: TerminalManager,
  { on, filter }: HookRequest,
  terminals: readonly TerminalSummary[],
  before: ReadonlyMap<string, TerminalSummary>,
  sinceMs: number,
): Promise<Occurrence[]> {
  const { ids, labels } = filter;
  const found: Occurrence[] = on.includes('ended') ? terminals.flatMap((each) => endOf(each, before.get(each.id))) : [];
  if (on.includes('command')) {
    for (const { id, lastCommand } of terminals)
      if (lastCommand !== null) found.push(...(await commandsOf(manager, id)));
  }
  if (on.includes('waiting')) {
    const shown = await manager.overview({ ids, labels, status: 'active' });
    for (const { id, waiting } of shown) if (waiting !== null) found.push(waitingFor(id, waiting.since, waiting));
  }
  const missed = found.filter(({ at }) => Date.parse(at) >= sinceMs);
  return missed.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/**
 * Returns the end of a terminal, if it has ended. The time of a lost terminal's end is when it was last heard of or, if
 * it was running when last seen, the current time.
 */
function endOf({ id, status, endedBy, exitCode, signal }: TerminalSummary, before?: TerminalSummary): Occurrence[] {
  if (endedBy === null) return [];
  const isNew = status === 'lost' && before?.status === 'active';
  return [{ ...ended(id, { endedBy, exitCode, signal }), ...(isNew && { at: new Date().toISOString() }) }];
}

/** Returns the ended commands of a terminal; none if the terminal has been removed in the meantime. */
async function commandsOf(manager: TerminalManager, id: string): Promise<Occurrence[]> {
  const commands = await manager.commands(id, { limit: MAX_COMMANDS_PAGE }).catch(() => []);
  return commands.filter((command) => command.ended !== null).map(commandEnded);
}
