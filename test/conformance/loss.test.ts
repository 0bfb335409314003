/**
 * Tests that nothing is lost, duplicated or garbled when a flood is read in pieces while it runs, wherever its terminal
 * is held.
 */
import type { TerminalManager } from '../../src/contract/manager.js';
import type { OutputPage, ReadOutput } from '../../src/contract/output.js';
import { MANAGERS, run, stopEngines } from '../engine/engine-under-test.js';
import { runs } from '../deep.js';

const LINES = runs({ normal: 150_000, deep: 1_000_000 });
/** A million lines, three times. */
const PATIENCE_MS = 200_000;
/** A page larger than what arrives between two reads, so that a reader keeps up. */
const PAGE_LINES = 20_000;

afterEach(stopEngines);

/** Follows a program to its end; `next` returns the request for the page after the given one. */
async function* pages(
  manager: TerminalManager,
  id: string,
  next: (page: OutputPage) => Partial<ReadOutput>,
): AsyncGenerator<OutputPage> {
  let request: ReadOutput = { since: 0 };
  for (;;) {
    const page = await manager.read(id, { maxLines: PAGE_LINES, timeoutMs: 1000, ...request });
    yield page;
    if (!page.isActive && !page.hasMore) return;
    request = next(page);
  }
}

const expected = (): string[] => Array.from({ length: LINES }, (_, i) => String(i + 1));

describe.each(MANAGERS)(`${LINES} lines %s, read while they are written`, (_where, startManager) => {
  it(
    'arrive completely by `since` and by `cursor` if the buffer can hold them',
    async () => {
      const manager = startManager({ historyPlace: 'memory', maxBufferLines: LINES + 1000, maxBufferBytes: 32 << 20 });
      const { id } = await run(manager, 'seq', '1', String(LINES));
      const bySince = async (): Promise<string[]> => {
        const lines: string[] = [];
        let since = 0;
        for await (const page of pages(manager, id, ({ nextReadFrom }) => ({ since: nextReadFrom }))) {
          expect(page.droppedLines).toBe(0);
          lines.length = since;
          if (page.stats.linesShown > 0) lines.push(...page.output.split('\n'));
          since = page.nextReadFrom;
        }
        return lines;
      };
      const byCursor = async (): Promise<string[]> => {
        let text = '';
        let count = 0;
        for await (const page of pages(manager, id, ({ cursor }) => ({ cursor }))) {
          expect(page.rewrittenFrom).toBeNull();
          if (page.stats.linesShown === 0) continue;
          expect(page.fromLine).toBe(page.continuesLine ? count - 1 : count);
          text += page.continuesLine || count === 0 ? page.output : `\n${page.output}`;
          count = page.fromLine + page.stats.linesShown;
        }
        return text.split('\n');
      };
      const [since, cursor] = await Promise.all([bySince(), byCursor()]);
      // Compares booleans, because a failed comparison of the text would print a million lines.
      expect(since.join('\n') === expected().join('\n')).toBe(true);
      expect(cursor.join('\n') === expected().join('\n')).toBe(true);
    },
    PATIENCE_MS,
  );

  it(
    'are accounted for one by one with the default buffer: returned, or reported as dropped',
    async () => {
      const manager = startManager({ historyPlace: 'memory' });
      const { id } = await run(manager, 'seq', '1', String(LINES));
      const seen = new Uint8Array(LINES);
      let dropped = 0;
      /** The newest line may be incomplete; the rest of it comes with the next page, or is reported as dropped. */
      let newest = -1;
      let garbled = 0;
      for await (const page of pages(manager, id, ({ cursor }) => ({ cursor }))) {
        for (let i = 0; i < page.droppedLines; i++)
          if (page.droppedFrom! + i !== newest) seen[page.droppedFrom! + i]! += 1;
        dropped += page.droppedLines;
        if (page.stats.linesShown === 0) continue;
        const lines = page.output.split('\n');
        if (page.continuesLine) lines.shift();
        const first = page.continuesLine ? page.fromLine + 1 : page.fromLine;
        lines.forEach((line, i) => {
          // The newest line may be unfinished; the next page continues it.
          if (first + i < page.totalLines - 1 && line !== String(first + i + 1)) garbled++;
          seen[first + i]! += 1;
        });
        newest = page.fromLine + page.stats.linesShown - 1;
      }
      expect({ garbled, once: seen.every((times) => times === 1) }).toEqual({ garbled: 0, once: true });
      const { oldestLine, newestLine, bufferSize, totalLines } = await manager.stats(id);
      expect({ oldestLine, newestLine, bufferSize, totalLines }).toEqual({
        oldestLine: LINES - 10_000,
        newestLine: LINES - 1,
        bufferSize: 10_000,
        totalLines: LINES,
      });
      expect(await manager.read(id, { mode: 'tail', tailLines: 2 })).toMatchObject({
        output: `${LINES - 1}\n${LINES}`,
        droppedLines: LINES - 10_000,
        truncated: true,
      });
      expect(dropped).toBeLessThan(LINES);
    },
    PATIENCE_MS,
  );
});
