/** Combines a wait for an outcome with the output that arrives in the meantime into one stream of events. */
import { setTimeout as pause } from 'node:timers/promises';
import type { OutputPiece } from '../contract/command-stream.js';
import { MAX_WAIT_MS } from '../contract/output.js';
import type { CutBy, OutputPage, ReadOutput } from '../contract/output.js';
import type { RequestedPart } from '../contract/output-part.js';
import { invalidInput } from '../errors.js';

/** Maximum output per event. Large, because locating a read position costs more than reading the lines. */
const PIECE = { maxLines: 20_000, maxBytes: 1 << 20 } as const;
/** Number of manager calls that wait at the same time: one for the outcome and one for output. */
export const WAITS_OF_FOLLOW = 2;
/** Minimum interval between updates of a line that is redrawn repeatedly. */
const REWRITE_PAUSE_MS = 100;

/** The outcome so far, and the position of the output at that time. */
export interface FollowOutcome {
  readonly output: string;
  readonly completed: boolean;
  readonly totalBytes: number;
  readonly nextReadFrom: number;
  readonly cursor: string;
  readonly hasMore: boolean;
  readonly truncated: boolean;
  readonly linesOmitted: number;
  readonly cutBy: CutBy;
}

export interface FollowSource<Started, Result extends FollowOutcome> {
  /** The data of the first event. */
  readonly started: Started;
  /** Resolves when the command or program has ended or the wait is over. The output in the result is ignored. */
  readonly outcome: (signal: AbortSignal) => Promise<Result>;
  readonly read: (request: ReadOutput, signal: AbortSignal) => Promise<OutputPage>;
}

export type FollowEvent<Started, Result> =
  | { readonly event: 'started'; readonly data: Started }
  | { readonly event: 'output'; readonly data: OutputPiece }
  | { readonly event: 'result'; readonly data: Omit<Result, 'output'> };

/**
 * Rejects parameters that select a part of the output, because a stream contains all of it. @throws `INVALID_INPUT` if
 * one of them is given.
 */
export function refusePartialOutput({ mode, headLines, tailLines, maxLines, maxBytes }: Partial<RequestedPart>): void {
  const given = Object.entries({ mode, headLines, tailLines, maxLines, maxBytes }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length === 0) return;
  const message =
    'has no effect on a stream, which contains the whole output; leave it out, or do not request a stream';
  throw invalidInput(...given.map(([field, value]) => ({ field, message, given: value, expected: 'nothing' })));
}

/**
 * Yields the start, the output as it arrives, and finally the outcome. Returning from the iterator ends the wait.
 *
 * @param from - Where to start reading the output, and in which format.
 */
export async function* follow<Started, Result extends FollowOutcome>(
  { started, outcome, read }: FollowSource<Started, Result>,
  from: Pick<ReadOutput, 'since' | 'cursor' | 'format'>,
  signal?: AbortSignal,
): AsyncGenerator<FollowEvent<Started, Result>> {
  const leaving = new AbortController();
  const isLeft = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal]);
  const end = outcome(isLeft);
  // An error is reported where `end` is awaited. This prevents an unhandled rejection if it is not.
  end.catch(() => {});
  try {
    const reader = new PieceReader(read, from);
    yield { event: 'started', data: started };
    for await (const piece of reader.until(end, isLeft)) yield { event: 'output', data: piece };
    yield { event: 'result', data: reader.resultOf(await end) };
  } finally {
    leaving.abort();
  }
}

/** Reads output piece by piece. The concatenated pieces are the complete output. */
class PieceReader {
  readonly #read: FollowSource<unknown, FollowOutcome>['read'];
  readonly #format: ReadOutput['format'];
  #place: Pick<ReadOutput, 'since' | 'cursor'>;
  /** Whether the last piece ended in a line that may continue. */
  #isInLine: boolean;
  #droppedLines = 0;
  #page: OutputPage | undefined;

  constructor(
    read: FollowSource<unknown, FollowOutcome>['read'],
    { since, cursor, format }: Pick<ReadOutput, 'since' | 'cursor' | 'format'>,
  ) {
    this.#read = read;
    this.#format = format;
    this.#place = { since, cursor };
    this.#isInLine = cursor !== undefined;
  }

  /** Yields all pieces until the wait is over and, if the command or program has ended, all remaining output. */
  async *until(outcome: Promise<FollowOutcome>, isLeft: AbortSignal): AsyncGenerator<OutputPiece> {
    const over = new AbortController();
    const end = (): void => over.abort();
    outcome.then(end, end);
    const isOver = AbortSignal.any([over.signal, isLeft]);
    for (;;) {
      const isLast = isOver.aborted;
      const page = await this.#next(isLast ? 0 : MAX_WAIT_MS, isOver);
      if (page.stats.linesShown > 0 || page.droppedLines > 0) yield this.#pieceOf(page);
      if (!page.hasMore && !page.isActive) return;
      if (isLast && (!page.hasMore || (page.isActive && !(await outcome).completed))) return;
      if (page.rewrittenFrom !== null) await pause(REWRITE_PAUSE_MS, undefined, { signal: isOver }).catch(() => {});
    }
  }

  /** Returns the result of a wait that requested no output, with the position where the pieces ended. */
  resultOf<Result extends FollowOutcome>({ output: _output, ...result }: Result): Omit<Result, 'output'> {
    const { nextReadFrom, cursor, hasMore, stats } = this.#page ?? { ...result, stats: result };
    const isPassedOver = !hasMore && stats.totalBytes < result.totalBytes;
    const linesOmitted = this.#droppedLines;
    const truncated = hasMore || isPassedOver || linesOmitted > 0;
    return { ...result, nextReadFrom, cursor, hasMore, truncated, linesOmitted, cutBy: null };
  }

  async #next(timeoutMs: number, isOver: AbortSignal): Promise<OutputPage> {
    const page = await this.#read({ ...this.#place, ...PIECE, format: this.#format, timeoutMs }, isOver);
    this.#place = { cursor: page.cursor };
    this.#page = page;
    this.#droppedLines += page.droppedLines;
    return page;
  }

  #pieceOf({ output, fromLine, continuesLine, rewrittenFrom, droppedLines, cursor }: OutputPage): OutputPiece {
    const isContinued = continuesLine && rewrittenFrom === null;
    // It is known whether text follows a line ending only once the text arrives, so a line ending is sent with the next
    // line.
    const joint = this.#isInLine && !isContinued && this.#format !== 'raw' ? '\n' : '';
    this.#isInLine = true;
    return { text: joint + output, fromLine, continuesLine, rewrittenFrom, droppedLines, cursor };
  }
}
