/** Computes a manager's figures across all its terminals. Pure. */
import type { ManagerSummary } from '../contract/manager.js';
import { historyProblems } from '../transcript/history-problems.js';
import { waitingReadsOf } from './manager-limits.js';
import type { PastTerminal } from './past-terminal.js';
import type { Terminal } from './terminal.js';

type Counters = Pick<ManagerSummary, 'createdTotal' | 'outputBytesTotal' | 'inputBytesTotal'>;

export function summaryOf(terminals: readonly (Terminal | PastTerminal)[], counters: Counters): ManagerSummary {
  const activeTerminals = terminals.filter((terminal) => terminal.isActive).length;
  const lostTerminals = terminals.filter(({ status }) => status === 'lost').length;
  return {
    ...counters,
    waitingReads: waitingReadsOf(terminals),
    activeTerminals,
    exitedTerminals: terminals.length - activeTerminals - lostTerminals,
    lostTerminals,
    historyBytes: terminals.reduce((sum, terminal) => sum + terminal.heldBytes, 0),
    diskBytes: terminals.reduce((sum, terminal) => sum + terminal.diskBytes, 0),
    problems: [
      ...terminals.flatMap((one) => ('recordProblem' in one ? (one.recordProblem ?? []) : [])),
      // Only terminals with a running program: the histories of other terminals would have to be read first.
      ...historyProblems(terminals.filter((one) => 'handOver' in one)),
    ],
    isIncomplete: false,
  };
}
