/**
 * What a row of the bench is, and what it finds. It knows no row.
 */
import type { Reference } from './reference/reference.js';

/** A bar from the design: the median has to be at least, or at most, this. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

export interface Finding {
  /** What was measured, with what it is compared to. */
  readonly measure: string;
  /** `×` for ratios. */
  readonly unit: string;
  /** One value a round, in order. */
  readonly samples: readonly number[];
  readonly goal?: Goal;
}

/** How a run was asked to go, and what is at hand. */
export interface Run {
  /** How often each contender is measured. */
  readonly rounds: number;
  /** Whether smaller inputs will do. */
  readonly isQuick: boolean;
  readonly reference: Reference;
  /** Whether others' programs are measured that have to be installed for it. */
  readonly withPeers: boolean;
  /** Says on stderr what goes on. */
  progress(text: string): void;
}

export interface Row {
  readonly name: string;
  /** A sentence for the results: what is done, and against what. */
  readonly what: string;
  measure(run: Run): Promise<Finding[]>;
}

/** Measures the contenders by turns, A B A B, so that a busy moment of the machine hits them alike. */
export async function byTurns<Contenders extends Record<string, () => Promise<unknown>>>(
  run: Run,
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

/** Stops a row whose contender gave a wrong result: its speed would mean nothing. */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  const [given, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (given !== wanted) throw new Error(`${what} is wrong: expected ${wanted}, got ${given}`);
}
