/** Checks the host processes, with one finding for each. */
import type { Options } from '../../config.js';
import { listHosts } from '../../engine.js';
import type { HostStatus } from '../../engine.js';
import { isNewer, VERSION } from '../../version.js';
import { commandFormatter } from '../command-formatter.js';
import type { CommandFormatter } from '../command-formatter.js';
import { note, ok, reasonOf, wrong } from './finding.js';
import type { Finding } from './finding.js';

const MIB = 1 << 20;

export async function checkHosts(options: Options): Promise<Finding[]> {
  try {
    return (await listHosts(options)).map((host) => findingOf(host, commandFormatter(options)));
  } catch (error) {
    return [wrong('hosts', reasonOf(error))];
  }
}

/** Returns the finding for one host. Pure. */
export function findingOf({ slot, pid, version, load, problem }: HostStatus, formatCommand: CommandFormatter): Finding {
  const what = `host ${slot}`;
  if (load === null || problem !== null) {
    const cure =
      pid === null ? '' : `; if it is suspended: kill -CONT ${pid}; to end it and its programs: kill -9 ${pid}`;
    return wrong(what, `${problem}${cure}`);
  }
  const { active, memoryBytes } = load;
  const terminals = `${active} running terminal${active === 1 ? '' : 's'}`;
  const says = `pid ${pid}, version ${version}, ${terminals}, ${Math.ceil(memoryBytes / MIB)} MiB, responds`;
  if (version === VERSION) return ok(what, says);
  if (isNewer(version ?? '', VERSION))
    return note(what, `${says}; newer than this tenacitty (${VERSION}): update this tenacitty`);
  return note(what, `${says}; to update it: ${formatCommand('upgrade-host')}`);
}
