/** Computes medians and quantiles and formats numbers. Pure; independent of what was measured. */

export const MS_PER_S = 1000;
export const US_PER_MS = 1000;
/** Throughput and memory are given in powers of ten. */
export const BYTES_PER_MB = 1e6;
const KIB = 1024;

/** The median of the samples; for an even number, the mean of the two middle ones. NaN for none. */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The smallest sample that at least `share` (0 to 1) of the samples do not exceed. NaN for none. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** Divides sample by sample: each pair was measured in the same round. */
export function ratios(samples: readonly number[], references: readonly number[]): number[] {
  return samples.map((sample, round) => sample / references[round]!);
}

export function mbFromKib(kib: number): number {
  return (kib * KIB) / BYTES_PER_MB;
}

/** Formats with three significant digits, or as an integer if it is 100 or more. */
export function written(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return Math.abs(value) >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toPrecision(3);
}
