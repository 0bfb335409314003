/**
 * Tests what is reported about terminals, wherever they are held: lists, details, statistics, and terminals created
 * like others.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { terminalScreen, terminalSnapshot, terminalStats } from '../../src/contract/output.js';
import { terminalDetail, terminalSummary } from '../../src/contract/terminal.js';
import { BASH, MANAGERS, readUntilExit, readUntilText, run, stopEngines } from '../engine/engine-under-test.js';
import { error } from './error.js';

let directory: string;
beforeEach(() => void (directory = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-')))));
afterEach(async () => {
  await stopEngines();
  rmSync(directory, { recursive: true, force: true });
});

describe.each(MANAGERS)('a manager of terminals %s', (_where, startManager) => {
  it('lists terminals, including ended ones, oldest first, and returns each by its id', async () => {
    const manager = startManager();
    expect(await manager.list()).toEqual([]);
    const first = await run(manager, 'sh', '-c', 'exit 3');
    await readUntilExit(manager, first.id);
    const second = await run(manager, 'cat');
    const third = await run(manager, 'cat');
    const listed = await manager.list();
    expect(listed.map(({ id, status }) => [id, status])).toEqual([
      [first.id, 'exited'],
      [second.id, 'active'],
      [third.id, 'active'],
    ]);
    const ended = await manager.get(first.id);
    expect(ended).toMatchObject({ status: 'exited', exitCode: 3, pid: first.pid, created: first.created });
    expect(listed[0]).toEqual(terminalSummary.strip().parse(ended));
    await manager.remove(second.id);
    expect((await manager.list()).map(({ id }) => id)).toEqual([first.id, third.id]);
  });

  it('answers in the form of the contract', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'echo', 'words');
    await readUntilExit(manager, id);
    terminalDetail.parse(await manager.get(id));
    for (const one of await manager.list()) terminalSummary.parse(one);
    terminalStats.parse(await manager.stats(id));
    terminalScreen.parse(await manager.screen(id, 'ansi'));
    terminalSnapshot.parse(await manager.snapshot(id));
  });

  it('reports the current directory of the program', async () => {
    const manager = startManager();
    const startCwd = process.cwd();
    const { id, ...created } = await manager.create(BASH);
    expect(created).toMatchObject({ startCwd, cwd: startCwd });
    await manager.write(id, { input: `cd ${directory}; echo mo""ved` });
    await readUntilText(manager, id, /^moved$/m);
    const moved = { id, startCwd, cwd: directory };
    expect(await manager.get(id)).toMatchObject(moved);
    expect(await manager.list()).toContainEqual(expect.objectContaining(moved));
    await manager.kill(id);
    expect(await manager.get(id)).toMatchObject(moved);
    expect(await manager.list()).toContainEqual(expect.objectContaining(moved));
  });

  it('starts programs in the directory, and with the variables, of the caller', async () => {
    const manager = startManager();
    process.env['OF_WHO_ASKS'] = 'asked';
    const { id, cwd } = await run(manager, 'sh', '-c', 'pwd; echo "$OF_WHO_ASKS"').finally(
      () => delete process.env['OF_WHO_ASKS'],
    );
    expect(cwd).toBe(process.cwd());
    expect(await readUntilExit(manager, id)).toBe(`${process.cwd()}\nasked`);
  });

  it('creates a terminal like one that runs, and like one that has ended', async () => {
    const manager = startManager();
    const model = await manager.create({ ...BASH, cols: 100, rows: 30 });
    await manager.write(model.id, { input: `cd ${directory}; echo mo""ved` });
    await readUntilText(manager, model.id, /^moved$/m);
    const alike = { shell: '/bin/bash', args: BASH.args, cols: 100, rows: 30, cwd: directory, status: 'active' };
    expect(await manager.create({ like: model.id })).toMatchObject(alike);
    await manager.kill(model.id);
    expect(await manager.create({ like: model.id, rows: 10 })).toMatchObject({ ...alike, rows: 10 });
    const other = await manager.create({ like: model.id, command: 'pwd' });
    expect(other.cols).toBe(100);
    expect(await readUntilExit(manager, other.id)).toBe(directory);
  });

  it('counts terminals, input and output', async () => {
    // With limits, it has its own host, because statistics of a host count from its start.
    const manager = startManager({ maxTerminals: 10 });
    const before = await manager.summary();
    expect(before).toMatchObject({ activeTerminals: 0, exitedTerminals: 0, createdTotal: 0, problems: [] });
    const { id } = await run(manager, 'sh', '-c', 'stty -echo; echo go; read x; echo 12345');
    await readUntilText(manager, id, 'go');
    await run(manager, 'cat');
    await manager.write(id, { input: 'abc' });
    await readUntilExit(manager, id);
    const { historyBytes, diskBytes, ...counts } = await manager.summary();
    expect(historyBytes).toBeGreaterThan(0);
    expect(diskBytes).toBeGreaterThanOrEqual(0);
    expect(counts).toEqual({
      ...{ activeTerminals: 1, exitedTerminals: 1, lostTerminals: 0, createdTotal: 2 },
      ...{ outputBytesTotal: 11, inputBytesTotal: 4, waitingReads: 0, problems: [], isIncomplete: false },
    });
  });

  it('holds and creates nothing after it is closed', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    await manager.close();
    await manager.close();
    await manager.shutdown(0);
    expect(await manager.list()).toEqual([]);
    expect(await manager.summary()).toMatchObject({ activeTerminals: 0, exitedTerminals: 0 });
    await expect(manager.get(id)).rejects.toEqual(error('TERMINAL_NOT_FOUND'));
    await expect(manager.subscribe(id)).rejects.toEqual(error('TERMINAL_NOT_FOUND'));
    await expect(manager.create()).rejects.toEqual(error('SHUTTING_DOWN'));
  });

  it('ends waiting calls when it is closed', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    const events = (await manager.subscribe(id))[Symbol.asyncIterator]();
    const next = events.next();
    await manager.shutdown(0);
    const told: unknown[] = [(await next).value];
    for (let event = await events.next(); event.done !== true; event = await events.next()) told.push(event.value);
    expect(told).toEqual([
      { type: 'exit', exitCode: null, signal: 'SIGKILL' },
      { type: 'end', offset: 0 },
    ]);
  });
});
