/**
 * Assembles long pages of all terminals one after the other, yielding to other work in between: while a page is being
 * assembled, it takes many times its size in memory, and many pages may be requested.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadRequest } from '../contract/output.js';
import { readPage, readPageInTurns } from '../history/page.js';
import type { HistoryPage, HistoryView } from '../history/view.js';

/** Maximum number of attempts to read a long page whose lines are dropped meanwhile. */
const MAX_ATTEMPTS = 4;

/** Resolves when the page requested last is done. */
let last: Promise<void> = Promise.resolve();

/** Reads a page now. A long page is assembled in steps, with other work in between. */
export async function pageInTurns(viewNow: () => HistoryView, request: ReadRequest): Promise<HistoryPage> {
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
    const view = viewNow();
    const page = await assembleInTurn((turn) => readPageInTurns(view, request, turn));
    if (page !== null) return page;
  }
  // If lines are dropped as fast as they are read, the last attempt assembles the page in one step.
  return readPage(viewNow(), request);
}

/**
 * Runs `work`, which calls `turn` between its steps. Work that consists of a single step does not wait; longer work
 * waits until the work before it is done.
 */
export async function assembleInTurn<Result>(work: (turn: () => Promise<void>) => Promise<Result>): Promise<Result> {
  let leave: (() => void) | undefined;
  const turn = async (): Promise<void> => {
    if (leave === undefined) {
      const before = last;
      last = new Promise((resolve) => (leave = resolve));
      await before;
    }
    await nextTurn();
  };
  return work(turn).finally(() => leave?.());
}
