/**
 * Tests names, wherever terminals are held: given on creation or later, unique among running terminals, and used to
 * find them.
 */
import type { CreateTerminal, TerminalDetail } from '../../src/contract/terminal.js';
import type { TerminalError } from '../../src/errors.js';
import { MANAGERS, readUntilExit, stopEngines } from '../engine/engine-under-test.js';
import { error } from './error.js';

afterEach(stopEngines);

const CAT = { command: 'cat' };
const LONGEST = 'n'.repeat(64);

describe.each(MANAGERS)('the name of a terminal %s', (_where, startManager) => {
  const manager = () => startManager();

  it.each(['web', 'web-1', 'w', '0x', 'db', 'f1', 'a-b', '9._-z', 'dead.beef', 'g'.padEnd(8, '0'), LONGEST])(
    'is part of its description and of lists, and resolves to its id: %s',
    async (name) => {
      const terminals = manager();
      const { id, name: told } = await terminals.create({ ...CAT, name });
      const { name: none } = await terminals.create(CAT);
      expect([told, none]).toEqual([name, null]);
      expect((await terminals.list({ name })).map((one) => [one.id, one.name])).toEqual([[id, name]]);
      expect((await terminals.get(name)).id).toBe(id);
      expect((await terminals.get(id)).name).toBe(name);
    },
  );

  it.each([
    ['that is like an id', 'dead-beef', /name.*hex digits and dashes/],
    ['of the fewest characters that an id may be shortened to', 'cafe', /name.*four or more hex digits/],
    ['that is like the number of a terminal', '0', /name.*neither only digits/],
    ['of a whole id', '3f2b8c1e-0a4d-4e55-9b6a-7c8d9e0f1a2b', /name.*hex digits and dashes/],
    ['in upper case', 'Web', /name.*lower-case/],
    ['with a blank', 'a web', /name.*letters/],
    ['that begins with a dash', '-web', /name.*beginning with a letter/],
    ['that begins with a dot', '.web', /name.*beginning with a letter/],
    ['that is a path', 'web/1', /name.*letters/],
    ['of more than 64 characters', `${LONGEST}n`, /name.*64/],
    ['of no characters', '', /name.*64/],
    ['of two lines', 'web\nx', /name.*letters/],
    ['that is a number', 7 as unknown as string, /name/],
  ])('is refused %s', async (_what, name, why) => {
    const terminals = manager();
    await expect(terminals.create({ ...CAT, name })).rejects.toEqual(error('INVALID_INPUT', why));
    expect(await terminals.list()).toEqual([]);
    const { id } = await terminals.create(CAT);
    await expect(terminals.update(id, { name })).rejects.toEqual(error('INVALID_INPUT', why));
    await expect(terminals.list({ name })).rejects.toEqual(error('INVALID_INPUT', why));
    expect((await terminals.get(id)).name).toBeNull();
  });

  it('belongs to only one running terminal', async () => {
    const terminals = manager();
    const { id } = await terminals.create({ ...CAT, name: 'web' });
    const taken = { code: 'NAME_TAKEN', details: { name: 'web', terminalId: id } };
    await expect(terminals.create({ ...CAT, name: 'web' })).rejects.toMatchObject(taken);
    const other = await terminals.create({ ...CAT, name: 'api' });
    await expect(terminals.update(other.id, { name: 'web' })).rejects.toMatchObject(taken);
    expect((await terminals.get(other.id)).name).toBe('api');
    expect(await terminals.list()).toHaveLength(2);
    expect((await terminals.update(id, { name: 'web' })).name).toBe('web');
  });

  it('is given to one of many concurrent requests', async () => {
    const terminals = manager();
    for (let round = 1; round <= 5; round++) {
      const name = `race-${round}`;
      const other = await terminals.create(CAT);
      const wishes = [
        ...Array.from({ length: 6 }, () => terminals.create({ ...CAT, name })),
        terminals.update(other.id, { name }),
      ];
      const results = await Promise.allSettled(wishes);
      const lost = results.filter((result) => result.status === 'rejected');
      expect(lost.map(({ reason }) => (reason as TerminalError).code)).toEqual(Array(6).fill('NAME_TAKEN'));
      const [holder, ...rest] = await terminals.list({ name });
      expect(rest).toEqual([]);
      expect(lost.map(({ reason }) => (reason as TerminalError).details['terminalId'])).toEqual(
        Array(6).fill(holder!.id),
      );
    }
  });

  it('is free when its program has ended, and still means it until the next terminal gets it', async () => {
    const terminals = manager();
    const first = await ended(terminals, { name: 'job' });
    const second = await ended(terminals, { name: 'job' });
    expect((await terminals.get('job')).id).toBe(second.id);
    const running = await terminals.create({ ...CAT, name: 'job' });
    expect((await terminals.get('job')).id).toBe(running.id);
    const ids = (await terminals.list({ name: 'job' })).map(({ id }) => id);
    expect(ids).toEqual([first.id, second.id, running.id]);
    await terminals.remove(running.id, { graceMs: 0 });
    expect((await terminals.get('job')).id).toBe(second.id);
  });

  it('is changed and removed, and immediately free for another', async () => {
    const terminals = manager();
    const { id } = await terminals.create({ ...CAT, name: 'old' });
    expect(await terminals.update(id, { name: 'new' })).toMatchObject({ id, name: 'new' });
    await expect(terminals.get('old')).rejects.toEqual(error('TERMINAL_NOT_FOUND', /old/));
    const { id: next } = await terminals.create({ ...CAT, name: 'old' });
    expect([(await terminals.get('new')).id, (await terminals.get('old')).id]).toEqual([id, next]);
    expect((await terminals.update(id, { name: null })).name).toBeNull();
    expect((await terminals.update(next, { name: 'new' })).name).toBe('new');
    expect((await terminals.list()).map(({ name }) => name)).toEqual([null, 'new']);
  });

  it('may be given to an ended terminal while another runs with it: the running one counts', async () => {
    const terminals = manager();
    const done = await ended(terminals, {});
    const { id } = await terminals.create({ ...CAT, name: 'web' });
    expect(await terminals.update(done.id, { name: 'web', labels: { seen: 'yes' } })).toMatchObject({
      ...{ id: done.id, name: 'web', labels: { seen: 'yes' }, status: 'exited' },
    });
    expect((await terminals.get('web')).id).toBe(id);
  });

  it('can name the model of a new terminal, which does not get it', async () => {
    const terminals = manager();
    await terminals.create({ command: 'sleep', args: ['1000'], cols: 91, name: 'model' });
    expect(await terminals.create({ like: 'model' })).toMatchObject({ args: ['1000'], cols: 91, name: null });
    expect(await terminals.create({ like: 'model', name: 'copy' })).toMatchObject({ args: ['1000'], name: 'copy' });
    await expect(terminals.create({ like: 'nobody' })).rejects.toEqual(error('TERMINAL_NOT_FOUND', /nobody/));
  });

  it('returns nothing if no terminal has it', async () => {
    const terminals = manager();
    await terminals.create({ ...CAT, name: 'web' });
    for (const given of ['we', 'web1', 'WEB', '', 'a b', `${LONGEST}n`]) {
      await expect(terminals.get(given)).rejects.toEqual(error('TERMINAL_NOT_FOUND', /not found/));
    }
    expect(await terminals.list({ name: 'api' })).toEqual([]);
    await expect(terminals.update('3f2b8c1e-0a4d-4e55-9b6a-7c8d9e0f1a2b', { name: 'x' })).rejects.toEqual(
      error('TERMINAL_NOT_FOUND'),
    );
  });

  it('is refused where an id is needed, with the way to resolve it', async () => {
    const terminals = manager();
    await terminals.create({ ...CAT, name: 'web' });
    const told = error('TERMINAL_NOT_FOUND', /a terminal has this name, .* get\("web"\)/);
    await expect(terminals.write('web', { input: 'x' })).rejects.toEqual(told);
    await expect(terminals.exec('web', { command: 'ls' })).rejects.toEqual(told);
    await expect(terminals.stats('api')).rejects.toEqual(error('TERMINAL_NOT_FOUND', /never existed/));
  });

  it('with an idempotency key is given once, even on repetition', async () => {
    const terminals = manager();
    const key = '3f2b8c1e-0a4d-4e55-9b6a-7c8d9e0f1a2b';
    await terminals.create({ ...CAT, name: 'once' }, { key });
    expect((await terminals.create({ ...CAT, name: 'once' }, { key })).id).toBe(key);
    expect(await terminals.list()).toHaveLength(1);
  });
});

describe.each(MANAGERS)('changed labels of a terminal %s', (_where, startManager) => {
  it('are merged with existing ones; null removes one', async () => {
    const terminals = startManager();
    const { id } = await terminals.create({ ...CAT, name: 'web', labels: { a: '1', b: '2' } });
    const changed = await terminals.update(id, { labels: { b: null, c: '3', a: '4', never: null } });
    expect(changed).toMatchObject({ id, name: 'web' });
    expect(changed.labels).toEqual({ a: '4', c: '3' });
    expect((await terminals.list({ labels: { a: '4', c: '3' } })).map((one) => one.id)).toEqual([id]);
    expect(await terminals.list({ labels: { b: '2' } })).toEqual([]);
    expect((await terminals.update(id, {})).labels).toEqual({ a: '4', c: '3' });
  });

  it('are refused if they are invalid, or too many together, and nothing changes', async () => {
    const terminals = startManager();
    const labels = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`n${i}`, '']));
    const { id } = await terminals.create({ ...CAT, labels });
    const bad: Record<string, string | null>[] = [{ more: '' }, { 'a b': '1' }, { n0: '1\n2' }, { n0: 1 as never }];
    for (const one of bad) {
      await expect(terminals.update(id, { name: 'web', labels: one })).rejects.toEqual(
        error('INVALID_INPUT', /labels/),
      );
    }
    await expect(terminals.update(id, { nam: 'x' } as object)).rejects.toEqual(error('INVALID_INPUT', /nam/));
    expect(await terminals.get(id)).toMatchObject({ name: null, labels });
    expect((await terminals.update(id, { labels: { n0: null, more: '' } })).labels).toHaveProperty('more', '');
  });
});

async function ended(terminals: Terminals, request: CreateTerminal): Promise<TerminalDetail> {
  const { id } = await terminals.create({ command: 'true', ...request });
  await readUntilExit(terminals, id);
  return terminals.get(id);
}

type Terminals = ReturnType<(typeof MANAGERS)[number][1]>;
