/**
 * Defines the report that the agent writes for the checker. The file is complete at every moment, so it can be read
 * while cases are running.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const verdict = z.object({
  name: z.string(),
  rule: z.string(),
  level: z.enum(['MUST', 'SHOULD', 'advice']),
  source: z.string(),
  outcome: z.enum(['pass', 'fail', 'skipped']),
  seen: z.string(),
  exchange: z.object({ request: z.string(), answer: z.string().nullable() }).nullable(),
  durationMs: z.number(),
});

const REPORT = z.object({
  /** The name that the client states, or null if it states none. */
  client: z.object({ name: z.string(), version: z.string() }).nullable(),
  /** Whether the client announces that it serves terminals. */
  servesTerminals: z.boolean(),
  /**
   * How far the check has come. `came`: the client has opened the connection. `prompted`: the cases are running.
   * `finished`: the agent has judged everything that it can.
   */
  stage: z.enum(['came', 'prompted', 'finished']),
  verdicts: z.array(verdict),
  /** Processes that cases have left running and that must not outlive the connection. */
  left: z.array(z.object({ name: z.string(), pids: z.array(z.number()) })),
});

export type Report = z.infer<typeof REPORT>;

export function writeReport(file: string, report: Report): void {
  const fresh = `${file}.new`;
  writeFileSync(fresh, JSON.stringify(report));
  renameSync(fresh, file);
}

/** Returns the report, or undefined if none has been written yet. */
export function readReport(file: string): Report | undefined {
  return existsSync(file) ? REPORT.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}
