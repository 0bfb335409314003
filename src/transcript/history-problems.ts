/** Which terminals' history does not reach the disk, in words for people: one sentence for each reason. Pure. */

interface Kept {
  readonly id: string;
  /** Why its history is in memory only though it is meant for the disk, or null. */
  readonly problem: string | null;
}

/** Empty when all is well. */
export function historyProblems(terminals: Iterable<Kept>): string[] {
  const byReason = new Map<string, string[]>();
  for (const { id, problem } of terminals) {
    if (problem !== null) byReason.set(problem, [...(byReason.get(problem) ?? []), id]);
  }
  return [...byReason].map(([reason, ids]) => `${whose(ids)} is kept in memory only for now: ${reason}`);
}

function whose([first, ...more]: readonly string[]): string {
  return `the history of terminal ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}
