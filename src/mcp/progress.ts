/**
 * Tells a client that asks for it how a long call goes: the last line and the time it has taken, so that the client
 * does not give up. It knows no protocol and no terminal.
 */
import { setTimeout as pause } from 'node:timers/promises';

/** Who has called: how to know that nobody waits any more, and how to tell how it goes. */
export interface Caller {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Null where the client has not asked to be told. */
  readonly tell: ((elapsedMs: number, message: string) => Promise<void>) | null;
}

/** Between two tellings. */
const EVERY_MS = 1000;
/** A call that prints nothing is told of this often all the same. */
const EVERY_SILENT_MS = 10_000;

/**
 * Waits for `outcome`, and tells of it meanwhile.
 *
 * @param lastLine - What was printed last; what it throws is passed over.
 */
export async function tellingOf<Outcome>(
  { tell, signal }: Caller,
  outcome: Promise<Outcome>,
  lastLine: () => Promise<string>,
): Promise<Outcome> {
  if (tell === null) return outcome;
  const over = new AbortController();
  const telling = tellUntil(AbortSignal.any([over.signal, signal]), tell, lastLine);
  try {
    return await outcome;
  } finally {
    over.abort();
    await telling;
  }
}

async function tellUntil(
  end: AbortSignal,
  tell: NonNullable<Caller['tell']>,
  lastLine: () => Promise<string>,
): Promise<void> {
  const began = performance.now();
  let told = { line: '', at: began };
  for (;;) {
    await pause(EVERY_MS, undefined, { signal: end }).catch(() => undefined);
    if (end.aborted) return;
    // Whoever cannot be told any more is gone, and the wait ends by the signal.
    const line = await lastLine().catch(() => told.line);
    const now = performance.now();
    if (end.aborted || (line === told.line && now - told.at < EVERY_SILENT_MS)) continue;
    told = { line, at: now };
    await tell(now - began, messageOf(now - began, line)).catch(() => undefined);
  }
}

function messageOf(elapsedMs: number, line: string): string {
  const seconds = `${Math.round(elapsedMs / 1000)} s`;
  return line === '' ? seconds : `${seconds}: ${line}`;
}
