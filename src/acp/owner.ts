/**
 * Whose terminals are whose: each carries the process that made it for its agent, so that what a process left that was
 * killed can be told from what is in use, and ended. It knows no agent.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import type { TerminalManager } from '../contract/manager.js';
import type { TerminalLabels } from '../contract/labels.js';
import { startTimeOf } from '../processes/process-table.js';

const DOOR_LABEL = 'door';
const DOOR = 'acp';
const OWNER_LABEL = 'acp.owner';

/** Labels that say whose a terminal is: this process's. */
export function ownLabels(): TerminalLabels {
  return { [DOOR_LABEL]: DOOR, [OWNER_LABEL]: [process.pid, startTimeOf(process.pid) ?? '', numbering()].join(' ') };
}

/**
 * Ends and forgets the terminals of agents whose client is no more. In doubt somebody uses them: on another machine, in
 * another container, or where the system does not tell when a process began.
 *
 * @throws As `TerminalManager.list`.
 */
export async function endAbandoned(manager: TerminalManager): Promise<void> {
  const terminals = await manager.list({ labels: { [DOOR_LABEL]: DOOR } });
  await Promise.allSettled(terminals.map(({ id }) => endIfAbandoned(manager, id)));
}

async function endIfAbandoned(manager: TerminalManager, id: string): Promise<void> {
  const { labels } = await manager.get(id);
  if (isGone(labels[OWNER_LABEL] ?? '')) await manager.remove(id);
}

/** A pid may be another process's by now; with its start time it never is. */
function isGone(owner: string): boolean {
  const [, pid, startTime, where] = /^(\d+) (\d+) (.+)$/.exec(owner) ?? [];
  if (pid === undefined || where !== numbering()) return false;
  return startTimeOf(Number(pid)) !== Number(startTime);
}

/** Within what process numbers mean the same: one boot of one machine or container. */
function numbering(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}
