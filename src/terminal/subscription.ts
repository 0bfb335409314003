/**
 * A stream of one terminal's events, pulled at the subscriber's own pace from an offset of its own: no
 * queue, nothing kept for it. It knows no door.
 */
import type { TerminalEvent } from '../contract/event.js';
import type { Subscription } from '../contract/manager.js';
import type { HeldTerminal } from './held-terminal.js';

/** For who alone has the bytes of an event and is done with them. */
export { giveBack } from '../history/handed-out.js';

/** Output is handed out in pieces of up to this many bytes: few enough calls, little enough memory. */
const MAX_EVENT_BYTES = 64 << 10;

/** @param fromOffset - Undefined: from now on. */
export function subscribe(terminal: HeldTerminal, fromOffset: number | undefined): Subscription {
  const closed = new AbortController();
  terminal.viewers++;
  closed.signal.addEventListener('abort', () => terminal.viewers--, { once: true });
  const start = { offset: fromOffset ?? terminal.outputEnd, resizes: terminal.resizesBefore(fromOffset) };
  return {
    close: () => closed.abort(),
    [Symbol.asyncIterator]: () => events(terminal, start, closed),
  };
}

async function* events(
  terminal: HeldTerminal,
  start: { offset: number; resizes: number },
  closed: AbortController,
): AsyncGenerator<TerminalEvent, void> {
  try {
    yield* eventsFrom(terminal, start, closed.signal);
  } finally {
    closed.abort();
  }
}

async function* eventsFrom(
  terminal: HeldTerminal,
  start: { offset: number; resizes: number },
  closed: AbortSignal,
): AsyncGenerator<TerminalEvent, void> {
  let { offset, resizes } = start;
  let isExitTold = false;
  while (!closed.aborted) {
    const resize = terminal.resizeAfter(resizes);
    const resumeAt = terminal.readableFrom(offset);
    if (offset < resumeAt) {
      yield { type: 'gap', offset, resumeAt };
      offset = resumeAt;
    } else if (resize !== null && resize.offset <= offset) {
      yield { type: 'resize', offset, cols: resize.cols, rows: resize.rows };
      resizes = resize.number;
    } else if (offset < terminal.outputEnd) {
      const bytes = terminal.bytesFrom(offset, Math.min(MAX_EVENT_BYTES, (resize?.offset ?? Infinity) - offset));
      yield { type: 'output', offset, bytes };
      offset += bytes.length;
    } else if (terminal.exit !== null && !isExitTold) {
      isExitTold = true;
      yield { type: 'exit', ...terminal.exit };
    } else if (terminal.isElsewhere) {
      return;
    } else if (terminal.isOver) {
      yield { type: 'end', offset };
      return;
    } else await terminal.nextChange(closed);
  }
}
