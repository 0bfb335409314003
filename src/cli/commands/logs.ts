/** `tenacitty logs`: prints a terminal's history from a chosen position, and optionally follows new output. */
import { MAX_PAGE_BYTES, MAX_PAGE_LINES } from '../../contract/output.js';
import type { OutputPage, ReadOutput } from '../../contract/output.js';
import type { TerminalManager } from '../../contract/manager.js';
import { TerminalError } from '../../errors.js';
import type { ParsedCall } from '../command.js';
import { parseDuration } from '../../duration.js';
import { showEach } from '../each-terminal.js';
import { FAILED, OK } from '../exit-code.js';
import { FollowedLines } from '../logs/followed-lines.js';
import { firstLineSince } from '../logs/line-at-time.js';
import { usageError } from '../parse.js';
import { oneSelected } from '../selection.js';
import { print, printMessage } from '../stdout.js';
import type { LOGS_FLAGS } from '../flags/read.js';
import { shortId } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

type Flags = ParsedCall<typeof LOGS_FLAGS>['flags'];

const LARGEST_PAGE = { maxLines: MAX_PAGE_LINES, maxBytes: MAX_PAGE_BYTES } as const;
/** Lines per request. A large number, because finding the position costs more than reading the lines. */
const PAGE_LINES = 20_000;
/** Maximum time that one read can wait; see MAX_WAIT_MS in the contract. */
const MAX_READ_WAIT_MS = 120_000;

export function logs(call: ParsedCall<typeof LOGS_FLAGS>): Promise<number> {
  const { flags, settings } = call;
  return withEngine(settings, async (manager) => {
    if (flags.follow) return follow(manager, (await oneSelected(manager, call)).id, flags);
    await showEach(manager, call, {
      asJson: async (id) => manager.read(id, { ...(await beginning(manager, id, flags)), ...LARGEST_PAGE }),
      asText: (id) => show(manager, id, flags),
    });
    return OK;
  });
}

async function follow(manager: TerminalManager, id: string, flags: Flags): Promise<number> {
  await show(manager, id, flags);
  return reportIfLost(manager, id);
}

async function show(manager: TerminalManager, id: string, flags: Flags): Promise<void> {
  const isWhole = flags.since === undefined && flags.tail === undefined && !flags.json;
  if (flags.format === 'raw' && isWhole) return printBytes(manager, id, flags.follow);
  await printLines(manager, id, await beginning(manager, id, flags), flags);
}

/** Reports a lost terminal as a failure, because its output ended although its program may not have finished. */
async function reportIfLost(manager: TerminalManager, id: string): Promise<number> {
  const { status } = await manager.get(id);
  if (status !== 'lost') return OK;
  printMessage(`terminal ${shortId(id)} is lost: its host process is gone, so it is not known how its program ended`);
  return FAILED;
}

/** Returns the first request: the position and the format. */
async function beginning(manager: TerminalManager, id: string, flags: Flags): Promise<ReadOutput> {
  const { since, tail, format, json, follow } = flags;
  const where = since === undefined ? {} : await placeOf(manager, id, since);
  const part = tail === undefined ? {} : ({ mode: 'tail', tailLines: tail } as const);
  return { ...where, ...part, ...(format && { format }), ...(json && follow && { entries: true }) };
}

async function placeOf(manager: TerminalManager, id: string, since: string): Promise<ReadOutput> {
  if (/^\d+$/.test(since)) return { since: Number(since) };
  const ago = parseDuration(since);
  if (ago !== undefined) return { since: await firstLineSince(manager, id, Date.now() - ago) };
  await checkCursor(manager, id, since);
  return { cursor: since };
}

/** Rejects an invalid cursor, with a message that describes all accepted values. */
async function checkCursor(manager: TerminalManager, id: string, cursor: string): Promise<void> {
  try {
    await manager.read(id, { cursor, maxLines: 1 });
  } catch (cause) {
    if (!(cause instanceof TerminalError && cause.code === 'INVALID_INPUT')) throw cause;
    throw usageError(
      { name: 'logs' },
      '--since: expected a line number (120), a duration before now (5m) or a cursor from an earlier response ' +
        `for this terminal, given ${JSON.stringify(cursor)}.`,
    );
  }
}

/** Prints byte for byte, from the oldest byte that is held: as far as `printLines` does. */
async function printBytes(manager: TerminalManager, id: string, isFollowing: boolean): Promise<void> {
  const { totalBytes } = await manager.get(id);
  const subscription = await manager.subscribe(id, 0);
  if (totalBytes === 0 && !isFollowing) return subscription.close();
  for await (const event of subscription) {
    if (event.type === 'gap') printMessage(`${event.resumeAt - event.offset} bytes are no longer held`);
    if (event.type === 'output') {
      const wanted = isFollowing ? event.bytes : event.bytes.subarray(0, totalBytes - event.offset);
      await print(wanted);
      if (!isFollowing && event.offset + event.bytes.length >= totalBytes) break;
    }
    if (event.type === 'exit') break;
  }
}

/** Prints page by page: up to the end of the current output or, when following, until the program ends. */
async function printLines(manager: TerminalManager, id: string, first: ReadOutput, flags: Flags): Promise<void> {
  const lines = new FollowedLines(manager, id, flags);
  const { since: _since, cursor: _cursor, mode: _mode, tailLines: _tailLines, ...form } = first;
  let page: OutputPage = await manager.read(id, { ...first, maxLines: PAGE_LINES });
  reportDropped(page);
  for (;;) {
    await lines.show(page);
    if (!page.hasMore && !(flags.follow && page.isActive)) break;
    const timeoutMs = page.hasMore ? 0 : MAX_READ_WAIT_MS;
    page = await manager.read(id, { ...form, cursor: page.cursor, timeoutMs, maxLines: PAGE_LINES });
    if (page.droppedLines > 0) reportDropped(page);
  }
  await lines.end();
}

function reportDropped({ droppedLines, droppedFrom }: OutputPage): void {
  if (droppedLines > 0) printMessage(`${droppedLines} lines, starting with line ${droppedFrom}, are no longer held`);
}
