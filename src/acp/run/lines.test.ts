/** Tests how a person sees output of the agent's terminals. */
import { LiveLines } from './live-lines.js';
import { RenderedLines } from './rendered-lines.js';

function seen(...pieces: (string | Uint8Array)[]): string[] {
  const lines: string[] = [];
  const seenLines = new RenderedLines((ansi) => lines.push(ansi));
  for (const piece of pieces) seenLines.write(Buffer.from(piece));
  seenLines.end();
  return lines;
}

describe('lines of a terminal', () => {
  it('contain the text as last displayed', () => {
    expect(seen('one\r\n', '10%\r20%\r100%\r\n', 'a\x1b[2Kb\r\n', '\x1b]0;title\x07last')).toEqual([
      ...['one', '100%', ' b', 'last'],
    ]);
  });

  it('may end as in a pipe, and be split anywhere', () => {
    expect(seen('one\ntwo\r', '\nthree\n', '\nfive')).toEqual(['one', 'two', 'three', '', 'five']);
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
    expect(seen('a', first, second, 'b')).toEqual(['aéb']);
  });

  it('are complete, however long', () => {
    expect(seen('x'.repeat(1234), '\n', 'y')).toEqual(['x'.repeat(1234), 'y']);
  });

  it('are available as soon as the next line begins', () => {
    const lines: string[] = [];
    const seenLines = new RenderedLines((ansi) => lines.push(ansi));
    seenLines.write(Buffer.from('one\r\ntwo\r\nthr'));
    expect(lines).toEqual(['one', 'two']);
  });

  it('contain nothing left over from full-screen programs', () => {
    expect(seen('before\r\n\x1b[?1049h\x1b[2Jdebris\r\n\r\n\r\n\x1b[?1049lafter')).toEqual(['before', 'after']);
  });
});

describe('live lines', () => {
  function live(...pieces: string[]) {
    const shown: string[] = [];
    const lines = new LiveLines({
      line: (ansi) => shown.push(ansi),
      leftOut: (count) => shown.push(`(${count})`),
    });
    for (const piece of pieces) lines.write(Buffer.from(piece));
    lines.end();
    return shown;
  }
  it('are shown as they arrive, and later in full', () => {
    const shown: string[] = [];
    const lines = new LiveLines({ line: (ansi) => shown.push(ansi), leftOut: () => {} });
    lines.showUnfinished();
    lines.write(Buffer.from('one\r\n\x1b[1mProceed?\x1b[0m [y/N] '));
    lines.showUnfinished();
    lines.write(Buffer.from('y\r\nlast'));
    lines.end();
    expect(shown.map(bare)).toEqual(['one', 'Proceed? [y/N]', 'Proceed? [y/N] y', 'last']);
  });

  const bare = (ansi: string) => ansi.replace(/\x1b\[[\d;]*m/g, '').trimEnd();
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

  it('are all shown if there are few', () => {
    expect(live('one\r\ntw', 'o\r\n')).toEqual(['one', 'two']);
    expect(live('')).toEqual([]);
    expect(live(numbered(1, 400).join('\r\n'))).toEqual(numbered(1, 400));
  });

  it('if there are many: the first are shown, then the number of omitted lines, then the last', () => {
    const all = numbered(1, 100_000);
    const shown = live(`${all.join('\r\n')}\r\n`);
    expect(shown).toEqual([...numbered(1, 400), '(99590)', ...numbered(99_991, 100_000)]);
  });
});
