/** Reads all output of a terminal, page after page. */
import type { TerminalManager } from '../../src/contract/manager.js';
import { MAX_PAGE_BYTES, MAX_PAGE_LINES } from '../../src/contract/output.js';
import type { OutputFormat, OutputPage } from '../../src/contract/output.js';

const LARGEST = { maxLines: MAX_PAGE_LINES, maxBytes: MAX_PAGE_BYTES };

export async function allPages(manager: TerminalManager, id: string, format: OutputFormat): Promise<OutputPage[]> {
  const pages = [await manager.read(id, { since: 0, format, ...LARGEST })];
  for (let last = pages[0]!; last.hasMore; pages.push(last)) {
    last = await manager.read(id, { cursor: last.cursor, format, ...LARGEST });
  }
  return pages;
}

/** All bytes that are held. */
export async function rawOutput(manager: TerminalManager, id: string): Promise<string> {
  return (await allPages(manager, id, 'raw')).map(({ output }) => output).join('');
}
