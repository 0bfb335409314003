/** `tenacitty logs`: the history of a terminal, from where one wants, and what follows. */
import type { OutputPage, ReadOutput } from '../../contract/output.js';
import type { TerminalManager } from '../../contract/manager.js';
import type { Call } from '../command.js';
import { parseDuration } from '../duration.js';
import { FollowedLines } from '../logs/followed-lines.js';
import { firstLineSince } from '../logs/line-at-time.js';
import { printBytes } from '../logs/raw-output.js';
import { printJson, say } from '../stdout.js';
import type { LOGS_FLAGS } from '../table/read.js';
import { findTerminal } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

type Flags = Call<typeof LOGS_FLAGS>['flags'];

/** As much as one answer may hold, see MAX_PAGE_LINES and MAX_PAGE_BYTES in the contract. */
const LARGEST_PAGE = { maxLines: 10_000_000, maxBytes: 64 << 20 } as const;
/** Lines asked for at a time: finding its place costs a read more than its lines do. */
const PAGE_LINES = 20_000;
/** The longest wait of one read, as MAX_WAIT_MS in the contract says. */
const MAX_READ_WAIT_MS = 120_000;

export function logs({ operands: [given], flags, settings }: Call<typeof LOGS_FLAGS>): Promise<void> {
  return withEngine(settings, async (manager) => {
    const { id } = await findTerminal(manager, given!);
    const isWhole = flags.since === undefined && flags.tail === undefined && !flags.json;
    if (flags.format === 'raw' && isWhole) return printBytes(manager, id, flags.follow);
    const request = await beginning(manager, id, flags);
    if (flags.json && !flags.follow) return printJson(await manager.read(id, { ...request, ...LARGEST_PAGE }));
    await printLines(manager, id, request, flags);
  });
}

/** Where the first read begins, and how it shows what it reads. */
async function beginning(manager: TerminalManager, id: string, flags: Flags): Promise<ReadOutput> {
  const { since, tail, format, json, follow } = flags;
  const where = since === undefined ? {} : await placeOf(manager, id, since);
  const part = tail === undefined ? {} : ({ mode: 'tail', tailLines: tail } as const);
  return { ...where, ...part, ...(format && { format }), ...(json && follow && { entries: true }) };
}

async function placeOf(manager: TerminalManager, id: string, since: string): Promise<ReadOutput> {
  if (/^\d+$/.test(since)) return { since: Number(since) };
  const ago = parseDuration(since);
  return ago === undefined ? { cursor: since } : { since: await firstLineSince(manager, id, Date.now() - ago) };
}

/** Page after page, to the end of what there is or, following, of the program. */
async function printLines(manager: TerminalManager, id: string, first: ReadOutput, flags: Flags): Promise<void> {
  const lines = new FollowedLines(manager, id, flags);
  const { since: _since, cursor: _cursor, mode: _mode, tailLines: _tailLines, ...form } = first;
  let page: OutputPage = await manager.read(id, { ...first, maxLines: PAGE_LINES });
  tellDropped(page);
  for (;;) {
    await lines.show(page);
    if (!page.hasMore && !(flags.follow && page.isActive)) break;
    const waitMs = page.hasMore ? 0 : MAX_READ_WAIT_MS;
    page = await manager.read(id, { ...form, cursor: page.cursor, waitMs, maxLines: PAGE_LINES });
    if (page.droppedLines > 0) tellDropped(page);
  }
  await lines.end();
}

function tellDropped({ droppedLines, droppedFrom }: OutputPage): void {
  if (droppedLines > 0) say(`${droppedLines} lines, from line ${droppedFrom} on, are no longer held`);
}
