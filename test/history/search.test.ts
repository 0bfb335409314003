/**
 * Tests that a search returns what a check of every line would, wherever the lines are and whatever is dropped
 * meanwhile.
 */
import fc from 'fast-check';
import { MAX_MATCH_CHARS, searchOutput } from '../../src/contract/search.js';
import type { SearchOutput, SearchRequest, SearchResult } from '../../src/contract/search.js';
import { Archive } from '../../src/history/archive.js';
import { RevisionTracker } from '../../src/history/revision-tracker.js';
import { LineSearch } from '../../src/history/search.js';
import type { HistoryView } from '../../src/history/view.js';
import { search } from '../../src/wait/search.js';
import { viewOf } from '../../src/transcript/view.js';

function archiveOf(lines: readonly string[]): Archive {
  const archive = new Archive({ maxLines: 1e9, maxBytes: 1e9 });
  for (const [n, line] of lines.entries()) addLine(archive, line, n % 3 === 0);
  return archive;
}

/** Adds a line as output, or as text of its own. */
function addLine(archive: Archive, line: string, isText: boolean): void {
  const { end } = archive.output;
  if (isText) return archive.lines.pushText(end, 0, line);
  const bytes = Buffer.from(`${line}\r\n`);
  archive.output.append(bytes);
  archive.lines.pushSpan(end, bytes.length - 2, 0, '');
}

function viewing(archive: Archive, active: readonly string[] = [], clearedAt = 0): HistoryView {
  const rest = { timeOf: () => 0, offsetOf: () => 0, clearedAt };
  const resumeAt = archive.lines.next;
  return viewOf({
    id: 'a',
    maxLines: 1e9,
    archive,
    revisions: new RevisionTracker(),
    active: { ansi: active, resumeAt },
    ...rest,
  });
}

const asked = (request: Omit<SearchOutput, 'text'>): SearchRequest => searchOutput.parse({ text: 'x', ...request });
const hasX = (line: string): number => line.indexOf('x');

function searched(view: HistoryView, request: SearchRequest): SearchResult {
  const search = new LineSearch(view, request, hasX);
  while (!search.isOver) search.step(view);
  return search.result();
}

/** Searches all lines naively, as if those before `oldest` were dropped. */
function plainly(lines: readonly string[], oldest: number, request: SearchRequest, mutableFrom: number): SearchResult {
  const { fromLine: first = 0, toLine = Infinity, contextLines, maxMatches } = request;
  const from = Math.min(first, lines.length);
  const begin = Math.max(from, oldest);
  const end = Math.max(from, Math.min(toLine + 1, lines.length));
  const found = lines.flatMap((line, n) => (n >= begin && n < end && line.includes('x') ? [n] : []));
  const given = found.slice(0, maxMatches);
  const last = found.length >= maxMatches ? given.at(-1)! : Math.max(begin, end) - 1;
  return {
    matches: given.map((line) => ({
      line,
      text: lines[line]!,
      before: lines.slice(Math.max(oldest, line - contextLines), line),
      after: lines.slice(line + 1, line + 1 + contextLines),
      truncated: false,
    })),
    fromLine: Math.min(begin, Math.max(from, end)),
    toLine: Math.min(last, Math.max(from, end) - 1),
    hasMore: last + 1 < end,
    nextFromLine: Math.min(last, Math.max(from, end) - 1) + 1,
    mutableFrom,
    droppedLines: Math.min(begin, Math.max(from, end)) - from,
  };
}

const line = fc.string({ unit: fc.constantFrom('x', 'y', 'z', 'ü', '日', '😀'), maxLength: 4 });
const request = fc
  .record(
    {
      fromLine: fc.nat({ max: 1500 }),
      toLine: fc.nat({ max: 1500 }),
      contextLines: fc.nat({ max: 3 }),
      maxMatches: fc.integer({ min: 1, max: 1000 }),
    },
    { requiredKeys: [] },
  )
  .filter(({ fromLine = 0, toLine = Infinity }) => fromLine <= toLine)
  .map(asked);

describe('a search', () => {
  it('finds the same lines as a check of each line, with their context', () => {
    const property = fc.property(
      fc.array(line, { maxLength: 40 }),
      fc.nat({ max: 1200 }),
      fc.array(line, { maxLength: 5 }),
      fc.nat({ max: 50 }),
      request,
      (some, blank, active, oldest, one) => {
        const final = [...some, ...Array.from({ length: blank }, () => 'zzz'), ...some];
        const archive = archiveOf(final);
        const dropped = Math.min(oldest, final.length);
        archive.lines.dropBefore(dropped);
        const view = viewing(archive, active);
        expect(searched(view, one)).toEqual(plainly([...final, ...active], dropped, one, final.length));
      },
    );
    fc.assert(property, { numRuns: 300, seed: 20_261_121 });
  });

  it('continues where it ended, and finds each line once', () => {
    const lines = Array.from({ length: 3000 }, (_, n) => (n % 7 === 0 ? `x${n}` : `${n}`));
    const view = viewing(archiveOf(lines));
    const found: string[] = [];
    for (let next = 0, more = true; more;) {
      const { matches, hasMore, nextFromLine } = searched(view, asked({ fromLine: next, maxMatches: 50 }));
      found.push(...matches.map(({ text }) => text));
      [next, more] = [nextFromLine, hasMore];
    }
    expect(found).toEqual(lines.filter((one) => one.startsWith('x')));
  });

  it('skips lines that are dropped while it runs, and counts them', () => {
    const archive = archiveOf(Array.from({ length: 2000 }, (_, n) => `x${n}`));
    const search = new LineSearch(viewing(archive), asked({ maxMatches: 1000 }), (one) => (/50$/.test(one) ? 0 : -1));
    search.step(viewing(archive));
    const seen = search.at;
    archive.lines.dropBefore(1500);
    while (!search.isOver) search.step(viewing(archive));
    const { matches, droppedLines, fromLine, toLine } = search.result();
    expect({ droppedLines, fromLine, toLine }).toEqual({ droppedLines: 1500 - seen, fromLine: 0, toLine: 1999 });
    expect(matches.map((match) => match.line).filter((n) => n >= seen)).toEqual([1550, 1650, 1750, 1850, 1950]);
  });

  it('skips lost lines, counts them, and never returns them as context', () => {
    const archive = archiveOf(Array.from({ length: 1000 }, (_, n) => `x${n}`));
    const lostLines = [
      { from: 10, to: 20 },
      { from: 500, to: 900 },
    ];
    const view = { ...viewing(archive), lostLines };
    const { matches, droppedLines, toLine } = searched(view, asked({ maxMatches: 1000, contextLines: 2 }));
    expect({ found: matches.length, droppedLines, toLine }).toEqual({ found: 590, droppedLines: 410, toLine: 999 });
    const [above, below] = [9, 20].map((line) => matches.find((match) => match.line === line));
    expect(above).toMatchObject({ before: ['x7', 'x8'], after: [] });
    expect(below).toMatchObject({ before: [], after: ['x21', 'x22'] });
  });

  it('ends at its time limit, reports how far it came, and continues from there', async () => {
    const view = viewing(archiveOf(Array.from({ length: 3000 }, (_, n) => `x${n}`)));
    let next = 0;
    let calls = 0;
    for (let hasMore = true; hasMore; calls++) {
      const found = await search(() => view, asked({ fromLine: next, maxMatches: 1000 }), undefined, -1);
      expect(found.matches[0]!.line).toBe(next);
      ({ hasMore, nextFromLine: next } = found);
    }
    expect(next).toBe(3000);
    expect(calls).toBeGreaterThan(3);
  });

  it('starts after the cleared part, and reports it if it was requested', () => {
    const archive = archiveOf(['x', 'x', 'x', 'x']);
    archive.lines.dropBefore(2);
    expect(searched(viewing(archive, [], 2), asked({}))).toMatchObject({ fromLine: 2, droppedLines: 0 });
    expect(searched(viewing(archive, [], 2), asked({ fromLine: 0 }))).toMatchObject({ fromLine: 2, droppedLines: 2 });
  });

  it('returns the matching part of a long line, reports that, and cuts no character in two', () => {
    const smile = '😀';
    const long = `${smile.repeat(3000)}x${smile.repeat(3000)}`;
    const { matches } = searched(
      viewing(archiveOf([long, `x${long}`, smile.repeat(3001)])),
      asked({ contextLines: 1 }),
    );
    expect(matches).toHaveLength(2);
    for (const { text, before, after, truncated } of matches) {
      expect(truncated).toBe(true);
      expect(text).toContain('x');
      for (const one of [text, ...before, ...after]) {
        expect(one.length).toBeLessThanOrEqual(MAX_MATCH_CHARS);
        expect(one.length).toBeGreaterThan(MAX_MATCH_CHARS - 3);
        expect(Buffer.from(one).toString()).toBe(one);
      }
    }
  });

  it('limits its answer: it stops when there is much of it, and says where to continue', () => {
    const view = viewing(archiveOf(Array.from({ length: 2000 }, () => 'x'.repeat(MAX_MATCH_CHARS))));
    const { matches, hasMore, nextFromLine } = searched(view, asked({ maxMatches: 1000 }));
    expect({ hasMore, nextFromLine }).toEqual({ hasMore: true, nextFromLine: matches.length });
    expect(matches.length * MAX_MATCH_CHARS).toBeLessThan(1.1 * (1 << 20));
  });
});
