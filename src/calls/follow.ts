/**
 * What prints, followed as it prints: one stream made of a wait for its outcome and of reading meanwhile. It knows
 * neither what prints nor where it is read, and no door.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { OutputPiece } from '../contract/command-stream.js';
import { MAX_WAIT_MS } from '../contract/output.js';
import type { CutBy, OutputPage, ReadOutput } from '../contract/output.js';
import type { AskedPart } from '../contract/output-part.js';
import { invalidInput } from '../errors.js';

/** Output told in one piece: finding its place costs a read more than its lines do. */
const PIECE = { maxLines: 20_000, maxBytes: 1 << 20 } as const;
/** A line that is drawn again and again is told this often, not more. */
const REWRITE_PAUSE_MS = 100;

/** How what prints has ended or goes on, and where its output was then. */
export interface Outcome {
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

export interface Followed<Started, Result extends Outcome> {
  /** What is told first. */
  readonly started: Started;
  /** Waits until it has ended or is no more waited for; the answer's output is not looked at. */
  readonly outcome: (signal: AbortSignal) => Promise<Result>;
  readonly read: (request: ReadOutput, signal: AbortSignal) => Promise<OutputPage>;
}

export type FollowEvent<Started, Result> =
  | { readonly event: 'started'; readonly data: Started }
  | { readonly event: 'output'; readonly data: OutputPiece }
  | { readonly event: 'result'; readonly data: Omit<Result, 'output'> };

/** @throws `INVALID_INPUT` for what says which part of the output is wanted: who follows is told all of it. */
export function refusePart({ mode, headLines, tailLines, maxLines, maxBytes }: Partial<AskedPart>): void {
  const given = Object.entries({ mode, headLines, tailLines, maxLines, maxBytes }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length === 0) return;
  const message = 'has no effect on a stream, which has all of the output: leave it out, or ask for one answer';
  throw invalidInput(...given.map(([field, value]) => ({ field, message, given: value, expected: 'nothing' })));
}

/**
 * Tells of its start, of its output as it comes, and last of its outcome. Who stops listening ends the wait.
 *
 * @param from - Where its output is read from, and how.
 */
export async function* follow<Started, Result extends Outcome>(
  { started, outcome, read }: Followed<Started, Result>,
  from: Pick<ReadOutput, 'since' | 'cursor' | 'format'>,
  signal?: AbortSignal,
): AsyncGenerator<FollowEvent<Started, Result>> {
  const leaving = new AbortController();
  const isLeft = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal]);
  const end = outcome(isLeft);
  // Whoever awaits it is told; one that is not awaited has nobody to tell.
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

/** Reads output piece by piece, so that the pieces put together are the whole. */
class PieceReader {
  readonly #read: Followed<unknown, Outcome>['read'];
  readonly #format: ReadOutput['format'];
  #place: Pick<ReadOutput, 'since' | 'cursor'>;
  /** Whether what was told last is a line that may go on. */
  #isInLine: boolean;
  #droppedLines = 0;
  #page: OutputPage | undefined;

  constructor(
    read: Followed<unknown, Outcome>['read'],
    { since, cursor, format }: Pick<ReadOutput, 'since' | 'cursor' | 'format'>,
  ) {
    this.#read = read;
    this.#format = format;
    this.#place = { since, cursor };
    this.#isInLine = cursor !== undefined;
  }

  /** All pieces until the wait is over, and of what has ended all that is left. */
  async *until(outcome: Promise<Outcome>, isLeft: AbortSignal): AsyncGenerator<OutputPiece> {
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

  /** The result of a wait that was asked for no output, with where the pieces ended. */
  resultOf<Result extends Outcome>({ output: _output, ...result }: Result): Omit<Result, 'output'> {
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
    const goesOn = continuesLine && rewrittenFrom === null;
    // What follows a line end is known only when it comes: the line end is told with the next line.
    const joint = this.#isInLine && !goesOn && this.#format !== 'raw' ? '\n' : '';
    this.#isInLine = true;
    return { text: joint + output, fromLine, continuesLine, rewrittenFrom, droppedLines, cursor };
  }
}
