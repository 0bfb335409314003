/** `tenacitty config`: shows each setting as `serve` would use it here, and where it comes from. Changes nothing. */
import { resolveOptions } from '../../config.js';
import type { Options } from '../../config.js';
import { effectiveSettings } from '../../config/effective.js';
import type { EffectiveSetting } from '../../config/effective.js';
import { printable } from '../../printable.js';
import type { ParsedCall } from '../command.js';
import { print, printJson, printMessage } from '../stdout.js';
import type { CONFIG_FLAGS } from '../flags/upkeep.js';
import { textTable } from '../text-table.js';

const HEADINGS = ['SETTING', 'VALUE', 'FROM'];

export async function config({ flags, settings: argv }: ParsedCall<typeof CONFIG_FLAGS>): Promise<void> {
  // Shows the settings before it rejects those that conflict, so that a person can see them.
  const looking = { argv, isServing: false, isPlaceNeeded: false } as const;
  const { options, warnings } = resolveOptions({ ...looking, takesBareNames: true });
  const notes = [...warnings, ...placeOfOthers(options, resolveOptions(looking).options)];
  const settings = effectiveSettings(options);
  await (flags.json
    ? printJson({ settingsFile: options.envFile, settings, notes })
    : print(textTable([HEADINGS, ...settings.map(rowOf)])));
  if (!flags.json) for (const note of notes) printMessage(note);
  resolveOptions({ argv, takesBareNames: true });
}

/**
 * Returns a note if other commands use a data directory other than that of `serve`, because only `serve` reads `.env`.
 * The runtime directory does not matter, because commands find hosts regardless of it.
 */
function placeOfOthers({ dataDir, origins }: Options, others: Options): string[] {
  if (dataDir === others.dataDir) return [];
  return [
    `TENACITTY_DATA_DIR is ${dataDir} only for tenacitty serve (${origins.TENACITTY_DATA_DIR}); other commands ` +
      `use ${others.dataDir}. To see the terminals of this server, give them --data-dir or set ` +
      'TENACITTY_DATA_DIR in the environment.',
  ];
}

function rowOf({ name, value, from }: EffectiveSetting): string[] {
  return [name, value === null ? '-' : printable(value), printable(from)];
}
