/** Parses and formats human-readable sizes in bytes. Pure. */

const UNIT_BYTES = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40, P: 2 ** 50 } as const;
type Unit = keyof typeof UNIT_BYTES;

const UNITS = Object.keys(UNIT_BYTES) as Unit[];
const WHOLE = /^(\d+(?:\.\d+)?)([KMGTP])(?:iB)?$/i;

/** Parses a size such as `64K`, `256M`, `1.5G` or `4GiB` into bytes; returns undefined for anything else. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit] = WHOLE.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  const bytes = Math.round(Number(amount) * UNIT_BYTES[unit.toUpperCase() as Unit]);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Formats a size exactly, as a setting is written: in the largest unit that divides it. */
export function formatSize(bytes: number): string {
  const unit = UNITS.findLast((candidate) => bytes > 0 && bytes % UNIT_BYTES[candidate] === 0);
  return unit === undefined ? String(bytes) : `${bytes / UNIT_BYTES[unit]}${unit}`;
}
