/** Tests how a person sees output of the agent's terminals. */
import { LiveLines } from './live-lines.js';
import { SeenLines } from './seen-lines.js';

function seen(...pieces: (string | Uint8Array)[]): string[] {
  const lines: string[] = [];
  const seenLines = new SeenLines((ansi) => lines.push(ansi));
  for (const piece of pieces) seenLines.write(Buffer.from(piece));
  seenLines.end();
  return lines;
}

describe('lines of a terminal', () => {
  it('are what was seen in the end', () => {
    expect(seen('one\r\n', '10%\r20%\r100%\r\n', 'a\x1b[2Kb\r\n', '\x1b]0;title\x07last')).toEqual([
      ...['one', '100%', ' b', 'last'],
    ]);
  });

  it('may end as in a pipe, and be cut anywhere', () => {
    expect(seen('one\ntwo\r', '\nthree\n', '\nfive')).toEqual(['one', 'two', 'three', '', 'five']);
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
    expect(seen('a', first, second, 'b')).toEqual(['aéb']);
  });

  it('are whole, however long', () => {
    expect(seen('x'.repeat(1234), '\n', 'y')).toEqual(['x'.repeat(1234), 'y']);
  });

  it('are there as soon as the next one begins', () => {
    const lines: string[] = [];
    const seenLines = new SeenLines((ansi) => lines.push(ansi));
    seenLines.write(Buffer.from('one\r\ntwo\r\nthr'));
    expect(lines).toEqual(['one', 'two']);
  });

  it('of programs that take the whole screen leave no debris', () => {
    expect(seen('before\r\n\x1b[?1049h\x1b[2Jdebris\r\n\r\n\r\n\x1b[?1049lafter')).toEqual(['before', 'after']);
  });
});

describe('live', () => {
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
  it('are shown as far as they are there, and later whole', () => {
    const shown: string[] = [];
    const lines = new LiveLines({ line: (ansi) => shown.push(ansi), leftOut: () => {} });
    lines.showBegun();
    lines.write(Buffer.from('one\r\n\x1b[1mProceed?\x1b[0m [y/N] '));
    lines.showBegun();
    lines.write(Buffer.from('y\r\nlast'));
    lines.end();
    expect(shown.map(bare)).toEqual(['one', 'Proceed? [y/N]', 'Proceed? [y/N] y', 'last']);
  });

  const bare = (ansi: string) => ansi.replace(/\x1b\[[\d;]*m/g, '').trimEnd();
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

  it('are all of a few', () => {
    expect(live('one\r\ntw', 'o\r\n')).toEqual(['one', 'two']);
    expect(live('')).toEqual([]);
    expect(live(numbered(1, 400).join('\r\n'))).toEqual(numbered(1, 400));
  });

  it('of many are the first, how many are left out, and the last', () => {
    const all = numbered(1, 100_000);
    const shown = live(`${all.join('\r\n')}\r\n`);
    expect(shown).toEqual([...numbered(1, 400), '(99590)', ...numbered(99_991, 100_000)]);
  });
});
