/** Lists all cases in the order of the report. */
import type { Case } from './case.js';
import { CANCEL_CASES } from './cases/cancel.js';
import { CREATE_CASES } from './cases/create.js';
import { EMBED_CASES } from './cases/embed.js';
import { EXIT_CASES } from './cases/exit.js';
import { KILL_CASES } from './cases/kill.js';
import { LIMIT_CASES } from './cases/limit.js';
import { LOST_CASES } from './cases/lost.js';
import { OUTPUT_CASES } from './cases/output.js';
import { PLACE_CASES } from './cases/place.js';
import { REFUSAL_CASES } from './cases/refusal.js';
import { RELEASE_CASES } from './cases/release.js';
import { TEXT_CASES } from './cases/text.js';
import { WIRE_CASES } from './cases/wire.js';

export interface CaseGroup {
  readonly title: string;
  readonly cases: readonly Case[];
}

export const CASE_GROUPS: readonly CaseGroup[] = [
  { title: 'Create', cases: [...CREATE_CASES, ...PLACE_CASES] },
  { title: 'Output', cases: [...OUTPUT_CASES, ...LIMIT_CASES, ...TEXT_CASES] },
  { title: 'Wait for exit', cases: EXIT_CASES },
  { title: 'Kill', cases: KILL_CASES },
  { title: 'Release', cases: RELEASE_CASES },
  { title: 'Reject', cases: REFUSAL_CASES },
  { title: 'Cancel', cases: CANCEL_CASES },
  { title: 'Embed', cases: EMBED_CASES },
  { title: 'Wire', cases: WIRE_CASES.map((one) => ({ ...one, moment: 'last' as const })) },
  { title: 'Lost connection', cases: LOST_CASES },
];

export const CASES: readonly Case[] = CASE_GROUPS.flatMap(({ cases }) => cases);

/**
 * Returns the selected cases.
 *
 * @param asked - Names, or prefixes of names (`limit`). An empty list selects all cases.
 */
export function chosenCases(asked: readonly string[]): readonly Case[] {
  if (asked.length === 0) return CASES;
  return CASES.filter(({ name }) => asked.some((word) => name === word || name.startsWith(`${word}-`)));
}
