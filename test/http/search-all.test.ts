/** Tests GET /api/search: what it finds in all terminals and their commands, how it is sent, and how it continues. */
import { once } from 'node:events';
import { searchAll } from '../../src/calls/search-all.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import { searchAll as searchAllQuery, type FoundItem } from '../../src/contract/search-all.js';
import { TerminalError } from '../../src/errors.js';
import { EventClient } from './event-client.js';
import { startServer, stopServers, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
beforeEach(async () => (server = await startServer({ engine: { defaultShell: '/bin/bash' } })));
afterEach(stopServers);

// The test knows the types.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Item = any;

async function search(query: string): Promise<Item[]> {
  const { status, text, headers } = await server.api.get(`/api/search?${query}`);
  expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  const items = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(items.map(({ type }) => type).indexOf('end')).toBe(items.length - 1);
  return items;
}

/** A terminal that has printed this text. */
async function printed(text: string, options: object = {}): Promise<string> {
  const id = await server.api.create({ command: '/bin/sh', args: ['-c', `printf '${text}'`], ...options });
  await server.api.ended(id);
  return id;
}

const found = (items: readonly Item[]) => items.filter(({ type }) => type === 'match');

it('finds lines in all terminals, with their terminal and context', async () => {
  const [one, other] = [await printed('one\\ntwo\\n'), await printed('TWO\\nthree\\n')];
  await printed('nothing\\n');
  const items = await search('text=two&ignoreCase=true&contextLines=1');
  expect(found(items)).toEqual(
    expect.arrayContaining([
      { type: 'match', terminalId: one, line: 1, text: 'two', before: ['one'], after: [], truncated: false },
      { type: 'match', terminalId: other, line: 0, text: 'TWO', before: [], after: ['three'], truncated: false },
    ]),
  );
  expect(items.at(-1)).toEqual({ type: 'end', searched: 3, matches: 2, next: null });
});

it('reports how much it has searched if asked to', async () => {
  const [one, other] = [await printed('one\\ntwo\\n'), await printed('TWO\\n')];
  const items = await search('text=two&progress=true&commands=true');
  const progress = items.filter(({ type }) => type === 'progress');
  const complete = progress.filter(({ isComplete }) => isComplete).map(({ terminalId, lines }) => [terminalId, lines]);
  expect(complete.sort()).toEqual([[one, 2], [other, 1]].sort()); // prettier-ignore
  expect((await search('text=two')).some(({ type }) => type === 'progress')).toBe(false);
});

it('searches only the terminals that the filters choose', async () => {
  const [one, other] = [await printed('x\\n', { labels: { of: 'one' } }), await printed('x\\n')];
  const running = await server.api.run('echo x; exec cat');
  await server.api.readUntil(running, 'x');
  const among = async (query: string) =>
    found(await search(`regex=%5Ex$&${query}`)).map(({ terminalId }) => terminalId);
  expect(await among('label=of%3Done')).toEqual([one]);
  expect(await among('status=active')).toEqual([running]);
  expect((await among(`ids=${one}&ids=${other}`)).sort()).toEqual([one, other].sort());
});

it('sends server-sent events to a caller that accepts them', async () => {
  const id = await printed('x\\n');
  const client = await EventClient.open(server.url, '/api/search?text=x');
  const [match, end] = await client.rest();
  expect([match!.event, match!.data.terminalId, end!.event]).toEqual(['match', id, 'end']);
  expect(end!.data).toEqual({ searched: 1, matches: 1, next: null });
});

it('finds commands by their text if asked to', async () => {
  const id = await server.api.create({ env: { PS1: '' } });
  for (const command of ['true one', 'true two', 'echo three']) await server.manager.exec(id, { command });
  const texts = async (query: string) =>
    (await search(`${query}&commands=true`))
      .filter(({ type }) => type === 'command')
      .map(({ command }) => command.text);
  expect(await texts('regex=%5Etrue')).toEqual(['true one', 'true two']);
  expect(await texts('text=THREE&ignoreCase=true')).toEqual(['echo three']);
  expect((await search('text=true')).filter(({ type }) => type === 'command')).toEqual([]);
});

it('stops after so many matches, and continues where it stopped', async () => {
  const ids = [];
  for (let count = 0; count < 7; count++) ids.push(await printed('a1\\nb\\na2\\na3\\n'));
  const shell = await server.api.create({ env: { PS1: '' } });
  for (const command of ['true a', 'true aa', 'true b']) await server.manager.exec(shell, { command });
  const all: Item[] = [];
  let next = '';
  do {
    const items = await search(`regex=%5E(true+)?a&commands=true&limit=2${next && `&after=${next}`}`);
    expect(items.length).toBeLessThanOrEqual(3);
    all.push(...items.slice(0, -1));
    next = items.at(-1).next ?? '';
  } while (next !== '');
  // The shell shows the commands, too.
  const wanted = all.filter(({ type, terminalId }) => type === 'command' || terminalId !== shell);
  const keys = wanted.map(({ terminalId, line, command }) => `${terminalId} ${line ?? command.text}`);
  const expected = [
    ...ids.flatMap((id) => [0, 2, 3].map((line) => `${id} ${line}`)),
    `${shell} true a`,
    `${shell} true aa`,
  ];
  expect(keys.sort()).toEqual(expected.sort());
});

it('continues when terminals have come and gone', async () => {
  const ids = [];
  for (let count = 0; count < 6; count++) ids.push(await printed('x\\n'));
  const [first, { next }] = await search('text=x&limit=1');
  for (const id of ids.slice(0, 3)) await server.api.delete(`/api/terminals/${id}`);
  const late = await printed('x\\n');
  const rest = found(await search(`text=x&after=${next}`)).map(({ terminalId }) => terminalId);
  const expected = [...ids.slice(3), late].filter((id) => id !== first.terminalId);
  expect(rest.sort()).toEqual(expected.sort());
});

it.each([
  '',
  'text=a&regex=b',
  'regex=(',
  'text=',
  'text=a&limit=0',
  'text=a&after=x',
  'text=a&fromLine=1',
  'text=%0A',
])('refuses %s', async (query) => {
  await printed('a\\n');
  const { status, body } = await server.api.get(`/api/search?${query}`);
  expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
});

describe('a search over a manager', () => {
  const all = async (manager: TerminalManager, request: object, signal?: AbortSignal): Promise<FoundItem[]> => {
    const items: FoundItem[] = [];
    for await (const item of searchAll(manager, searchAllQuery.parse(request), { signal })) items.push(item);
    return items;
  };
  /** The server's manager, with another search. */
  const withSearch = (search: TerminalManager['search']) =>
    Object.assign(Object.create(server.manager) as TerminalManager, {
      search,
      list: () => server.manager.list(),
    });

  it('is not held up by a slow terminal, and finds what that contains in the end', async () => {
    const slow: string[] = [];
    for (let count = 0; count < 5; count++) slow.push(await printed('x\\n'));
    const quick = await printed('x\\n');
    const begun = new Set<string>();
    let quickAnswer: ReturnType<TerminalManager['search']> | undefined;
    const manager = withSearch(async (id, request, options) => {
      if (id === quick) return (quickAnswer = server.manager.search(id, request, options));
      const isFirst = !begun.has(id);
      begun.add(id);
      if (!isFirst) {
        await quickAnswer;
        return server.manager.search(id, request, options);
      }
      await once(options!.signal!, 'abort');
      return { matches: [], fromLine: 0, toLine: -1, hasMore: true, nextFromLine: 0, mutableFrom: 0, droppedLines: 0 };
    });
    const items = await all(manager, { text: 'x' });
    expect(items[0]).toMatchObject({ terminalId: quick });
    expect(items.at(-1)).toMatchObject({ searched: 6, matches: 6, next: null });
  });

  it('reports a terminal that cannot be searched, and leaves out one that is gone', async () => {
    const [broken, gone, fine] = [await printed('x\\n'), await printed('x\\n'), await printed('x\\n')];
    const manager = withSearch((id, request) => {
      if (id === broken) throw new TerminalError('READ_FAILED', 'The disk is broken');
      if (id === gone) throw new TerminalError('TERMINAL_NOT_FOUND', 'It was removed');
      return server.manager.search(id, request);
    });
    expect(await all(manager, { text: 'x' })).toEqual(
      expect.arrayContaining([
        { type: 'skipped', terminalId: broken, code: 'READ_FAILED', message: 'The disk is broken' },
        expect.objectContaining({ type: 'match', terminalId: fine }),
        { type: 'end', searched: 1, matches: 1, next: null },
      ]),
    );
  });

  it('says where it was when its caller no longer waits', async () => {
    const ids = [];
    for (let count = 0; count < 6; count++) ids.push(await printed('x\\n'));
    const leaving = new AbortController();
    const manager = withSearch(async (_id, _request, options) => {
      leaving.abort();
      await once(options!.signal!, 'abort').catch(() => {});
      return new Promise(() => {});
    });
    const [end] = await all(manager, { text: 'x' }, leaving.signal);
    expect(end).toMatchObject({ type: 'end', searched: 0, matches: 0, next: expect.any(String) });
    const rest = await all(server.manager, { text: 'x', after: (end as { next: string }).next });
    expect(
      rest
        .slice(0, -1)
        .map((item) => (item as Item).terminalId)
        .sort(),
    ).toEqual(ids.sort());
  });
});
