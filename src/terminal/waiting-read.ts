/** Reads pages of a terminal's history, waiting for new output first if requested. */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { ReadRequest } from '../contract/output.js';
import { hasNewOutput } from '../history/page.js';
import type { HistoryPage, HistoryView } from '../history/view.js';
import { pageInTurns } from '../transcript/page-turns.js';
import type { ProgramExit } from './ending.js';

/** Minimum time between two checks of a waiting reader. */
const CHECK_INTERVAL_MS = 10;

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
  let state = stateOf(terminal);
  const page = await pageInTurns(() => {
    state = stateOf(terminal);
    return viewNow();
  }, request);
  return { page, ...state };
}

function stateOf({ isActive, exit }: ReadTerminal): Omit<PageOfTerminal, 'page'> {
  return { isActive, exit };
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
