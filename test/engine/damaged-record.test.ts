/**
 * Tests that a terminal with a damaged record is not hidden: it is listed as lost, its history is readable, and the
 * damage is reported.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalTerminalManager } from '../../src/terminal/terminal-manager.js';
import { eventsUntil, run, startEngine, stopEngines } from './engine-under-test.js';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'tenacitty-record-'))));
afterEach(async () => {
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

async function ended(): Promise<string> {
  const manager = startEngine({ historyDir: directory });
  const { id } = await run(manager, 'seq', '1', '1000');
  await eventsUntil(await manager.subscribe(id), (event) => event.type === 'end');
  await manager.shutdown();
  return id;
}

async function recovered(): Promise<LocalTerminalManager> {
  const manager = startEngine({ historyDir: directory });
  await manager.recover();
  return manager;
}

const cutInHalf = (path: string): void => writeFileSync(path, readFileSync(path).subarray(0, 200));
const changed = (path: string): void => writeFileSync(path, readFileSync(path, 'utf8').replace('"exit":', '"exi7":'));
const emptied = (path: string): void => writeFileSync(path, '');

describe('a terminal on disk', () => {
  it.each([
    ['cut', cutInHalf],
    ['changed', changed],
    ['empty', emptied],
    ['gone', unlinkSync],
  ])('whose record is %s is listed as lost, with its history', async (_how, damage) => {
    const id = await ended();
    const before = Date.now();
    damage(join(directory, id, 'terminal.json'));
    const manager = await recovered();
    const [summary] = await manager.list();
    expect(summary).toMatchObject({ id, status: 'lost' });
    expect(Math.abs(Date.parse(summary!.created) - before)).toBeLessThan(60_000);
    const page = await manager.read(id, { maxLines: 5000 });
    expect(page.output.split('\n').slice(0, 900)).toEqual(Array.from({ length: 900 }, (_, i) => String(i + 1)));
    expect(page).toMatchObject({ isActive: false, exitCode: null, droppedLines: 0 });
    expect((await manager.screen(id)).lines.join('')).toBe('');
    expect((await manager.stats(id)).history).toMatchObject({ state: 'degraded', reason: expect.stringContaining(id) });
    expect((await manager.summary()).problems).toEqual([expect.stringContaining(id)]);
    await manager.remove(id);
    expect((await manager.summary()).problems).toEqual([]);
    await manager.shutdown();
    expect(await (await recovered()).list()).toEqual([]);
  });

  it('that is undamaged is not reported, and other files are left alone', async () => {
    const id = await ended();
    const stranger = join(directory, 'stranger');
    mkdirSync(stranger);
    writeFileSync(join(directory, 'file'), '');
    const manager = await recovered();
    expect(await manager.list()).toMatchObject([{ id, status: 'exited' }]);
    expect((await manager.summary()).problems).toEqual([]);
    expect((await manager.stats(id)).history).toMatchObject({ state: 'ok', reason: null });
  });
});
