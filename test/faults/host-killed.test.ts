/**
 * Tests a host that is killed while its programs write, alone or together with all its clients: what was on disk up to
 * the last moment is readable as before, from a host that the read starts, even if the newest files are truncated.
 */
import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_PAGE_BYTES, MAX_PAGE_LINES } from '../../src/contract/output.js';
import { MAX_ROWS } from '../../src/contract/terminal.js';
import type { TerminalDetail } from '../../src/contract/terminal.js';
import type { RemoteTerminalManager } from '../../src/host/remote-manager.js';
import { historyDirectory } from '../../src/host/runtime-directory.js';
import { endHosts, hostPids, murder, newPlaces, openManager, untilGone } from '../host/host-under-test.js';
import type { Places } from '../host/host-under-test.js';
import { processesOf } from '../pty/remains.js';
import { killDoors, Server } from './doors.js';
import { SubscriptionReader, CursorReader, FLOOD, floodBytes } from './flood.js';
import { underLoad } from './load.js';
import { anyNumber, FAULT_TIMEOUT_MS, repeatedly } from './runs.js';
import { allPages, rawOutput } from '../engine/all-pages.js';
import { eventually } from '../eventually.js';

/** Varies the amount that is on disk. */
const MAX_LINES_BEFORE = 10_000;
const LARGEST_PAGE = { maxLines: MAX_PAGE_LINES, maxBytes: MAX_PAGE_BYTES };

let places: Places;
let manager: RemoteTerminalManager;
underLoad();
beforeEach(() => {
  places = newPlaces();
  manager = openManager(places);
});
afterEach(async () => {
  await killDoors();
  await endHosts();
});

async function killHost(): Promise<void> {
  const [pid] = hostPids(places);
  if (pid === undefined) throw new Error('no host runs');
  await murder(pid);
}

/** Reads on until this many lines were read. */
async function readTo(reader: CursorReader, id: string, lines: number): Promise<void> {
  while (reader.lines < lines) await reader.step((request) => manager.read(id, request));
}

/** Continues with a cursor from before the loss. */
async function readToEnd(reader: CursorReader, id: string): Promise<void> {
  const { lines } = reader;
  for (let isMore = true; isMore;) isMore = (await reader.step((request) => manager.read(id, request))).hasMore;
  const { totalLines } = await manager.get(id);
  // The last line it has read is complete, but a cursor cannot know that.
  expect([totalLines - 1, totalLines]).toContain(reader.lines);
  const page = await reader.step((request) => manager.read(id, request));
  expect(page).toMatchObject({ output: '', isActive: false });
  // Only lines that were not saved are taken back; lines that may have been on the screen when they were read are
  // returned again.
  expect(reader.mostRewritten).toBeLessThanOrEqual(Math.max(MAX_ROWS + 1, lines - totalLines + 1));
}

/** Returns everything left of a lost flood, by each way of reading. */
async function readAll(id: string): Promise<{ raw: string; text: string; lines: number; bytes: SubscriptionReader }> {
  const text = await allPages(manager, id, 'text');
  expect(text.filter(({ droppedLines, continuesLine }) => droppedLines > 0 || continuesLine)).toEqual([]);
  const bytes = new SubscriptionReader();
  for await (const event of await manager.subscribe(id, 0)) bytes.take(event);
  const output = text.map((page) => page.output).join('\n');
  return { raw: await rawOutput(manager, id), text: output, lines: text[0]!.totalLines, bytes };
}

/**
 * Checks that what is left of a lost flood is a prefix of its output, the same by each way of reading; returns its
 * length.
 */
async function expectPrefix(id: string): Promise<number> {
  const { raw, text, lines, bytes } = await readAll(id);
  // The last lines of the screen may be available as text although their bytes are truncated.
  const written = floodBytes(Math.max(lines, bytes.lines) + 1);
  expect(written.startsWith(raw)).toBe(true);
  expect(written.replaceAll('\r', '').startsWith(text)).toBe(true);
  expect({ offset: bytes.offset, isEnded: bytes.isEnded, exit: bytes.exit }).toEqual({
    ...{ offset: (await manager.get(id)).totalBytes, isEnded: true, exit: { exitCode: null, signal: null } },
  });
  return lines;
}

async function expectLost({ id, pid, shell, created, cwd }: TerminalDetail, killedAt: Date): Promise<void> {
  const listed = await manager.list();
  expect(listed).toMatchObject([{ id, pid, shell, created, status: 'lost' }]);
  const detail = await manager.get(id);
  expect(detail).toMatchObject({ status: 'lost', exitCode: null, signal: null, cwd });
  expect(new Date(detail.ended!).getTime()).toBeLessThanOrEqual(killedAt.getTime());
  expect(new Date(detail.ended!).getTime()).toBeGreaterThanOrEqual(new Date(created).getTime());
  await expect(manager.write(id, { input: 'x' })).rejects.toMatchObject({ code: 'TERMINAL_INACTIVE' });
}

interface Torn {
  readonly id: string;
  readonly totalLines: number;
  readonly totalBytes: number;
}

/** Checks that what is left is unchanged and in its place, and that missing parts are reported. */
async function expectRest(id: string): Promise<Torn> {
  expect(await manager.list()).toContainEqual(expect.objectContaining({ id, status: 'lost' }));
  const { history, totalLines, totalBytes } = await manager.stats(id);
  expect(await missingLines(id, totalLines)).toBe(history.droppedLines);
  await expectBytes(id, totalLines, totalBytes);
  return { id, totalLines, totalBytes };
}

/** Reads all available lines; returns how many are reported as missing. */
async function missingLines(id: string, totalLines: number): Promise<number> {
  let missing = 0;
  let next = 0;
  for (let isMore = true; isMore;) {
    const page = await manager.read(id, { since: next, ...LARGEST_PAGE });
    const texts = page.output === '' ? [] : page.output.split('\n');
    expect(page.fromLine).toBe(next + page.droppedLines);
    next = page.fromLine + texts.length;
    // The newest line may have been unfinished.
    if (next === totalLines) expect(String(totalLines).startsWith(texts.pop() ?? '')).toBe(true);
    expect(texts.find((text, i) => text !== String(page.fromLine + i + 1))).toBe(undefined);
    missing += page.droppedLines;
    isMore = page.hasMore;
  }
  expect([totalLines - 1, totalLines]).toContain(next);
  return missing;
}

/** Follows all available bytes, and gaps where there are none. */
async function expectBytes(id: string, totalLines: number, totalBytes: number): Promise<void> {
  const written = Buffer.from(floodBytes(totalLines + 1));
  let at = 0;
  for await (const event of await manager.subscribe(id, 0)) {
    if (event.type !== 'gap' && event.type !== 'output') continue;
    expect(event.offset).toBe(at);
    at = event.type === 'gap' ? event.resumeAt : at + event.bytes.length;
    if (event.type === 'output') expect(written.subarray(event.offset, at).equals(event.bytes)).toBe(true);
  }
  expect(at).toBe(totalBytes);
}

/** Checks that the next host returns the same again: a truncation is permanent. */
async function expectSame({ id, totalLines, totalBytes }: Torn): Promise<void> {
  expect(await manager.list()).toContainEqual(expect.objectContaining({ id, status: 'lost' }));
  expect(await manager.stats(id)).toMatchObject({ totalLines, totalBytes });
  await manager.remove(id);
}

/** Creates a terminal like it, and removes both. */
async function replace(id: string): Promise<void> {
  const next = await manager.create({ like: id });
  expect(next).toMatchObject({ status: 'active', args: FLOOD.args });
  await readTo(new CursorReader(), next.id, 10);
  await manager.remove(next.id);
  await manager.remove(id);
  expect(processesOf(next.id)).toEqual([]);
}

describe('after the host is killed', () => {
  it(
    'its terminals are lost, and their output up to that moment is readable',
    async () => {
      await repeatedly(async (run) => {
        const terminal = await manager.create({ ...FLOOD, cwd: places.root });
        const { id, pid } = terminal;
        const reader = new CursorReader();
        await readTo(reader, id, 1 + anyNumber(run, 0, MAX_LINES_BEFORE));
        const { savedLines } = (await manager.stats(id)).history;
        await killHost();
        await untilGone(pid);
        expect(processesOf(id)).toEqual([]);
        await expectLost(terminal, new Date());
        // Everything that was reported as saved is there.
        expect(await expectPrefix(id)).toBeGreaterThanOrEqual(savedLines);
        await readToEnd(reader, id);
        await replace(id);
      });
    },
    FAULT_TIMEOUT_MS,
  );

  it(
    'together with the server, a new server finds both terminals and everything that was saved',
    async () => {
      let server = await Server.start(places);
      await repeatedly(async (run) => {
        const terminal = await manager.create(FLOOD);
        const { id, pid } = terminal;
        const reader = new CursorReader();
        const lines = 1 + anyNumber(run, 1, MAX_LINES_BEFORE);
        while (reader.lines < lines) await reader.step((request) => server.read(id, request));
        const { savedLines } = (await manager.stats(id)).history;
        await Promise.all([killHost(), server.murder()]);
        await untilGone(pid);
        server = await Server.start(places);
        expect(await server.list()).toMatchObject([{ id, pid, status: 'lost' }]);
        const page = await reader.step((request) => server.read(id, request));
        expect(page.isActive).toBe(false);
        expect(page.totalLines).toBeGreaterThanOrEqual(savedLines);
        await expectPrefix(id);
        await manager.remove(id);
      });
    },
    FAULT_TIMEOUT_MS,
  );

  it(
    'with torn files, undamaged parts are readable, and missing parts are reported',
    async () => {
      let last: Torn | undefined;
      await repeatedly(async (run) => {
        const { id } = await manager.create(FLOOD);
        await readTo(new CursorReader(), id, MAX_LINES_BEFORE);
        await eventually(async () => (await manager.stats(id)).history.savedLines > 0);
        await killHost();
        tear(run, id);
        if (last !== undefined) await expectSame(last);
        last = await expectRest(id);
      });
      await killHost();
      await expectSame(last!);
    },
    FAULT_TIMEOUT_MS,
  );
});

/** Truncates the files of the newest segment, each at a random place. */
function tear(run: number, id: string): void {
  const directory = join(historyDirectory(places.dataDir, 0), id);
  const newest = (kind: string): string =>
    readdirSync(directory)
      .filter((name) => name.endsWith(kind))
      .sort()
      .at(-1)!;
  for (const [purpose, kind] of ['.out', '.idx'].entries()) {
    const path = join(directory, newest(kind));
    truncateSync(path, anyNumber(run, 10 + purpose, statSync(path).size + 1));
  }
}
