/** `tenacitty upgrade-host`: starts new host processes that take over the terminals of the running ones. */
import { resolveOptions } from '../../config.js';
import { TerminalError } from '../../errors.js';
import { listHosts, upgradeHosts } from '../../engine.js';
import type { HostStatus } from '../../engine.js';
import { writeStderr } from '../../stderr.js';
import type { ParsedCall } from '../command.js';
import { isNewer, VERSION } from '../../version.js';
import { print, printJson } from '../stdout.js';
import type { UPGRADE_HOST_FLAGS } from '../flags/upkeep.js';

/** Upgrades the hosts. Programs are not affected; attached clients are reconnected. */
export async function upgradeHost({ flags, settings }: ParsedCall<typeof UPGRADE_HOST_FLAGS>): Promise<void> {
  const { options } = resolveOptions({ argv: settings, isServing: false });
  refuseDowngrade(await listHosts(options));
  const hosts = await upgradeHosts(options);
  if (flags.json) return printJson(hosts);
  if (hosts.length === 0) writeStderr('No host process is running, so there is nothing to upgrade.\n');
  const count = (terminals: number): string => `${terminals} terminal${terminals === 1 ? '' : 's'}`;
  for (const { slot, pid, terminals } of hosts)
    await print(`host ${slot}: ${count(terminals)}, now held by pid ${pid}\n`);
}

/**
 * Throws if a host is newer than this version, because it may hold data that this version does not understand. @throws
 * `INVALID_INPUT`
 */
function refuseDowngrade(hosts: readonly HostStatus[]): void {
  const newer = hosts.find(({ version }) => version !== null && isNewer(version, VERSION));
  if (newer === undefined) return;
  const message =
    `Host ${newer.slot} has version ${newer.version}, which is newer than this tenacitty (${VERSION}). Nothing ` +
    'was changed. Update this tenacitty.';
  throw new TerminalError('INVALID_INPUT', message);
}
