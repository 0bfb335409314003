/** What a person types to call this very tenacitty on the same terminals, for hints: in a shell that knows no setting, too. */
import { commandName } from '../command-name.js';
import type { Options } from '../config.js';
import { placeFlags } from '../config/place.js';

/** From the words of a command to all that is to be typed. */
export type Typed = (words: string) => string;

export function typedFor(options: Pick<Options, 'dataDir' | 'persistent'>): Typed {
  const [name, flags] = [commandName(), placeFlags(options)];
  return (words) => `${name} ${words}${flags}`;
}
