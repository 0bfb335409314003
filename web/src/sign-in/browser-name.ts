/** Names the browser and the system in a `User-Agent`, as far as people recognise them. Pure. */
import { plain } from '../store/naming.js';

/** The first match counts, because browsers also name the browsers that they are compatible with. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'macOS'],
  ['Windows', 'Windows'],
  ['Linux', 'Linux'],
] as const;
const MAX_CHARS = 40;

/** Returns a name such as `Firefox on Linux`, or the beginning of a `User-Agent` that is not recognised. */
export function browserName(userAgent: string): string {
  const browser = BROWSERS.find(([mark]) => userAgent.includes(`${mark}/`))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  if (browser === undefined) return plain(userAgent).slice(0, MAX_CHARS) || 'unknown';
  return system === undefined ? browser : `${browser} on ${system}`;
}
