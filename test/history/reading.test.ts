/** Tests that reading a history in pieces gives the same result as a single read. */
import fc from 'fast-check';
import { readOutput } from '../../src/contract/output.js';
import type { ReadOutput } from '../../src/contract/output.js';
import { readPage } from '../../src/history/page.js';
import type { HistoryPage } from '../../src/history/view.js';
import { Transcript } from '../../src/transcript/transcript.js';
import { steps } from './output-arbitrary.js';
import type { OutputStep } from './output-arbitrary.js';
import { runs } from '../deep.js';

/** The number of cases and the seed can be set; by default, they are the same every time. */
const RUNS = runs({ normal: 100, deep: 600 });
const SEED = Number(process.env['READING_SEED'] ?? 20_261_120);

function transcriptOf(cols: number, rows: number, maxLines = 1e6, maxBytes = 1e8, id = 'a'): Transcript {
  return new Transcript({ id, cols, rows, maxLines, maxBytes, now: () => 0, onReply: () => undefined });
}

function read(transcript: Transcript, request: ReadOutput): HistoryPage {
  return readPage(transcript.view(), readOutput.parse(request));
}

function allLines(transcript: Transcript, format: 'text' | 'ansi' = 'text'): string[] {
  const view = transcript.view();
  return Array.from({ length: view.total - view.oldest }, (_, i) => view[format](view.oldest + i));
}

/** A reader that follows with the cursor and keeps a copy of all it has read. */
class Follower {
  readonly copy: string[] = [];
  #cursor: string | undefined;

  readonly #transcript: Transcript;
  readonly #maxLines: number;

  constructor(transcript: Transcript, maxLines: number) {
    this.#transcript = transcript;
    this.#maxLines = maxLines;
  }

  readOnce(): HistoryPage {
    const page = read(this.#transcript, {
      maxLines: this.#maxLines,
      ...(this.#cursor === undefined ? {} : { cursor: this.#cursor }),
    });
    this.#cursor = page.cursor;
    this.#take(page);
    return page;
  }

  readAll(): void {
    while (this.readOnce().hasMore);
  }

  #take(page: HistoryPage): void {
    if (page.rewrittenFrom !== null) this.copy.length = Math.min(this.copy.length, page.rewrittenFrom);
    const { linesShown } = page.stats;
    if (linesShown === 0) {
      expect(page.output).toBe('');
      return;
    }
    const lines = page.output.split('\n');
    expect(lines).toHaveLength(linesShown);
    if (page.continuesLine) {
      expect(page.fromLine).toBe(this.copy.length - 1);
      this.copy[page.fromLine] += lines.shift()!;
    } else expect(page.fromLine).toBe(this.copy.length);
    this.copy.push(...lines);
  }
}

function play(transcript: Transcript, all: readonly OutputStep[], onLook: () => void): void {
  for (const step of all) {
    if (step.type === 'resize') transcript.resize(step.cols, step.rows);
    else if (step.type === 'look') onLook();
    else transcript.append(step.bytes);
  }
}

describe('reading with the cursor', () => {
  it('never loses and never repeats output, whatever is printed and whenever it is read', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 2, max: 12 }),
        steps,
        fc.integer({ min: 1, max: 30 }),
        (cols, rows, all, maxLines) => {
          const transcript = transcriptOf(cols, rows);
          const eager = new Follower(transcript, maxLines);
          const lazy = new Follower(transcript, 1000);
          let looks = 0;
          play(transcript, all, () => {
            eager.readOnce();
            if (looks++ % 2 === 0) lazy.readAll();
          });
          eager.readAll();
          lazy.readAll();
          const expected = allLines(transcript);
          expect(eager.copy).toEqual(expected);
          expect(lazy.copy).toEqual(expected);
          expect(lazy.readOnce()).toMatchObject({ output: '', rewrittenFrom: null, stats: { linesShown: 0 } });
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it('returns exactly the rest of an unfinished line, as text and with colours', () => {
    const transcript = transcriptOf(80, 24);
    transcript.append(Buffer.from('\x1b[32mdown'));
    const text = read(transcript, {});
    const ansi = read(transcript, { format: 'ansi' });
    for (const mode of ['full', 'tail'] as const) {
      const nothing = read(transcript, { cursor: text.cursor, mode });
      expect(nothing).toMatchObject({ output: '', truncated: false, stats: { linesShown: 0, linesOmitted: 0 } });
    }
    transcript.append(Buffer.from('loading\x1b[0m 10%'));
    expect(read(transcript, { cursor: text.cursor })).toMatchObject({
      output: 'loading 10%',
      continuesLine: true,
      fromLine: 0,
    });
    expect(read(transcript, { cursor: ansi.cursor, format: 'ansi' }).output).toBe('\x1b[32mloading\x1b[0m 10%');
  });

  it('reports from which line on earlier lines were rewritten', () => {
    const transcript = transcriptOf(80, 24);
    transcript.append(Buffer.from('one\r\ntwo\r\nthree\r\n'));
    const { cursor } = read(transcript, {});
    transcript.append(Buffer.from('\x1b[2A\x1b[2Ktwo!\x1b[2B\r'));
    expect(read(transcript, { cursor })).toMatchObject({ output: 'two!\nthree', rewrittenFrom: 1, fromLine: 1 });
  });

  it('repeats nothing if a progress line is rewritten, but reports it', () => {
    const transcript = transcriptOf(80, 24);
    transcript.append(Buffer.from('start\r\n 10%'));
    const first = read(transcript, {});
    transcript.append(Buffer.from('\r 20%'));
    const second = read(transcript, { cursor: first.cursor });
    expect(second).toMatchObject({ output: ' 20%', rewrittenFrom: 1, continuesLine: false });
    transcript.append(Buffer.from('\r\ndone\r\n'));
    expect(read(transcript, { cursor: second.cursor })).toMatchObject({
      output: '\ndone',
      rewrittenFrom: null,
      continuesLine: true,
    });
  });

  it('reports how many lines were dropped in between, and which', () => {
    const transcript = transcriptOf(80, 24, 100);
    transcript.append(Buffer.from('first\r\n'));
    const { cursor } = read(transcript, {});
    transcript.append(Buffer.from(Array.from({ length: 1000 }, (_, i) => `line ${i}\r\n`).join('')));
    const page = read(transcript, { cursor });
    expect(page).toMatchObject({ fromLine: 901, droppedLines: 900, droppedFrom: 1, truncated: true, totalLines: 1001 });
    expect(page.output.split('\n')[0]).toBe('line 900');
    expect(page.stats).toMatchObject({ linesShown: 100, linesOmitted: 900 });
  });

  it('is refused if the cursor is invalid, of another format, or of another terminal', () => {
    const transcript = transcriptOf(80, 24);
    transcript.append(Buffer.from('hello'));
    const other = transcriptOf(80, 24, 100, 1e6, 'b');
    other.append(Buffer.from('hello'));
    const refused = [
      { cursor: 'nonsense' },
      { cursor: read(transcript, { format: 'raw' }).cursor },
      { cursor: read(transcript, {}).cursor, format: 'raw' as const },
      { cursor: read(other, {}).cursor },
      { cursor: read(other, { format: 'raw' }).cursor, format: 'raw' as const },
      { cursor: read(transcript, {}).cursor.replace(/[^.]+$/, 'zzz') },
      { cursor: read(transcript, { format: 'raw' }).cursor.replace(/[^.]+$/, 'zzz'), format: 'raw' as const },
    ];
    for (const request of refused) {
      expect(() => read(transcript, request)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    }
  });
});

describe('reading by line number', () => {
  it('never loses output, and repeats at most the unfinished last line', () => {
    const line = fc.stringMatching(/^[ -~]{0,30}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(line, fc.boolean(), fc.boolean()), { maxLength: 60 }), (all) => {
        const transcript = transcriptOf(40, 5);
        const copy: string[] = [];
        let since = 0;
        const readOn = (): void => {
          const page = read(transcript, { since, maxLines: 7 });
          expect(page.nextReadFrom).toBeGreaterThanOrEqual(since);
          copy.length = since;
          if (page.stats.linesShown > 0) copy.push(...page.output.split('\n'));
          since = page.nextReadFrom;
          if (page.hasMore) readOn();
        };
        for (const [text, isEnded, isRead] of all) {
          transcript.append(Buffer.from(isEnded ? `${text}\r\n` : text));
          if (isRead) readOn();
        }
        readOn();
        expect(copy).toEqual(allLines(transcript));
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});

describe('output modes', () => {
  const transcript = transcriptOf(80, 24);
  transcript.append(Buffer.from(Array.from({ length: 100 }, (_, i) => `line ${i}\r\n`).join('')));
  const lines = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, i) => `line ${from + i}`).join('\n');

  it.each<[string, ReadOutput, string, Partial<HistoryPage>, Partial<HistoryPage['stats']>]>([
    ['everything', {}, lines(0, 100), { nextReadFrom: 100, hasMore: false, truncated: false }, { linesShown: 100, linesOmitted: 0 }],
    ['from a line on', { since: 97 }, lines(97, 100), { fromLine: 97, nextReadFrom: 100, truncated: false }, { linesShown: 3, linesOmitted: 0 }],
    ['from beyond the end', { since: 500 }, '', { nextReadFrom: 100, hasMore: false, truncated: false }, { linesShown: 0, linesOmitted: 0 }],
    ['a page', { since: 10, maxLines: 5 }, lines(10, 15), { nextReadFrom: 15, hasMore: true, truncated: true }, { linesShown: 5, linesOmitted: 85 }],
    ['the head', { mode: 'head', headLines: 2 }, lines(0, 2), { nextReadFrom: 2, hasMore: true, truncated: true }, { linesShown: 2, linesOmitted: 98 }],
    ['the head by default', { mode: 'head' }, lines(0, 50), { nextReadFrom: 50, hasMore: true }, { linesShown: 50, linesOmitted: 50 }],
    ['the tail', { mode: 'tail', tailLines: 2 }, lines(98, 100), { fromLine: 98, nextReadFrom: 100, hasMore: false, truncated: true }, { linesShown: 2, linesOmitted: 98 }],
    ['the tail since a line', { mode: 'tail', tailLines: 5, since: 97 }, lines(97, 100), { truncated: false }, { linesShown: 3, linesOmitted: 0 }],
    ['no tail', { mode: 'tail', tailLines: 0 }, '', { nextReadFrom: 100, truncated: true }, { linesShown: 0, linesOmitted: 100 }],
    ['head and tail', { mode: 'head-tail', headLines: 2, tailLines: 1 }, `${lines(0, 2)}\n... [97 lines omitted] ...\n${lines(99, 100)}`, { fromLine: 0, nextReadFrom: 100, hasMore: false, truncated: true }, { linesShown: 3, linesOmitted: 97 }],
    ['head and tail that meet', { mode: 'head-tail', headLines: 60, tailLines: 60 }, lines(0, 100), { truncated: false }, { linesShown: 100, linesOmitted: 0 }],
    ['as many bytes as wanted', { maxBytes: 1024 }, lines(0, 134).slice(0, 1023).split('\n').slice(0, -1).join('\n'), { hasMore: false }, {}],
  ])('show %s', (_what, request, output, page, stats) => {
    const answer = read(transcript, request);
    if (request.maxBytes !== undefined) {
      expect(Buffer.byteLength(answer.output)).toBeLessThanOrEqual(request.maxBytes);
      return;
    }
    expect(answer.output).toBe(output);
    expect(answer).toMatchObject({ totalLines: 100, ...page, stats: { totalBytes: transcript.end, ...stats } });
  }); // prettier-ignore

  it('return each line separately, with its number and time, on request', () => {
    let now = Date.UTC(2026, 0, 1);
    const timed = new Transcript({
      id: 'a',
      cols: 80,
      rows: 3,
      maxLines: 9,
      maxBytes: 1e6,
      now: () => now,
      onReply: () => undefined,
    });
    for (const text of ['one\r\n', 'two\r\nthree\r\n', 'fo', 'ur']) {
      timed.append(Buffer.from(text));
      now += 1000;
    }
    const time = (seconds: number): string => `2026-01-01T00:00:0${seconds}.000Z`;
    const four = { line: 3, time: time(2), text: 'four' };
    expect(read(timed, { entries: true }).entries).toEqual([
      { line: 0, time: time(0), text: 'one' },
      { line: 1, time: time(1), text: 'two' },
      { line: 2, time: time(1), text: 'three' },
      four,
    ]);
    expect(read(timed, { entries: true, mode: 'head-tail', headLines: 0, tailLines: 1 })).toMatchObject({
      output: '... [3 lines omitted] ...\nfour',
      entries: [four],
    });
    expect(read(timed, {}).entries).toBeUndefined();
  });

  it('cut a page at the byte limit, at a line ending, and continue from there', () => {
    const first = read(transcript, { maxBytes: 1024, maxLines: 1000 });
    const big = transcriptOf(80, 24);
    big.append(Buffer.from(Array.from({ length: 100 }, () => `${'x'.repeat(100)}\r\n`).join('')));
    const page = read(big, { maxBytes: 1024 });
    expect(page).toMatchObject({ hasMore: true, truncated: true, nextReadFrom: 10 });
    expect(page.stats.shownBytes).toBeLessThanOrEqual(1024);
    expect(first.hasMore).toBe(false);
  });

  it('count what the entries of a page cost, so that a page of short lines is no larger than one of long lines', () => {
    const short = transcriptOf(80, 24);
    short.append(Buffer.from('x\r\n'.repeat(1000)));
    const page = read(short, { entries: true, maxBytes: 1024, maxLines: 1000 });
    expect(page).toMatchObject({ hasMore: true, cutBy: 'maxBytes' });
    expect(JSON.stringify(page.entries).length).toBeLessThanOrEqual(1024);
  });

  it('return raw bytes by line, by cursor and never half a character', () => {
    const raw = transcriptOf(80, 24);
    const all = Array.from({ length: 400 }, (_, i) => `\x1b[3${i % 8}m日本語 ${i}\x1b[0m\r\n`).join('');
    raw.append(Buffer.from(all));
    let page = read(raw, { format: 'raw', maxBytes: 1025 });
    let copy = page.output;
    while (page.hasMore) {
      page = read(raw, { format: 'raw', maxBytes: 1025, cursor: page.cursor });
      expect(page.output).not.toContain('\ufffd');
      copy += page.output;
    }
    expect(copy).toBe(all);
    expect(read(raw, { format: 'raw', mode: 'tail', tailLines: 2 }).output).toBe(all.split('\n').slice(-3).join('\n'));
    expect(read(raw, { format: 'raw', since: 399 }).output).toBe(`${all.split('\n').at(-2)}\n`);
  });
});

describe('history limits', () => {
  it('bound lines and bytes of any output, and keep the remaining lines correct', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 20_000, max: 60_000 }),
        fc.array(steps, { minLength: 1, maxLength: 6 }),
        (cols, rows, maxLines, maxBytes, groups) => {
          const bounded = transcriptOf(cols, rows, maxLines, maxBytes);
          const unbounded = transcriptOf(cols, rows);
          for (const transcript of [bounded, unbounded]) {
            play(transcript, groups.flat(), () => transcript.view());
          }
          const view = bounded.view();
          expect(view.total - view.oldest).toBeLessThanOrEqual(maxLines);
          expect(bounded.heldBytes).toBeLessThanOrEqual(3 * maxBytes + 12 * 4096);
          expect(view.total).toBe(unbounded.view().total);
          expect(allLines(bounded)).toEqual(allLines(unbounded).slice(view.oldest));
          expect(allLines(bounded, 'ansi')).toEqual(allLines(unbounded, 'ansi').slice(view.oldest));
        },
      ),
      { numRuns: Math.ceil(RUNS / 3), seed: SEED },
    );
  });

  it('keep the parts of an overlong line at their numbers, however often they are read', () => {
    const transcript = transcriptOf(80, 24);
    const follower = new Follower(transcript, 1e6);
    transcript.append(Buffer.alloc(64_000, 'x'));
    for (let piece = 0; piece < 60; piece++) {
      transcript.append(Buffer.alloc(97, 'x'));
      expect(follower.readOnce().rewrittenFrom).toBeNull();
    }
    expect(follower.copy.map(({ length }) => length)).toEqual(allLines(transcript).map(({ length }) => length));
    expect(follower.copy.join('')).toHaveLength(64_000 + 60 * 97);
  });

  it('keep earlier lines if an endless progress line overwrites the output', () => {
    const transcript = transcriptOf(80, 24, 1000, 64 << 10);
    transcript.append(Buffer.from(Array.from({ length: 100 }, (_, i) => `\x1b[32mline ${i}\x1b[0m\r\n`).join('')));
    for (let i = 0; i < 20_000; i++) transcript.append(Buffer.from(`\rprogress ${i}`));
    expect(allLines(transcript)).toEqual([...Array.from({ length: 100 }, (_, i) => `line ${i}`), 'progress 19999']);
    expect(transcript.heldBytes).toBeLessThan(3 * (64 << 10));
  });

  it('split a line that never ends', () => {
    const transcript = transcriptOf(80, 24, 1000, 1 << 20);
    for (let i = 0; i < 300; i++) transcript.append(Buffer.alloc(1000, 'x'));
    const lines = allLines(transcript);
    expect(lines.join('')).toBe('x'.repeat(300_000));
    expect(lines.length).toBeGreaterThan(3);
  });
});
