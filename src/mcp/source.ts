/**
 * Reads parts of a terminal (the output of one command, or everything that the terminal has shown) and selects how much
 * of them a model is shown. Uses the manager interface and does not depend on the actions.
 */
import type { CommandRecord, CommandResult } from '../contract/command.js';
import type { TerminalManager } from '../contract/manager.js';
import { MAX_PAGE_BYTES } from '../contract/output.js';
import type { OutputPage, ReadOutput } from '../contract/output.js';
import { fitToBudget } from './output-budget.js';
import type { FittedOutput, Excerpt, LineBlock, KeptPart } from './output-budget.js';
import { MAX_OUTPUT_CHARS } from './answer.js';
import { DEFAULT_MAX_TOKENS, MAX_TAIL } from './arguments.js';
import type { Arguments } from './arguments.js';
import { nameOf } from './workspace.js';
import type { TargetTerminal, Workspace } from './workspace.js';

/** Stands for the whole terminal in place of a command id. */
export const WHOLE_TERMINAL = 0;
/** Maximum number of bytes that one token may represent, as in long runs of spaces or dashes. */
const BYTES_PER_TOKEN = 32;
const MIN_PAGE_BYTES = 64 << 10;

/** A readable part of a terminal. */
export interface ReadSource {
  /**
   * The command whose output to read, which has its own line numbers, or `WHOLE_TERMINAL` for the terminal's output.
   */
  readonly commandId: number;
  /** The first line to read. */
  readonly fromLine: number;
  read(request: ReadOutput): Promise<Page>;
}

type Page = Pick<
  OutputPage,
  'output' | 'fromLine' | 'totalLines' | 'truncated' | 'cursor' | 'nextReadFrom' | 'droppedLines' | 'droppedFrom'
> & { readonly stats: Pick<OutputPage['stats'], 'linesShown' | 'linesOmitted'> };

export function commandSource(manager: TerminalManager, id: string, commandId: number): ReadSource {
  return { commandId, fromLine: 0, read: (request) => manager.readCommand(id, commandId, request) };
}

/**
 * Returns the source for a command's output. If the result already contains all of it, reading sends no further
 * request.
 */
export function resultSource(manager: TerminalManager, result: CommandResult): ReadSource {
  const { terminalId, commandId, truncated, output, totalLines, cursor, nextReadFrom } = result;
  const source = commandSource(manager, terminalId, commandId);
  if (truncated) return source;
  const stats = { linesShown: totalLines, linesOmitted: 0 };
  const page = {
    output,
    fromLine: 0,
    totalLines,
    truncated,
    cursor,
    nextReadFrom,
    droppedLines: 0,
    droppedFrom: null,
    stats,
  };
  return { ...source, read: () => Promise.resolve(page) };
}

export function terminalSource(manager: TerminalManager, id: string, fromLine = 0): ReadSource {
  return { commandId: WHOLE_TERMINAL, fromLine, read: (request) => manager.read(id, request) };
}

/** Returns the newest command of a terminal, or undefined if its program is not a shell or no command has run yet. */
export async function lastCommand(manager: TerminalManager, id: string): Promise<CommandRecord | undefined> {
  return (await manager.commands(id, { limit: 1 }))[0];
}

/** Returns the buffer, which contains everything printed since the last EXEC that cleared it. */
export async function bufferOf(workspace: Workspace, { id }: TargetTerminal): Promise<ReadSource> {
  const { manager } = workspace;
  const last = await lastCommand(manager, id);
  if (last === undefined) return terminalSource(manager, id);
  const { bufferFrom = last.commandId } = workspace.memory(id);
  if (bufferFrom >= last.commandId) return commandSource(manager, id, last.commandId);
  const first = await manager.command(id, bufferFrom).catch(() => last);
  return terminalSource(manager, id, first.fromLine);
}

/** What to show of a source. */
interface ReadOptions extends Pick<Arguments, 'tail' | 'max_tokens'> {
  /** The first line to show. Default: the first line of the source. */
  readonly fromLine?: number | undefined;
  /** Reads only output after this cursor. Cannot be combined with `fromLine`. */
  readonly cursor?: string | undefined;
}

export interface ShownExcerpt extends FittedOutput {
  readonly commandId: number;
  readonly totalLines: number;
  /** Number of the first requested line. */
  readonly fromLine: number;
  readonly cursor: string;
  /** Number of the line after the last existing one, for continuing without the cursor. */
  readonly resumeAt: number;
  /** Number of lines that are no longer held. */
  readonly droppedLines: number;
}

/** Returns the request for as much of the end of an output as can be shown. */
export function lastPart({ tail = MAX_TAIL, max_tokens = DEFAULT_MAX_TOKENS }: Pick<Arguments, 'tail' | 'max_tokens'>) {
  const maxBytes = Math.min(MAX_PAGE_BYTES, Math.max(MIN_PAGE_BYTES, max_tokens * BYTES_PER_TOKEN));
  return { mode: 'tail', tailLines: tail, maxLines: tail, maxBytes } as const;
}

/** Returns as much of a source as a model is shown, with instructions for reading the rest. */
export async function readExcerpt(
  source: ReadSource,
  target: TargetTerminal,
  wanted: ReadOptions,
): Promise<ShownExcerpt> {
  const { tail = MAX_TAIL, max_tokens: maxTokens = DEFAULT_MAX_TOKENS } = wanted;
  // A `tail` that equals the default has the same effect as none.
  const shape: KeptPart = wanted.fromLine !== undefined ? 'start' : tail < MAX_TAIL ? 'end' : 'both';
  const { excerpt, page } = await read(source, wanted, shape);
  const affordable = fitToBudget(excerpt, { maxTokens, maxChars: MAX_OUTPUT_CHARS, shape }, (line) =>
    howToRead(source, target, line),
  );
  const { totalLines, cursor, nextReadFrom: resumeAt, droppedLines } = page;
  const { commandId } = source;
  return { ...affordable, commandId, totalLines, fromLine: excerpt.from, cursor, resumeAt, droppedLines };
}

async function read(
  source: ReadSource,
  wanted: ReadOptions,
  shape: KeptPart,
): Promise<{ excerpt: Excerpt; page: Page }> {
  const { fromLine = source.fromLine, cursor } = wanted;
  const place = cursor === undefined ? { since: fromLine } : { cursor };
  const { maxLines: lines, maxBytes, ...part } = lastPart(wanted);
  const start = { ...place, maxLines: lines, maxBytes } as const;
  if (shape === 'start') {
    const page = await source.read(start);
    return { excerpt: excerptOf(page, [pieceOf(page)]), page };
  }
  const page = await source.read({ ...start, ...part });
  if (shape === 'end' || !page.truncated) return { excerpt: excerptOf(page, [pieceOf(page)]), page };
  const first = await source.read(start);
  const [head, tail] = [pieceOf(first), pieceOf(page)];
  // Both parts together contain at most one page, and no line twice.
  const headLines = head.lines.slice(0, Math.max(0, Math.min(Math.ceil(lines / 3), tail.from - head.from)));
  const tailLines = tail.lines.slice(Math.max(0, tail.lines.length - (lines - headLines.length)));
  const end = { from: tail.from + tail.lines.length - tailLines.length, lines: tailLines };
  return { excerpt: excerptOf(page, [{ ...head, lines: headLines }, end]), page };
}

function pieceOf({ output, fromLine, stats }: Page): LineBlock {
  return { from: fromLine, lines: stats.linesShown === 0 ? [] : output.split('\n') };
}

/** Excludes lines that are no longer held, because they cannot be read. */
function excerptOf(page: Page, pieces: readonly LineBlock[]): Excerpt {
  const { totalLines, stats, droppedFrom, droppedLines } = page;
  const requested = totalLines - stats.linesShown - stats.linesOmitted;
  return { pieces, from: droppedFrom === requested ? requested + droppedLines : requested, to: totalLines };
}

function howToRead({ commandId }: ReadSource, target: TargetTerminal, fromLine: number): string {
  return JSON.stringify({ action: 'READ', ...nameOf(target), command_id: commandId, from_line: fromLine });
}
