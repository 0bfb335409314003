/**
 * Returns the command line that runs this tenacitty on the same terminals, for hints. Also works in a shell where no
 * setting is in effect.
 */
import { commandName } from '../command-name.js';
import type { Options } from '../config.js';
import { placeFlags } from '../config/place.js';

/** Converts a command's words to the full command line to type. */
export type CommandFormatter = (words: string) => string;

export function commandFormatter(options: Pick<Options, 'dataDir' | 'persistent'>): CommandFormatter {
  const [name, flags] = [commandName(), placeFlags(options)];
  return (words) => `${name} ${words}${flags}`;
}
