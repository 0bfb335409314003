/**
 * Tracks which process owns a terminal, by labelling each terminal with the process that created it for its agent.
 * Terminals that a killed process left behind can thus be distinguished from those in use and be ended.
 */
import type { TerminalManager } from '../contract/manager.js';
import type { TerminalLabels } from '../contract/labels.js';
import { pidNumbering } from '../processes/pid-numbering.js';
import { startTimeOf } from '../processes/process-table.js';

const DOOR_LABEL = 'door';
const DOOR = 'acp';
const OWNER_LABEL = 'acp.owner';

/** Returns the labels that mark a terminal as created by this process. */
export function ownLabels(): TerminalLabels {
  return { [DOOR_LABEL]: DOOR, [OWNER_LABEL]: [process.pid, startTimeOf(process.pid) ?? '', numbering()].join(' ') };
}

/**
 * Ends and removes the terminals of agents whose client has exited. Keeps a terminal if this is uncertain: if its
 * client ran on another machine or in another container, or if the system does not report start times of processes.
 *
 * @throws The same errors as `TerminalManager.list`.
 */
export async function endAbandoned(manager: TerminalManager): Promise<void> {
  const terminals = await manager.list({ labels: { [DOOR_LABEL]: DOOR } });
  await Promise.allSettled(terminals.map(({ id }) => endIfAbandoned(manager, id)));
}

async function endIfAbandoned(manager: TerminalManager, id: string): Promise<void> {
  const { labels } = await manager.get(id);
  if (isGone(labels[OWNER_LABEL] ?? '')) await manager.remove(id);
}

/** Returns whether an owner has exited. Also compares the start time, because the pid may have been reused. */
function isGone(owner: string): boolean {
  const [, pid, startTime, where] = /^(\d+) (\d+) (.+)$/.exec(owner) ?? [];
  if (pid === undefined || where !== numbering()) return false;
  return startTimeOf(Number(pid)) !== Number(startTime);
}

/** Identifies the pid namespace, which belongs to one boot of one machine or container. Empty if it is unknown. */
function numbering(): string {
  const parts = pidNumbering();
  return parts.includes('') ? '' : parts.join(' ');
}
