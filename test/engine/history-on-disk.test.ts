/** Tests history beyond memory: stored on disk, returned by the same reads, and found again by the next process. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalTerminalManager } from '../../src/terminal/terminal-manager.js';
import {
  BASH,
  eventsUntil,
  readUntil,
  readUntilExit,
  readUntilText,
  run,
  startEngine,
  stopEngines,
} from './engine-under-test.js';
import { where } from '../where.js';
import { eventually } from '../eventually.js';
import { runs } from '../deep.js';

const LINES = runs({ normal: 100_000, deep: 1_000_000 });

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'tenacitty-history-'))));
afterEach(async () => {
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

/** Returns all lines starting at `since`, page by page. */
async function allLines(manager: LocalTerminalManager, id: string, since = 0): Promise<string[]> {
  const lines: string[] = [];
  for (let page = await manager.read(id, { since, maxLines: 50_000 }); ;) {
    expect(page.droppedLines).toBe(0);
    if (page.output !== '') lines.push(...page.output.split('\n'));
    if (!page.hasMore) return lines;
    page = await manager.read(id, { cursor: page.cursor, maxLines: 50_000 });
  }
}

/** Waits for the end without a time limit. */
async function untilOver(manager: LocalTerminalManager, id: string): Promise<void> {
  await eventsUntil(await manager.subscribe(id), (event) => event.type === 'end');
}

/** Saving also drops lines that memory no longer needs to hold, and excess data on disk. */
async function untilSaved(manager: LocalTerminalManager, id: string, lines: number): Promise<void> {
  await eventually(async () => (await manager.stats(id)).history.savedLines >= lines);
}

async function reopened(manager: LocalTerminalManager): Promise<LocalTerminalManager> {
  await manager.shutdown();
  const next = startEngine({ historyDir: directory });
  await next.recover();
  return next;
}

describe('history on disk', () => {
  it(`returns all lines of seq 1 ${LINES}, long after memory has dropped them, and in the next process`, async () => {
    const manager = startEngine({ historyDir: directory });
    const { id } = await run(manager, 'seq', '1', String(LINES));
    await untilOver(manager, id);
    await untilSaved(manager, id, LINES);
    const expected = Array.from({ length: LINES }, (_, i) => String(i + 1)).join('\n');
    expect((await allLines(manager, id)).join('\n') === expected).toBe(true);
    const { history } = await manager.stats(id);
    expect(history).toMatchObject({ place: 'disk', state: 'ok', droppedLines: 0 });
    expect(history.memoryBytes).toBeLessThan(8 << 20);
    const next = await reopened(manager);
    expect(await next.list()).toMatchObject([{ id, status: 'exited' }]);
    expect((await allLines(next, id)).join('\n') === expected).toBe(true);
  }, 180_000);

  it('looks the same to a reader before and after another process took over', async () => {
    const manager = startEngine({ historyDir: directory });
    const { id } = await manager.create(BASH);
    await readUntilText(manager, id, '$ ');
    await manager.write(id, { input: 'for i in 1 2 3; do echo line-$i; done; printf "\\033[31mred\\033[m"; exit 7' });
    const before = await manager.read(id, { maxLines: 2 });
    await untilOver(manager, id);
    const atEnd = await manager.read(id, { format: 'ansi' });
    const raw = await manager.read(id, { format: 'raw' });
    const screen = await manager.screen(id);
    const detail = await manager.get(id);
    const next = await reopened(manager);
    expect(await next.read(id, { format: 'ansi' })).toEqual(atEnd);
    expect((await next.read(id, { format: 'raw' })).output).toBe(raw.output);
    expect(await next.screen(id)).toEqual(screen);
    const forgotten = { recentInputs: [], lastTypedBy: null, lastActivity: expect.any(String) };
    expect(await next.get(id)).toEqual({ ...detail, ...forgotten });
    const rest = await next.read(id, { cursor: before.cursor });
    expect(rest.output).toContain('line-3\nred');
    expect((await next.read(id, { cursor: rest.cursor })).output).toBe('');
    await expect(next.write(id, { input: 'ls' })).rejects.toMatchObject({ code: 'TERMINAL_INACTIVE' });
  });

  it('is not readable by other users', async () => {
    const manager = startEngine({ historyDir: directory });
    const { id } = await run(manager, 'echo', 'secret');
    await readUntilExit(manager, id);
    await reopened(manager);
    const modes = readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      return `${entry.isDirectory() ? 'directory' : 'file'} ${(mode & 0o777).toString(8)}`;
    });
    expect([...new Set(modes)].sort()).toEqual(['directory 700', 'file 600']);
  });

  it('can be switched off for a terminal, and is deleted when the terminal is removed or cleared', async () => {
    const manager = startEngine({ historyDir: directory });
    const off = await manager.create({ command: 'echo', args: ['off'], history: 'memory' });
    expect(off.history).toBe('memory');
    const on = await run(manager, 'echo', 'on');
    expect(on.history).toBe('disk');
    await readUntilExit(manager, on.id);
    expect(readdirSync(directory)).toEqual([on.id]);
    await manager.clear(on.id);
    expect((await manager.read(on.id, { format: 'raw' })).output).toBe('');
    await manager.remove(on.id);
    await readUntil(manager, off.id, () => !existsSync(join(directory, on.id)));
    const next = await reopened(manager);
    expect(await next.list()).toEqual([]);
  });

  it('keeps to its limits, drops the oldest part, and reports it', async () => {
    const maxDiskBytes = 1 << 20;
    const lines = 300_000;
    const manager = startEngine({ historyDir: directory, maxDiskBytes });
    const { id } = await run(manager, 'seq', '1', String(lines));
    await untilOver(manager, id);
    await untilSaved(manager, id, lines);
    const { history, oldestLine } = await manager.stats(id);
    expect(history.diskBytes).toBeLessThanOrEqual(maxDiskBytes * 1.25);
    expect(oldestLine).toBeGreaterThan(100_000);
    expect(history.droppedLines).toBe(oldestLine);
    const page = await manager.read(id, { since: 0, maxLines: 10 });
    expect(page).toMatchObject({ droppedLines: oldestLine, droppedFrom: 0, fromLine: oldestLine });
    expect(page.output.split('\n')[0]).toBe(String(oldestLine + 1));
    expect(await allLines(manager, id, oldestLine)).toHaveLength(lines - oldestLine);
  });

  it('that was damaged is not taken for missing', async () => {
    const manager = startEngine({ historyDir: directory });
    const { id } = await run(manager, 'seq', '1', '1000');
    await untilOver(manager, id);
    await manager.shutdown();
    const files = join(directory, id);
    for (const name of readdirSync(files)) if (name.endsWith('.idx')) truncateSync(join(files, name), 10);
    const next = startEngine({ historyDir: directory });
    await next.recover();
    expect(await next.read(id)).toMatchObject({ output: '', totalLines: 1000, droppedLines: 1000 });
  });

  it('outlives TENACITTY_SESSION_TIMEOUT, which ends the program', async () => {
    const manager = startEngine({ historyDir: directory, sessionTimeoutMs: 200 });
    const { id, pid } = await manager.create({ shell: '/bin/bash', env: { HOME: directory } });
    await manager.exec(id, { command: 'echo wai""ting' });
    await eventually(async () => (await manager.get(id)).status === 'exited');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect((await manager.read(id)).output).toContain('waiting');
    const next = await reopened(manager);
    expect((await next.get(id)).endedBy).toMatchObject({
      reason: 'session_timeout',
      setting: 'TENACITTY_SESSION_TIMEOUT',
    });
  });

  it('keeps the last command of a terminal for lists', async () => {
    const manager = startEngine({ historyDir: directory });
    const { id } = await manager.create({ shell: '/bin/bash' });
    await manager.exec(id, { command: '(exit 3)' });
    const next = await reopened(manager);
    const lastCommand = { commandId: 1, text: '(exit 3)', state: 'completed', exitCode: 3 };
    expect(await next.list()).toMatchObject([{ id, status: 'exited', lastCommand }]);
  });

  it('opens a terminal like one that is gone', async () => {
    const manager = startEngine({ historyDir: directory });
    const first = await manager.create({ ...BASH, cols: 100, rows: 30 });
    await manager.write(first.id, { input: `cd ${directory}; echo mo""ved` });
    await readUntilText(manager, first.id, 'moved\n');
    const next = await reopened(manager);
    expect(await next.list()).toMatchObject([{ id: first.id, cwd: directory, startCwd: first.startCwd }]);
    const second = await next.create({ like: first.id });
    expect(second).toMatchObject({ shell: '/bin/bash', args: BASH.args, cols: 100, rows: 30, cwd: directory });
  });
});

/** Whether a file system can be mounted for a test, which requires root. */
function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'tenacitty-mount-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place], { encoding: 'utf8' });
  if (mounted.status === 0) execFileSync('umount', [place]);
  rmSync(place, { recursive: true });
  return mounted.status === 0;
}

where(canMount(), 'to mount a small file system').describe('a full disk', () => {
  const small = (): string => join(directory, 'small');
  beforeEach(() => {
    execFileSync('mkdir', [small()]);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', small()]);
  });
  afterEach(async () => {
    await stopEngines();
    execFileSync('umount', [small()]);
  });

  it('does not block programs, is reported, and is used again when there is space', async () => {
    const manager = startEngine({ historyDir: small() });
    const filler = join(small(), 'filler');
    const { id } = await manager.create(BASH);
    await readUntilText(manager, id, '$ ');
    writeFileSync(filler, Buffer.alloc(900 << 10));
    await manager.write(id, { input: 'seq 1 200000; echo do""ne' });
    await readUntilText(manager, id, /^done\n\$ $/m);
    await eventually(async () => (await manager.stats(id)).history.state === 'degraded');
    const { history } = await manager.stats(id);
    expect(history).toMatchObject({ state: 'degraded', reason: expect.stringMatching(/ENOSPC|no space/) });
    expect((await manager.read(id, { mode: 'tail', tailLines: 3 })).output).toBe('200000\ndone\n$ ');
    rmSync(filler);
    while ((await manager.stats(id)).history.state === 'degraded') {
      await manager.write(id, { input: 'echo again' });
      await manager.read(id, { cursor: (await manager.read(id)).cursor, timeoutMs: 500 });
    }
    // What was saved remains; output before and after that was not saved is reported as dropped.
    const pages = [await manager.read(id, { since: 0, maxLines: 50_000 })];
    while (pages.at(-1)!.hasMore) {
      pages.push(await manager.read(id, { since: pages.at(-1)!.nextReadFrom, maxLines: 50_000 }));
    }
    const missing = pages.reduce((sum, { droppedLines }) => sum + droppedLines, 0);
    expect((await manager.stats(id)).history.droppedLines).toBe(missing);
    const page = pages.findLast(({ droppedLines }) => droppedLines > 0)!;
    const first = Number(page.output.split('\n')[0]);
    expect(first).toBeGreaterThan(150_000);
    const next = await (async () => {
      await manager.shutdown();
      const again = startEngine({ historyDir: small() });
      await again.recover();
      return again;
    })();
    const lines = await next.read(id, { since: page.fromLine, maxLines: 50_000 });
    expect(lines.output.split('\n').slice(0, 3)).toEqual([first, first + 1, first + 2].map(String));
  });
});
