/** Builds the result that `tenacitty run --json` prints: how a program ended, and its output. Prints nothing itself. */
import type { TerminalManager } from '../contract/manager.js';
import type { TerminalDetail } from '../contract/terminal.js';
import { runningMs } from '../calls/running-time.js';
import { asInRest } from './terminal-id.js';
import { MAX_PAGE_BYTES, MAX_PAGE_LINES } from '../contract/output.js';

export interface RunResult extends Pick<TerminalDetail, 'id' | 'exitCode' | 'signal' | 'status' | 'endedBy'> {
  readonly terminalId: string;
  /** Milliseconds from start to end, or until now if the program is still running. */
  readonly durationMs: number;
  /** The lines of output as they were displayed. */
  readonly output: string;
  /** Whether `output` is incomplete. */
  readonly truncated: boolean;
  readonly totalLines: number;
  readonly totalBytes: number;
}

/** Returns the result. @throws `TERMINAL_NOT_FOUND` if the terminal has been removed. */
export async function runResultOf(manager: TerminalManager, id: string): Promise<RunResult> {
  const detail = await manager.get(id);
  const { status, exitCode, signal, endedBy } = detail;
  const page = await manager.read(id, { mode: 'full', maxLines: MAX_PAGE_LINES, maxBytes: MAX_PAGE_BYTES });
  return {
    ...asInRest({ id, status, exitCode, signal, endedBy }),
    durationMs: runningMs(detail),
    ...{ output: page.output, truncated: page.truncated, totalLines: page.totalLines },
    totalBytes: page.stats.totalBytes,
  };
}
