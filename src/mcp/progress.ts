/**
 * Reports the progress of a long call to a client that requests it, as the last line and the elapsed time, so that the
 * client does not time out.
 */
import { setTimeout as pause } from 'node:timers/promises';

/** The client that made the call. */
export interface Caller {
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal;
  /** Reports progress, or null if the client has not requested that. */
  readonly report: ((elapsedMs: number, message: string) => Promise<void>) | null;
}

/** Minimum interval between reports. */
const EVERY_MS = 1000;
/** Interval between reports while nothing is being printed. */
const EVERY_SILENT_MS = 10_000;

/**
 * Waits for `outcome` and reports progress in the meantime.
 *
 * @param lastLine - Returns the last line printed. Its errors are ignored.
 */
export async function withProgress<Outcome>(
  { report, signal }: Caller,
  outcome: Promise<Outcome>,
  lastLine: () => Promise<string>,
): Promise<Outcome> {
  if (report === null) return outcome;
  const over = new AbortController();
  const reporting = reportUntil(AbortSignal.any([over.signal, signal]), report, lastLine);
  try {
    return await outcome;
  } finally {
    over.abort();
    await reporting;
  }
}

async function reportUntil(
  end: AbortSignal,
  tell: NonNullable<Caller['report']>,
  lastLine: () => Promise<string>,
): Promise<void> {
  const began = performance.now();
  let last = { line: '', at: began };
  for (;;) {
    await pause(EVERY_MS, undefined, { signal: end }).catch(() => undefined);
    if (end.aborted) return;
    // A client that cannot be reached has disconnected, and the signal will end the wait.
    const line = await lastLine().catch(() => last.line);
    const now = performance.now();
    if (end.aborted || (line === last.line && now - last.at < EVERY_SILENT_MS)) continue;
    last = { line, at: now };
    await tell(now - began, messageOf(now - began, line)).catch(() => undefined);
  }
}

function messageOf(elapsedMs: number, line: string): string {
  const seconds = `${Math.round(elapsedMs / 1000)} s`;
  return line === '' ? seconds : `${seconds}: ${line}`;
}
