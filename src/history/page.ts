/**
 * Handles reads of a history, and determines whether a read would return anything new. Pure; does not depend on
 * terminals or on waiting.
 */
import type { ReadRequest } from '../contract/output.js';
import { partOf } from '../contract/output-part.js';
import type { PageRequest } from '../contract/output-part.js';
import { linePage, lineStart } from './line-page.js';
import { runSteps } from './steps.js';
import { byteStart, rawPage } from './raw-page.js';
import type { HistoryPage, HistoryView } from './view.js';

/** Reads one page. @throws `INVALID_INPUT` for a cursor that is invalid or has another format. */
export function readPage(view: HistoryView, request: ReadRequest): HistoryPage {
  const filled = filledIn(request);
  return filled.format === 'raw' ? rawPage(view, filled) : runSteps(linePage(view, filled));
}

function filledIn(request: ReadRequest): PageRequest {
  return { ...request, ...partOf(request) };
}

/**
 * Reads the page that `readPage` returns in steps, yielding to other work in between. The view must keep its contents,
 * except that lines may be dropped in the meantime; returns null if any were dropped before they were read.
 */
export async function readPageInTurns(
  view: HistoryView,
  request: ReadRequest,
  nextTurn: () => Promise<unknown>,
): Promise<HistoryPage | null> {
  const filled = filledIn(request);
  if (filled.format === 'raw') return rawPage(view, filled);
  const steps = linePage(view, filled);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
    if (!view.isHeld(step.value)) return null;
  }
}

/**
 * Returns whether a read would return something new to its reader. When reading continues by line number, an unfinished
 * last line alone is not new, because it may have been read before; `hasOutputSince` says whether output has arrived
 * since the wait began.
 */
export function hasNewOutput(view: HistoryView, request: ReadRequest, hasOutputSince: boolean): boolean {
  if (request.format === 'raw') return byteStart(view, request) < view.outputEnd;
  const start = lineStart(view, request);
  if (start.rewrittenFrom !== null || start.requested < start.line) return true;
  if (request.cursor === undefined) {
    const isLastNew = hasOutputSince || request.since === undefined;
    return start.line < view.resumeAt || (isLastNew && start.line < view.total);
  }
  return start.line + 1 < view.total || (start.line < view.total && view.text(start.line).length > start.chars);
}
