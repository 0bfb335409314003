/** Combines the figures of several hosts. Pure. */
import type { ManagerSummary } from '../contract/manager.js';

export const EMPTY_SUMMARY: ManagerSummary = {
  activeTerminals: 0,
  exitedTerminals: 0,
  lostTerminals: 0,
  createdTotal: 0,
  outputBytesTotal: 0,
  inputBytesTotal: 0,
  waitingReads: 0,
  historyBytes: 0,
  diskBytes: 0,
  problems: [],
  isIncomplete: false,
};

export function sumOf(summaries: readonly ManagerSummary[]): ManagerSummary {
  return summaries.reduce(add, EMPTY_SUMMARY);
}

function add(a: ManagerSummary, b: ManagerSummary): ManagerSummary {
  return {
    activeTerminals: a.activeTerminals + b.activeTerminals,
    exitedTerminals: a.exitedTerminals + b.exitedTerminals,
    lostTerminals: a.lostTerminals + b.lostTerminals,
    createdTotal: a.createdTotal + b.createdTotal,
    outputBytesTotal: a.outputBytesTotal + b.outputBytesTotal,
    inputBytesTotal: a.inputBytesTotal + b.inputBytesTotal,
    waitingReads: a.waitingReads + b.waitingReads,
    historyBytes: a.historyBytes + b.historyBytes,
    diskBytes: a.diskBytes + b.diskBytes,
    problems: [...a.problems, ...b.problems],
    isIncomplete: a.isIncomplete || b.isIncomplete,
  };
}
