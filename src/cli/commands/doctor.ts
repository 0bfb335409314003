/**
 * `tenacitty doctor`: checks everything that tenacitty needs on this machine, and reports problems. Changes nothing.
 */
import { resolveOptions } from '../../config.js';
import { placeProblem } from '../../config/checks.js';
import { printable } from '../../printable.js';
import type { ParsedCall } from '../command.js';
import { checkEngine } from '../doctor/engine.js';
import type { Finding } from '../doctor/finding.js';
import { checkHosts } from '../doctor/hosts.js';
import {
  checkDataDirectory,
  checkKeys,
  checkLocale,
  checkNode,
  checkPlatform,
  checkPolicy,
  checkRuntimeDirectory,
  checkShell,
} from '../doctor/machine.js';
import { checkServer } from '../doctor/server.js';
import { FAILED, OK } from '../exit-code.js';
import { GREEN, inColour, print, printJson, RED, YELLOW } from '../stdout.js';
import type { DOCTOR_FLAGS } from '../flags/upkeep.js';
import { textTable } from '../text-table.js';

export async function doctor({ flags, settings }: ParsedCall<typeof DOCTOR_FLAGS>): Promise<number> {
  const { options } = resolveOptions({ argv: settings, isServing: false, isPlaceNeeded: false });
  const hasPlace = placeProblem(options.dataDir) === undefined;
  const findings: readonly Finding[] = [
    checkPlatform(),
    checkNode(),
    checkRuntimeDirectory(options),
    checkDataDirectory(options),
    // These checks need a data directory. If there cannot be one, `checkDataDirectory` has already reported that.
    ...(hasPlace ? [checkKeys(options), await checkEngine(options), ...(await checkHosts(options))] : []),
    await checkServer(options),
    checkShell(options),
    checkPolicy(options),
    checkLocale(),
  ];
  await (flags.json ? printJson(findings) : print(textTable(findings.map(rowOf))));
  return findings.some(({ state }) => state === 'wrong') ? FAILED : OK;
}

const COLOURS = { ok: GREEN, note: YELLOW, wrong: RED } as const;

function rowOf({ what, state, says }: Finding): string[] {
  return [inColour(state === 'wrong' ? 'WRONG' : state, COLOURS[state]), what, printable(says)];
}
