/** Tests labels, wherever terminals are held: set on creation, reported, and used to find terminals. */
import type { TerminalDetail } from '../../src/contract/terminal.js';
import { MANAGERS, readUntilExit, run, stopEngines } from '../engine/engine-under-test.js';
import { error } from './error.js';

afterEach(stopEngines);

const CAT = { command: 'cat' };

describe.each(MANAGERS)('labels of a terminal %s', (_where, startManager) => {
  it('are part of its description, and empty by default', async () => {
    const manager = startManager();
    const labels = { project: 'web', 'mcp.number': '0', empty: '', constructor: 'a=b', 'x_Y-9': '日本 "☃"' };
    const labelled = await manager.create({ ...CAT, labels });
    expect(labelled.labels).toEqual(labels);
    expect((await manager.get(labelled.id)).labels).toEqual(labels);
    expect((await run(manager, 'cat')).labels).toEqual({});
  });

  it('select it, if all of them match', async () => {
    const manager = startManager();
    const created: TerminalDetail[] = [];
    for (const labels of [{ a: '1', b: '2' }, { a: '1' }, { b: '2' }, {}, { a: '1', b: '2', c: '3' }]) {
      created.push(await manager.create({ ...CAT, labels }));
    }
    const found = async (labels?: Record<string, string>) => {
      const ids = (await manager.list({ labels })).map(({ id }) => id);
      return ids.map((id) => created.findIndex((one) => one.id === id));
    };
    expect(await found({ a: '1', b: '2' })).toEqual([0, 4]);
    expect(await found({ a: '1' })).toEqual([0, 1, 4]);
    expect(await found({ a: '2' })).toEqual([]);
    expect(await found({ toString: 'x' })).toEqual([]);
    expect(await found({})).toEqual([0, 1, 2, 3, 4]);
    expect(await found()).toEqual([0, 1, 2, 3, 4]);
  });

  it('are kept after its program has ended, and lists show them with the result', async () => {
    const manager = startManager();
    const { id } = await manager.create({ command: 'true', labels: { kept: 'yes' } });
    await readUntilExit(manager, id);
    const [found] = await manager.list({ labels: { kept: 'yes' } });
    expect(Object.keys(found!).slice(0, 7)).toEqual(['id', 'pid', 'shell', 'cwd', 'created', 'lastActivity', 'status']);
    expect(found).toMatchObject({ id, status: 'exited', exitCode: 0, signal: null, labels: { kept: 'yes' } });
    expect(found!.endedBy?.reason).toBe('exit');
  });

  it('are not copied from the terminal that it is created like', async () => {
    const manager = startManager();
    const { id: like } = await manager.create({ ...CAT, labels: { a: '1' } });
    expect((await manager.create({ like })).labels).toEqual({});
    expect((await manager.create({ like, labels: { b: '2' } })).labels).toEqual({ b: '2' });
  });

  it.each([
    ['too many', Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`n${i}`, '']))],
    ['a name with a space', { 'a b': '1' }],
    ['a name that is too long', { ['n'.repeat(65)]: '1' }],
    ['no name', { '': '1' }],
    ['a value that is too long', { a: 'v'.repeat(257) }],
    ['a value of two lines', { a: '1\n2' }],
    ['a value with an escape', { a: '\x1b[31m' }],
    ['a number for a value', { a: 1 as unknown as string }],
  ])('that are invalid are refused: %s', async (_what, labels) => {
    const manager = startManager();
    await expect(manager.create({ ...CAT, labels })).rejects.toEqual(error('INVALID_INPUT', /labels/));
    if (Object.keys(labels).length === 1) {
      await expect(manager.list({ labels })).rejects.toEqual(error('INVALID_INPUT', /labels/));
    }
    expect(await manager.list()).toEqual([]);
  });

  it('may be as many and as long as documented', async () => {
    const manager = startManager();
    const labels = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`${i}`.padEnd(64, 'n'), 'v'.repeat(256)]));
    const { id } = await manager.create({ ...CAT, labels });
    expect((await manager.list({ labels })).map((one) => one.id)).toEqual([id]);
  });
});
