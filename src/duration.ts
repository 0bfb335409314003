/** Parses and formats human-readable durations. Pure. */

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNIT_MS;

const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;
const WHOLE = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;

/**
 * Parses a duration such as `500ms`, `30s`, `5m`, `1h30m` or `2d` into milliseconds; returns undefined for anything
 * else.
 */
export function parseDuration(text: string): number | undefined {
  if (!WHOLE.test(text)) return undefined;
  const parts = [...text.matchAll(PART)].map(([, amount, unit]) => Number(amount) * UNIT_MS[unit as Unit]);
  const total = Math.round(parts.reduce((sum, part) => sum + part, 0));
  return Number.isSafeInteger(total) ? total : undefined;
}

/** Formats a duration in the largest unit that fits, rounded down: `42s`, `5m`, `3h`, `12d`. */
export function roundedDuration(ms: number): string {
  const units: readonly Unit[] = ['d', 'h', 'm'];
  const unit = units.find((candidate) => ms >= UNIT_MS[candidate]) ?? 's';
  return `${Math.max(0, Math.floor(ms / UNIT_MS[unit]))}${unit}`;
}

/** Formats a duration exactly, as a setting is written: in the largest unit that divides it. */
export function formatDuration(ms: number): string {
  const units: readonly Unit[] = ['d', 'h', 'm', 's'];
  const unit = units.find((candidate) => ms > 0 && ms % UNIT_MS[candidate] === 0);
  return unit === undefined ? String(ms) : `${ms / UNIT_MS[unit]}${unit}`;
}
