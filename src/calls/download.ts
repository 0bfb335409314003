/**
 * Returns a terminal's output as one file: all output that is retained when the download begins, read page by page as
 * fast as the consumer accepts it.
 */
import type { TerminalManager } from '../contract/manager.js';
import type { OutputFormat, OutputPage } from '../contract/output.js';
import { TerminalError } from '../errors.js';

const PAGE_LINES = 20_000;
const DROPPED = 'Output was dropped while it was being downloaded, so the file would have a gap.';

/** Yields the output. @throws `TERMINAL_NOT_FOUND` before the first piece if there is no such terminal. */
export function downloaded(
  manager: TerminalManager,
  id: string,
  format: OutputFormat,
): AsyncGenerator<string | Uint8Array> {
  return format === 'raw' ? bytesOf(manager, id) : linesOf(manager, id, format);
}

/** Yields the bytes between two offsets. @throws `READ_FAILED` if some of them, after the first, are no longer held. */
export async function* bytesBetween(
  manager: TerminalManager,
  id: string,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  if (to <= from) return;
  const subscription = await manager.subscribe(id, from);
  let hasBegun = false;
  try {
    for await (const event of subscription) {
      // If the missing bytes were skipped, the rest would look like the program's output.
      if (event.type === 'gap' && hasBegun) throw new TerminalError('READ_FAILED', DROPPED);
      hasBegun ||= event.type === 'output';
      if (event.type === 'output') yield event.bytes.subarray(0, Math.max(0, to - event.offset));
      if (event.type === 'exit') return;
      if (event.type === 'output' && event.offset + event.bytes.length >= to) return;
      if (event.type === 'gap' && event.resumeAt >= to) return;
    }
  } finally {
    subscription.close();
  }
}

async function* linesOf(manager: TerminalManager, id: string, format: OutputFormat): AsyncGenerator<string> {
  let page: OutputPage = await manager.read(id, { format, maxLines: PAGE_LINES });
  const end = page.totalLines;
  if (page.stats.linesShown > 0) yield page.output;
  while (page.hasMore && page.nextReadFrom < end) {
    page = await manager.read(id, { format, cursor: page.cursor, maxLines: PAGE_LINES });
    const joint = page.continuesLine && page.rewrittenFrom === null ? '' : '\n';
    if (page.droppedLines > 0) yield `\n... [${page.droppedLines} lines omitted] ...`;
    if (page.stats.linesShown > 0) yield joint + page.output;
  }
  if (end > 0) yield '\n';
}

async function* bytesOf(manager: TerminalManager, id: string): AsyncGenerator<Uint8Array> {
  yield* bytesBetween(manager, id, 0, (await manager.get(id)).totalBytes);
}
