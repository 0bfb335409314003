/** What is known, as the JSON that stands at the head of each answer: never long, whatever is in it. Pure. */
import { cutMiddle } from './cut.js';

/** Facts about an answer; what is undefined or null is left out. */
export type Metadata = Readonly<Record<string, unknown>>;

/** Each text among them, as much shorter as it takes. */
const MAX_FACT_CHARS = [2000, 500, 100] as const;

/** One line of JSON; of `wantedChars` at most, if that can be had. */
export function bounded(metadata: Metadata, wantedChars: number): string {
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
