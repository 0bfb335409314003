/** The types of a benchmark row and its findings. */
import type { Reference } from './reference/reference.js';

/** A limit from the design that the median must reach or not exceed. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

export interface Measurement {
  /** What was measured and what it is compared to. */
  readonly measure: string;
  /** `×` for ratios. */
  readonly unit: string;
  /** One value per round, in order. */
  readonly samples: readonly number[];
  readonly goal?: Goal;
}

/** The parameters of a run, and what is available. */
export interface BenchRun {
  /** How often each contender is measured. */
  readonly rounds: number;
  /** Whether smaller inputs suffice. */
  readonly isQuick: boolean;
  readonly reference: Reference;
  /** Whether to measure programs of others, which must be installed for that. */
  readonly withPeers: boolean;
  /** Prints progress on stderr. */
  progress(text: string): void;
}

export interface BenchRow {
  readonly name: string;
  /** A sentence for the results: what is done, and what it is compared to. */
  readonly what: string;
  measure(run: BenchRun): Promise<Measurement[]>;
}

/** Measures the contenders in turns, A B A B, so that a busy moment of the machine affects them equally. */
export async function byTurns<Contenders extends Record<string, () => Promise<unknown>>>(
  run: BenchRun,
  contenders: Contenders,
): Promise<{ [Name in keyof Contenders]: Awaited<ReturnType<Contenders[Name]>>[] }> {
  const results: Record<string, unknown[]> = {};
  for (let round = 1; round <= run.rounds; round++) {
    for (const [name, measure] of Object.entries(contenders)) {
      run.progress(`round ${round} of ${run.rounds}: ${name}`);
      (results[name] ??= []).push(await measure());
    }
  }
  return results as { [Name in keyof Contenders]: Awaited<ReturnType<Contenders[Name]>>[] };
}

/** Stops a row whose contender gave a wrong result, because its speed would be meaningless. */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  const [given, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (given !== wanted) throw new Error(`${what} is wrong: expected ${wanted}, got ${given}`);
}
