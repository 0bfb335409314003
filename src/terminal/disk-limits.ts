/**
 * Keeps the terminals' files within the limits on age and total size; the total includes files that other processes
 * keep next to them.
 */
import { conservativeNow } from '../clock.js';
import { bytesBelow } from '../store/disk-use.js';
import { sweep } from '../store/retention.js';
import type { StoredHistory } from '../store/retention.js';
import type { BaseTerminal } from './base-terminal.js';
import type { EngineOptions } from '../contract/options.js';

/**
 * @param forget - Removes a terminal with all its data.
 * @param now - Milliseconds since the epoch.
 */
export async function enforceDiskLimits(
  terminals: readonly BaseTerminal[],
  options: EngineOptions,
  forget: (terminal: BaseTerminal) => void,
  now = conservativeNow(),
): Promise<void> {
  const { maxDiskBytesTotal, maxDiskAgeMs: maxAgeMs, historyDir, historyRoot, log } = options;
  // Files of other processes count, but only those processes may drop them.
  const others = historyRoot === null ? 0 : (await bytesBelow(historyRoot)) - (await bytesBelow(historyDir!));
  const maxBytesTotal = Math.max(0, maxDiskBytesTotal - others);
  const stored = terminals.filter(({ isStored }) => isStored).map((terminal) => describe(terminal, forget));
  const { expired, removed, shortened } = sweep(stored, { maxBytesTotal, maxAgeMs, now });
  if (expired.length + removed.length + shortened.length === 0) return;
  log('info', 'Retention deleted history on disk', { expired, removed, shortened });
}

function describe(terminal: BaseTerminal, forget: (terminal: BaseTerminal) => void): StoredHistory {
  const { id, isActive, endedAt } = terminal;
  return {
    ...{ id, isEnded: !isActive, endedAt },
    get bytes() {
      return terminal.diskBytes;
    },
    get oldestSegmentTime() {
      return terminal.oldestSegmentTime;
    },
    dropOldest: () => terminal.files?.dropOldest() ?? 0,
    remove: () => forget(terminal),
  };
}
