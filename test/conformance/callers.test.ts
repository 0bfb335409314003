/** Tests that terminals, commands and inputs are recorded with their callers, wherever the terminals are held. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { callerOf } from '../../src/contract/caller.js';
import { MANAGERS, readUntilText, run, startEngine, startInHost, stopEngines } from '../engine/engine-under-test.js';
import { eventually } from '../eventually.js';
import { error } from './error.js';

afterEach(stopEngines);

const SHELL = { shell: '/bin/bash', env: { PS1: '$ ' } };
const ADA = { name: 'Ada', door: 'rest' } as const;
const GRACE = { name: 'Grace', door: 'live' } as const;
const LIBRARY = { name: userInfo().username, door: 'library' };

describe.each(MANAGERS)('a terminal %s', (_where, startManager) => {
  it('is recorded with its creator', async () => {
    const manager = startManager();
    const { id, createdBy } = await manager.create({ command: 'cat' }, { by: ADA });
    expect(createdBy).toEqual(ADA);
    expect((await manager.get(id)).createdBy).toEqual(ADA);
    expect(await manager.list()).toMatchObject([{ id, createdBy: ADA }]);
    expect((await run(manager, 'cat')).createdBy).toEqual(LIBRARY);
    expect((await manager.create({ like: id }, { by: GRACE })).createdBy).toEqual(GRACE);
  });

  it('reports who typed last', async () => {
    const manager = startManager();
    const { id, lastTypedBy } = await run(manager, 'cat');
    expect(lastTypedBy).toBeNull();
    await manager.write(id, { input: 'one' }, { by: ADA, order: { writer: 'w', seq: 1 } });
    await manager.write(id, { input: 'two' }, { by: GRACE });
    // A repetition is not typed.
    await manager.write(id, { input: 'one' }, { by: ADA, order: { writer: 'w', seq: 1 } });
    expect((await manager.get(id)).lastTypedBy).toEqual(GRACE);
    await manager.write(id, { input: 'three' });
    expect((await manager.get(id)).lastTypedBy).toEqual(LIBRARY);
  });

  it('records each command with its caller, and a typed one with the caller that typed it', async () => {
    const manager = startManager();
    const { id } = await manager.create(SHELL, { by: ADA });
    await manager.exec(id, { command: 'true' }, { by: GRACE });
    await manager.exec(id, { command: 'true' });
    await manager.write(id, { input: 'echo ty""ped' }, { by: ADA });
    await readUntilText(manager, id, /^typed$/m);
    await eventually(async () => (await manager.commands(id)).length === 3);
    expect((await manager.commands(id)).map(({ by }) => by)).toEqual([GRACE, LIBRARY, ADA]);
    expect((await manager.command(id, 1)).by).toEqual(GRACE);
  });

  it('shows the caller as holder if it gives no other name', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    expect((await manager.control(id, { action: 'take' }, { by: ADA })).holder).toMatchObject({ name: 'Ada' });
    expect((await manager.control(id, { action: 'take' })).holder).toMatchObject({ name: LIBRARY.name });
  });

  it('has no caller whose name cannot be shown', async () => {
    const manager = startManager();
    for (const name of ['', 'a\x1b[2J', 'a\u202eb', 'x'.repeat(65)])
      await expect(manager.create({}, { by: { name, door: 'rest' } })).rejects.toEqual(error('INVALID_INPUT'));
    expect(await manager.list()).toEqual([]);
  });
});

it('are known to a host that takes a terminal over', async () => {
  const manager = startInHost({ maxTerminals: 10 });
  const { id } = await manager.create(SHELL, { by: ADA });
  await manager.exec(id, { command: 'true' }, { by: GRACE });
  await manager.write(id, { input: 'true' }, { by: ADA });
  await manager.upgradeHosts();
  expect(await manager.get(id)).toMatchObject({ createdBy: ADA, lastTypedBy: ADA });
  expect((await manager.command(id, 1)).by).toEqual(GRACE);
});

it('are kept on disk, except who typed last', async () => {
  const historyDir = mkdtempSync(join(tmpdir(), 'tenacitty-callers-'));
  const manager = startEngine({ historyDir });
  const { id } = await manager.create(SHELL, { by: ADA });
  await manager.exec(id, { command: 'true' }, { by: GRACE });
  await manager.write(id, { input: 'exit' }, { by: GRACE });
  await manager.shutdown();
  const next = startEngine({ historyDir });
  await next.recover();
  expect(await next.list()).toMatchObject([{ id, createdBy: ADA }]);
  expect((await next.get(id)).lastTypedBy).toBeNull();
  expect((await next.command(id, 1)).by).toEqual(GRACE);
  await next.shutdown(0);
  rmSync(historyDir, { recursive: true, force: true });
});

it.each([
  [['claude\x1b[31m-code\u200b'], 'claude[31m-code'],
  [['\n\t \u202e', undefined, 'a key'], 'a key'],
  [['x'.repeat(100)], 'x'.repeat(64)],
  [[`${'x'.repeat(63)}😀`], 'x'.repeat(63)],
  [['', ' Ada Lovelace '], 'Ada Lovelace'],
  [[undefined], 'unknown'],
])('are shown by what can be shown of their names: %j', (names, name) => {
  expect(callerOf('mcp', ...names)).toEqual({ name, door: 'mcp' });
});
