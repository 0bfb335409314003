/** Runs cases, some of them concurrently, and reports each verdict. */
import type { CaseEnvironment } from './request-sender.js';
import { NotApplicable } from './rule-violation.js';
import type { Case } from './case.js';
import type { Peer } from './peer.js';
import { CaseContext } from './case-context.js';
import type { RecordedExchange, Outcome, Verdict } from './verdict.js';

/** Number of concurrent cases, which mostly wait. */
const LANES = 4;

/** What remains the same while cases are running. */
export interface RunContext {
  readonly peer: Peer;
  readonly environment: CaseEnvironment;
  /** Aborts when no further case may start. */
  readonly stop: AbortSignal;
}

/** Returns the verdicts in the order of the cases. Calls `tell` with each verdict as its case ends. */
export async function runCases(
  cases: readonly Case[],
  scene: RunContext,
  tell: (verdict: Verdict) => void,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  const queue = [...cases.entries()];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, one] = next;
      verdicts[index] = await runCase(one, scene);
      tell(verdicts[index]);
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
  return verdicts;
}

async function runCase(one: Case, { peer, environment, stop }: RunContext): Promise<Verdict> {
  if (stop.aborted) return verdictOf(one, 'skipped', String(stop.reason), 0);
  const context = new CaseContext(peer, environment);
  const begin = performance.now();
  const [outcome, seen] = await one.run(context).then(
    (): [Outcome, string] => ['pass', ''],
    (error: Error): [Outcome, string] => [error instanceof NotApplicable ? 'skipped' : 'fail', error.message],
  );
  const durationMs = Math.round(performance.now() - begin);
  const exchange = outcome === 'fail' ? context.exchange : null;
  await context.leave();
  return verdictOf(one, outcome, seen, durationMs, exchange);
}

export function verdictOf(
  { name, rule, level, source }: Case,
  outcome: Outcome,
  seen: string,
  durationMs: number,
  exchange: RecordedExchange | null = null,
): Verdict {
  return { name, rule, level, source, outcome, seen, exchange, durationMs };
}
