/**
 * Sends requests to all running hosts: to hand their terminals to new processes, or to exit when nothing needs them.
 */
import { z } from 'zod';
import type { HostLink } from './host-link.js';
import { isError } from './hosts.js';

const handedOff = z.object({ pid: z.int(), terminals: z.int() });

/** A host that has handed over its terminals. */
export type UpgradedHost = z.infer<typeof handedOff> & { readonly slot: number };

/**
 * @param command - The command that starts each new process.
 * @throws The first failure, after all hosts have been asked to hand off; for example, `HOST_FAILED` if a new process
 *   could not take over.
 */
export async function upgradeAll(links: readonly HostLink[], command: readonly string[]): Promise<UpgradedHost[]> {
  const upgraded: UpgradedHost[] = [];
  const failed: unknown[] = [];
  for (const link of links) {
    try {
      const answer = await link.requestOfAnyVersion({ method: 'handOff', argument: { command } });
      upgraded.push({ slot: link.slot, ...handedOff.parse(answer) });
    } catch (error) {
      // A host that has exited has nothing to hand over. The failure of one host does not stop the others.
      if (!isGone(error)) failed.push(error);
    }
  }
  if (failed.length > 0) throw failed[0];
  return upgraded;
}

/**
 * Makes each host exit as soon as it has no client and holds nothing that would be lost. Leaves a host alone if it
 * cannot be reached.
 */
export async function releaseAll(links: readonly HostLink[]): Promise<void> {
  await Promise.allSettled(links.map((link) => link.request({ method: 'leave', argument: undefined })));
}

export function isGone(error: unknown): boolean {
  return isError(error, ['HOST_LOST', 'SHUTTING_DOWN']);
}
