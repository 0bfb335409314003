/** Reports which terminals' histories are not being saved, as human-readable text: one sentence per reason. Pure. */

interface Kept {
  readonly id: string;
  /** Why its history is in memory only although it should be on disk; null if it is being saved. */
  readonly problem: string | null;
}

/** Returns one sentence per reason; none if there are no problems. */
export function historyProblems(terminals: Iterable<Kept>): string[] {
  const byReason = new Map<string, string[]>();
  for (const { id, problem } of terminals) {
    if (problem !== null) byReason.set(problem, [...(byReason.get(problem) ?? []), id]);
  }
  return [...byReason].map(([reason, ids]) => `${whose(ids)} is currently in memory only: ${reason}`);
}

function whose([first, ...more]: readonly string[]): string {
  return `the history of terminal ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}
