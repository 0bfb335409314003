/** Formats the facts at the start of each result as JSON, with a limited length whatever they contain. Pure. */
import { cutMiddle } from './cut-middle.js';

/** Facts about a result. Facts that are undefined or null are omitted. */
export type Metadata = Readonly<Record<string, unknown>>;

/** Limits on the length of each string, applied one after another until the facts fit. */
const MAX_FACT_CHARS = [2000, 500, 100] as const;

/** Returns the facts as one line of JSON, of at most `wantedChars` characters if possible. */
export function boundedJson(metadata: Metadata, wantedChars: number): string {
  const known = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
  let json = '';
  for (const maxChars of MAX_FACT_CHARS) {
    json = JSON.stringify(known, (_name, value: unknown) =>
      typeof value === 'string' && value.length > maxChars ? cutMiddle(value, maxChars) : value,
    );
    if (json.length <= wantedChars) break;
  }
  return json;
}
