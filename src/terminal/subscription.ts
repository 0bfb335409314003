/**
 * Streams one terminal's events. The subscriber pulls them at its own pace, from its own offset: there is no queue, and
 * nothing is kept per subscriber.
 */
import type { TerminalEvent } from '../contract/event.js';
import type { Viewer } from '../contract/presence.js';
import type { Subscription } from '../contract/manager.js';
import { invalidInput } from '../errors.js';
import type { BaseTerminal } from './base-terminal.js';
import { eventOf, isAboutState } from './notices.js';

/** For a caller that has finished with an event and has the only reference to its bytes. */
export { releaseBuffer } from '../history/buffer-pool.js';

/** Output is delivered in pieces of up to this size: large enough for few calls, small enough for little memory. */
const MAX_EVENT_BYTES = 64 << 10;

/**
 * @param fromOffset - Where to begin; undefined means from now on.
 * @param viewer - The subscriber as shown to others, if it is to be shown.
 * @throws `INVALID_INPUT` if `fromOffset` is beyond this terminal's output.
 */
export function subscribe(
  terminal: BaseTerminal,
  fromOffset: number | undefined,
  viewer: Viewer | undefined,
): Subscription {
  checkOffset(terminal.outputEnd, fromOffset);
  const closed = new AbortController();
  const start = { offset: fromOffset ?? terminal.outputEnd, ...marksBefore(terminal, fromOffset) };
  terminal.viewers++;
  closed.signal.addEventListener('abort', () => terminal.viewers--, { once: true });
  if (viewer !== undefined) closed.signal.addEventListener('abort', terminal.presence.add(viewer), { once: true });
  return {
    close: () => closed.abort(),
    [Symbol.asyncIterator]: () => events(terminal, start, closed, viewer !== undefined),
  };
}

/** A subscriber's position in the output and among the marks. */
interface Position {
  readonly offset: number;
  readonly resizes: number;
  readonly notices: number;
}

function marksBefore({ resizes, notices }: BaseTerminal, offset: number | undefined): Omit<Position, 'offset'> {
  return { resizes: resizes.beforeLast(offset), notices: notices.before(offset) };
}

function checkOffset(end: number, given: number | undefined): void {
  if (given === undefined || (Number.isSafeInteger(given) && given >= 0 && given <= end)) return;
  const expected = `a whole number from 0 to ${end}, the end of the output`;
  const message = `expected ${expected}, given ${JSON.stringify(given)}`;
  throw invalidInput({ field: 'fromOffset', message, given, expected });
}

async function* events(
  terminal: BaseTerminal,
  start: Position,
  closed: AbortController,
  isViewer: boolean,
): AsyncGenerator<TerminalEvent, void> {
  try {
    // Only a viewer receives the state: first the current state, then changes, but not earlier changes.
    const known = isViewer ? terminal.notices.before(undefined) : Infinity;
    for (const event of isViewer ? stateOf(terminal, start) : []) if (!closed.signal.aborted) yield event;
    yield* eventsFrom(terminal, start, known, closed.signal);
  } finally {
    closed.abort();
  }
}

function stateOf({ waiting, presence }: BaseTerminal, { offset }: Position): TerminalEvent[] {
  return [
    { type: 'waiting', offset, waiting },
    { type: 'presence', offset, ...presence.shown },
  ];
}

/** @param known - Notices about the state up to this number are left out. */
async function* eventsFrom(
  terminal: BaseTerminal,
  start: Position,
  known: number,
  closed: AbortSignal,
): AsyncGenerator<TerminalEvent, void> {
  let { offset, resizes, notices } = start;
  let isExitReported = false;
  while (!closed.aborted) {
    const resize = terminal.resizes.after(resizes);
    const notice = terminal.notices.after(notices);
    const resumeAt = terminal.readableFrom(offset);
    if (offset < resumeAt) {
      yield { type: 'gap', offset, resumeAt };
      offset = resumeAt;
    } else if (resize !== null && resize.offset <= offset) {
      yield { type: 'resize', offset, ...resize.what };
      resizes = resize.number;
    } else if (notice !== null && notice.offset <= offset) {
      notices = notice.number;
      const isKnown = notice.number <= known && isAboutState(notice.what);
      const event = isKnown ? null : eventOf(terminal, notice.what, offset);
      if (event !== null) yield event;
    } else if (offset < terminal.outputEnd) {
      const next = Math.min(resize?.offset ?? Infinity, notice?.offset ?? Infinity);
      const bytes = terminal.bytesFrom(offset, Math.min(MAX_EVENT_BYTES, next - offset));
      yield { type: 'output', offset, bytes };
      offset += bytes.length;
    } else if (terminal.exit !== null && !isExitReported) {
      isExitReported = true;
      yield { type: 'exit', ...terminal.exit };
    } else if (terminal.isHandedOff) {
      return;
    } else if (terminal.isOver) {
      yield { type: 'end', offset };
      return;
    } else await terminal.nextChange(closed);
  }
}
