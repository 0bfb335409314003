/** What is asked of all hosts that run: to hand their terminals to new processes, or to go when nothing needs them. */
import { z } from 'zod';
import type { HostLink } from './host-link.js';
import { isError } from './hosts.js';

const handedOff = z.object({ pid: z.int(), terminals: z.int() });

/** A host that has handed its terminals over. */
export type UpgradedHost = z.infer<typeof handedOff> & { readonly slot: number };

/**
 * @param command - What each new process is to run.
 * @throws The first failure, when all were asked: `HOST_FAILED` if a new process could not take over.
 */
export async function upgradeAll(links: readonly HostLink[], command: readonly string[]): Promise<UpgradedHost[]> {
  const upgraded: UpgradedHost[] = [];
  const failed: unknown[] = [];
  for (const link of links) {
    try {
      const answer = await link.requestOfAnyVersion({ method: 'handOff', argument: { command } });
      upgraded.push({ slot: link.slot, ...handedOff.parse(answer) });
    } catch (error) {
      // One that is gone has nothing to hand over; one that fails keeps no other from it.
      if (!isGone(error)) failed.push(error);
    }
  }
  if (failed.length > 0) throw failed[0];
  return upgraded;
}

/** Has each end as soon as it has no client and nothing that would be lost with it. One that cannot be asked is left alone. */
export async function releaseAll(links: readonly HostLink[]): Promise<void> {
  await Promise.allSettled(links.map((link) => link.request({ method: 'leave', argument: undefined })));
}

export function isGone(error: unknown): boolean {
  return isError(error, ['HOST_LOST', 'SHUTTING_DOWN']);
}
