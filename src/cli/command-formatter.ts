/**
 * Formats command lines for hints: each runs this tenacitty on the same terminals, even in a shell without any
 * settings.
 */
import { commandName } from '../command-name.js';
import type { Options } from '../config.js';
import { placeFlags } from '../config/place.js';

/** Returns the full command line to type for the words of a command. */
export type CommandFormatter = (words: string) => string;

export function commandFormatter(options: Pick<Options, 'dataDir' | 'persistent'>): CommandFormatter {
  const [name, flags] = [commandName(), placeFlags(options)];
  return (words) => `${name} ${words}${flags}`;
}
