/** Reads pages of a terminal's history, waiting for new output first if requested. */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { ReadRequest } from '../contract/output.js';
import { hasNewOutput, readPage, readPageInTurns } from '../history/page.js';
import type { HistoryPage, HistoryView } from '../history/view.js';
import { assembleInTurn } from '../transcript/page-turns.js';
import type { ProgramExit } from './ending.js';

/** Minimum time between two checks of a waiting reader. */
const CHECK_INTERVAL_MS = 10;
/** Maximum number of attempts at a long read whose lines are dropped in the meantime. */
const MAX_CHECKS = 4;

export interface ReadTerminal {
  readonly isActive: boolean;
  readonly isOver: boolean;
  readonly exit: ProgramExit | null;
  readonly outputEnd: number;
  nextChange(signal?: AbortSignal): Promise<void>;
}

/** A page, with the state of the program when the page was read. */
export interface PageOfTerminal {
  readonly page: HistoryPage;
  readonly isActive: boolean;
  readonly exit: ProgramExit | null;
}

/** Reads a page now. A long page is assembled in steps, with other work in between. */
export async function readNow(
  terminal: ReadTerminal,
  viewNow: () => HistoryView,
  request: ReadRequest,
): Promise<PageOfTerminal> {
  for (let attempt = 1; ; attempt++) {
    const { isActive, exit } = terminal;
    const view = viewNow();
    // If lines are dropped as fast as they are read, the last attempt assembles the page in one step while other work
    // waits.
    const page =
      attempt === MAX_CHECKS
        ? readPage(view, request)
        : await assembleInTurn((turn) => readPageInTurns(view, request, turn));
    if (page !== null) return { page, isActive, exit };
  }
}

/** Returns when a read would return something new, when the program ends, or when time is up. */
export async function untilNews(
  terminal: ReadTerminal,
  viewNow: () => HistoryView,
  request: ReadRequest,
  end: AbortSignal,
): Promise<void> {
  const wasActive = terminal.isActive;
  const from = terminal.outputEnd;
  const isDone = (): boolean =>
    terminal.isOver ||
    end.aborted ||
    wasActive !== terminal.isActive ||
    hasNewOutput(viewNow(), request, terminal.outputEnd > from);
  // A caller that reads in a loop must not block the event loop, however much there is to read.
  await nextTurn();
  while (!isDone()) {
    await terminal.nextChange(end);
    if (isDone()) return;
    // When much output arrives that is not new to the reader, checking at every chunk would cost more than processing
    // it.
    await delay(CHECK_INTERVAL_MS, undefined, { signal: end }).catch(() => undefined);
  }
}
