/**
 * Tests searching a history, wherever the terminal is held: memory, disk and screen; texts, expressions, ranges,
 * commands.
 */
import { tmpdir } from 'node:os';
import { searchResult } from '../../src/contract/search.js';
import type { SearchOutput } from '../../src/contract/search.js';
import { MANAGERS, readUntilExit, readUntilText, run, stopEngines } from '../engine/engine-under-test.js';
import { error } from './error.js';

afterEach(stopEngines);

describe.each(MANAGERS)('searching a terminal %s', (_where, startManager) => {
  async function ended(...program: [string, ...string[]]) {
    const manager = startManager();
    const { id } = await run(manager, ...program);
    await readUntilExit(manager, id);
    const search = (request: SearchOutput) => manager.search(id, request);
    const linesOf = async (request: SearchOutput) => (await search(request)).matches.map(({ line }) => line);
    return { manager, id, search, linesOf };
  }

  it('finds lines with a text, with context, and reports which lines were searched', async () => {
    const { search } = await ended('seq', '1', '500');
    const found = searchResult.parse(await search({ text: '99', contextLines: 1 }));
    expect(found).toEqual({
      matches: ['99', '199', '299', '399', '499'].map((text) => ({
        line: Number(text) - 1,
        text,
        before: [String(Number(text) - 1)],
        after: [String(Number(text) + 1)],
        truncated: false,
      })),
      ...{ fromLine: 0, toLine: 499, hasMore: false, nextFromLine: 500, droppedLines: 0 },
      mutableFrom: expect.any(Number),
    });
  });

  it('searches displayed text, not written bytes', async () => {
    const coloured = 'printf "\\033[31mred\\033[0mdish\\r\\nProgress: 10%%\\rProgress: 100%%\\r\\na\\tb\\r\\n"';
    const { search, linesOf } = await ended('sh', '-c', coloured);
    expect((await search({ text: 'reddish' })).matches).toMatchObject([{ line: 0, text: 'reddish' }]);
    expect(await linesOf({ text: '10%' })).toEqual([]);
    expect(await linesOf({ regex: '^Progress: \\d+%$' })).toEqual([1]);
    expect(await linesOf({ text: 'a       b' })).toEqual([2]);
    expect(await linesOf({ text: '\x1b' })).toEqual([]);
  });

  it('finds expressions within single lines, ignoring case if requested', async () => {
    const { linesOf } = await ended('printf', 'Error: one\\nfine\\n\\nerror two\\nÄrger\\n');
    expect(await linesOf({ regex: '^error' })).toEqual([3]);
    expect(await linesOf({ regex: '^error', ignoreCase: true })).toEqual([0, 3]);
    expect(await linesOf({ text: 'ERROR', ignoreCase: true })).toEqual([0, 3]);
    expect(await linesOf({ text: 'äRGER', ignoreCase: true })).toEqual([4]);
    expect(await linesOf({ text: 'ERROR' })).toEqual([]);
    expect(await linesOf({ regex: '^$' })).toEqual([2]);
    expect(await linesOf({ regex: 'one\\nfine' })).toEqual([]);
  });

  it('searches only the given range, returns a limited number, and says where to continue', async () => {
    const { search, linesOf } = await ended('seq', '1', '300');
    expect(await linesOf({ text: '7', fromLine: 66, toLine: 76 })).toEqual([66, 69, 70, 71, 72, 73, 74, 75, 76]);
    const first = await search({ regex: '0$', maxMatches: 10, toLine: 250 });
    expect(first).toMatchObject({ hasMore: true, toLine: 99, nextFromLine: 100 });
    expect(await linesOf({ regex: '0$', fromLine: 100, toLine: 250 })).toHaveLength(15);
    expect(await search({ text: '1', fromLine: 5000 })).toMatchObject({ matches: [], fromLine: 300, toLine: 299 });
  });

  it('searches lines that are still on the screen, and reports from where on lines may change', async () => {
    const manager = startManager();
    const { id } = await run(manager, 'sh', '-c', 'seq 1 100; printf "on the scr""een"; exec cat');
    await readUntilText(manager, id, 'on the screen');
    const { matches, mutableFrom } = await manager.search(id, { text: 'on the screen' });
    expect(matches).toMatchObject([{ line: 100 }]);
    expect(mutableFrom).toBeGreaterThan(50);
    expect(mutableFrom).toBeLessThanOrEqual(100);
  });

  it('searches only the output of one command', async () => {
    const manager = startManager();
    const { id } = await manager.create({ shell: '/bin/bash', env: { HOME: tmpdir() } });
    await manager.exec(id, { command: 'echo needle; echo other' });
    const { commandId } = await manager.exec(id, { command: 'seq 1 2000 | sed "s/^1234$/needle/"' });
    await manager.exec(id, { command: 'echo needle' });
    const { matches } = await manager.search(id, { text: 'needle', commandId, contextLines: 1 });
    expect(matches).toEqual([{ line: 1233, text: 'needle', before: ['1233'], after: ['1235'], truncated: false }]);
    expect((await manager.readCommand(id, commandId, { since: 1233, maxLines: 1 })).output).toBe('needle');
    expect((await manager.search(id, { regex: '^needle$' })).matches).toHaveLength(3);
    await expect(manager.search(id, { text: 'x', commandId: 99 })).rejects.toEqual(error('COMMAND_NOT_FOUND'));
  });

  it('reports how many of the requested lines are dropped', async () => {
    const manager = startManager({ maxBufferLines: 100, historyPlace: 'memory' });
    const { id } = await run(manager, 'seq', '1', '5000');
    await readUntilExit(manager, id);
    const { oldestLine } = await manager.stats(id);
    const found = await manager.search(id, { text: '9', fromLine: 0, maxMatches: 1000 });
    expect(found).toMatchObject({ fromLine: oldestLine, droppedLines: oldestLine, toLine: 4999 });
    expect(oldestLine).toBeGreaterThan(4000);
  });

  it('returns what was found so far if it is ended immediately', async () => {
    const { manager, id } = await ended('seq', '1', '30000');
    const found = await manager.search(id, { text: 'nothing like it' }, { signal: AbortSignal.abort() });
    expect(found.matches).toEqual([]);
    expect(found.nextFromLine).toBe(found.toLine + 1);
  });

  it.each([
    ['no pattern', {}, /text/],
    ['two patterns', { text: 'a', regex: 'b' }, /text/],
    ['an invalid expression', { regex: '(' }, /regex/],
    ['an expression that cannot be matched in linear time', { regex: '(a)\\1' }, /regex/],
    ['an expression whose repetitions take long', { regex: 'a[ab]{450}[cd]' }, /regex: .*at most 320 steps/],
    ['two lines', { text: 'a\nb' }, /text/],
    ['an end before the start', { text: 'a', fromLine: 5, toLine: 4 }, /toLine/],
    ['too much context', { text: 'a', contextLines: 21 }, /contextLines/],
    ['something unknown', { text: 'a', lines: 5 } as SearchOutput, /lines/],
  ] as [string, SearchOutput, RegExp][])('refuses %s', async (_what, request, message) => {
    const manager = startManager();
    const { id } = await run(manager, 'cat');
    await expect(manager.search(id, request)).rejects.toEqual(error('INVALID_INPUT', message));
    await expect(manager.search('nobody', { text: 'a' })).rejects.toEqual(error('TERMINAL_NOT_FOUND'));
  });
});
