/**
 * A command followed as it prints: one stream made of the manager's waiting and reading. It knows the manager by its
 * interface, and no door.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_EXEC_TIMEOUT_MS } from '../contract/command.js';
import type { CollectCommand, CommandResult, ExecCommand } from '../contract/command.js';
import type { CommandEvent, FollowedResult, OutputPiece } from '../contract/command-stream.js';
import type { TerminalManager, WaitOptions } from '../contract/manager.js';
import { MAX_WAIT_MS } from '../contract/output.js';
import type { OutputPage, ReadOutput } from '../contract/output.js';

/** For answers that are not to hold output. */
const NO_OUTPUT = { mode: 'tail', tailLines: 0 } as const;
/** Output told in one piece: finding its place costs a read more than its lines do. */
const PIECE = { maxLines: 20_000, maxBytes: 1 << 20 } as const;
/** A line that is drawn again and again is told this often, not more. */
const REWRITE_PAUSE_MS = 100;

/**
 * Runs a command and tells of it: `started`, `output` as it comes, and `result` when it has ended, waits for input, or
 * time is up; it goes on then. Who stops listening ends the wait, never the command.
 *
 * @param request - As `TerminalManager.exec`; of what says which output is shown only `format` counts: all is told.
 * @throws As `TerminalManager.exec`, before anything is told; as `readCommand` later.
 */
export async function* followExec(
  manager: TerminalManager,
  id: string,
  request: ExecCommand,
  options: WaitOptions = {},
): AsyncGenerator<CommandEvent> {
  const deadline = performance.now() + (request.timeoutMs ?? DEFAULT_EXEC_TIMEOUT_MS);
  const { commandId } = await manager.exec(id, { ...request, ...NO_OUTPUT, detach: true }, options);
  const { command: _command, detach = false, ...rest } = request;
  const timeoutMs = detach ? 0 : Math.max(0, Math.ceil(deadline - performance.now()));
  yield* followCommand(manager, id, commandId, { ...rest, timeoutMs }, options);
}

/**
 * Tells of a command that was begun before, from where `since` or `cursor` says, else from its start.
 *
 * @param request - As `TerminalManager.collect`.
 * @throws As `TerminalManager.collect`.
 */
export async function* followCommand(
  manager: TerminalManager,
  id: string,
  commandId: number,
  request: CollectCommand = {},
  { signal }: WaitOptions = {},
): AsyncGenerator<CommandEvent> {
  const leaving = new AbortController();
  const isLeft = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal]);
  const { timeoutMs, untilInput } = request;
  // An unknown command is an error before anything is told.
  await manager.command(id, commandId);
  const outcome = manager.collect(id, commandId, { timeoutMs, untilInput, ...NO_OUTPUT }, { signal: isLeft });
  // Whoever awaits it is told; one that is not awaited has nobody to tell.
  outcome.catch(() => {});
  try {
    const reader = new PieceReader(manager, id, commandId, request);
    yield { event: 'started', data: { terminalId: id, commandId } };
    for await (const piece of reader.until(outcome, isLeft)) yield { event: 'output', data: piece };
    yield { event: 'result', data: reader.resultOf(await outcome) };
  } finally {
    leaving.abort();
  }
}

/** Reads the output of one command piece by piece, so that the pieces put together are the whole. */
class PieceReader {
  readonly #read: (request: ReadOutput, signal: AbortSignal) => Promise<OutputPage>;
  readonly #format: ReadOutput['format'];
  #place: Pick<ReadOutput, 'since' | 'cursor'>;
  /** Whether what was told last is a line that may go on. */
  #isInLine: boolean;
  #droppedLines = 0;
  #page: OutputPage | undefined;

  constructor(manager: TerminalManager, id: string, commandId: number, request: CollectCommand) {
    const { since, cursor, format } = request;
    this.#read = (asked, signal) => manager.readCommand(id, commandId, asked, { signal });
    this.#format = format;
    this.#place = { since, cursor };
    this.#isInLine = cursor !== undefined;
  }

  /** All pieces until the wait for the command is over, and of a command that has ended all that is left. */
  async *until(outcome: Promise<CommandResult>, isLeft: AbortSignal): AsyncGenerator<OutputPiece> {
    const over = new AbortController();
    const end = (): void => over.abort();
    outcome.then(end, end);
    const isOver = AbortSignal.any([over.signal, isLeft]);
    for (;;) {
      const isLast = isOver.aborted;
      const page = await this.#next(isLast ? 0 : MAX_WAIT_MS, isOver);
      if (page.stats.linesShown > 0 || page.droppedLines > 0) yield this.#pieceOf(page);
      if (!page.hasMore && !page.isActive) return;
      if (isLast && (!page.hasMore || !(await outcome).completed)) return;
      if (page.rewrittenFrom !== null) await pause(REWRITE_PAUSE_MS, undefined, { signal: isOver }).catch(() => {});
    }
  }

  /** The result of a wait that was asked for no output, with where the pieces ended. */
  resultOf({ output: _output, ...result }: CommandResult): FollowedResult {
    const { nextReadFrom, cursor, hasMore, stats } = this.#page ?? { ...result, stats: result };
    const isPassedOver = !hasMore && stats.totalBytes < result.totalBytes;
    return { ...result, nextReadFrom, cursor, hasMore, truncated: hasMore || isPassedOver || this.#droppedLines > 0 };
  }

  async #next(waitMs: number, isOver: AbortSignal): Promise<OutputPage> {
    const page = await this.#read({ ...this.#place, ...PIECE, format: this.#format, waitMs }, isOver);
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
