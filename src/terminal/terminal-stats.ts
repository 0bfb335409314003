/** Computes the statistics of one terminal, in the form that callers see. Pure. */
import type { TerminalStats } from '../contract/output.js';
import { countLost } from '../history/spans.js';
import { estimateHistoryTokens, heldLines } from '../history/view.js';
import type { HistoryView } from '../history/view.js';
import type { HistoryFiles } from '../store/history-files.js';
import type { EngineOptions } from '../contract/options.js';

/** The terminal data that the statistics are computed from. */
export interface StatsSource {
  readonly id: string;
  readonly isActive: boolean;
  readonly heldBytes: number;
  /** Null if the history is not saved. */
  readonly files: HistoryFiles | null;
  /** Why the history is currently not saved; null if it is. */
  readonly problem: string | null;
}

export function statsOf(terminal: StatsSource, view: HistoryView, options: EngineOptions): TerminalStats {
  return {
    terminalId: terminal.id,
    totalLines: view.total,
    totalBytes: view.outputEnd,
    estimatedTokens: estimateHistoryTokens(view),
    bufferSize: heldLines(view),
    oldestLine: view.oldest,
    newestLine: view.total - 1,
    isActive: terminal.isActive,
    history: historyStats(terminal, view.oldest + countLost(view.lostLines), options),
  };
}

function historyStats(
  { files, problem, heldBytes }: StatsSource,
  droppedLines: number,
  options: EngineOptions,
): TerminalStats['history'] {
  const isOnDisk = files !== null;
  return {
    place: isOnDisk ? 'disk' : 'memory',
    state: problem === null ? 'ok' : 'degraded',
    reason: problem,
    memoryBytes: heldBytes,
    diskBytes: files?.bytes ?? 0,
    savedLines: files?.nextLine ?? 0,
    droppedLines,
    limits: {
      memoryLines: options.maxBufferLines,
      memoryBytes: options.maxBufferBytes,
      diskBytes: isOnDisk ? options.maxDiskBytes : 0,
      diskBytesTotal: isOnDisk ? options.maxDiskBytesTotal : 0,
      diskAgeMs: isOnDisk ? options.maxDiskAgeMs : 0,
    },
  };
}
