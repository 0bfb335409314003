/** `tenacitty version`: prints the version. */
import { VERSION } from '../../version.js';
import { print } from '../stdout.js';

export function version(): Promise<void> {
  return print(`${VERSION}\n`);
}
