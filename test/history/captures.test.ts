/** Tests that the history of recorded real programs equals what an emulator fed character by character has shown. */
import fc from 'fast-check';
import type { Transcript } from '../../src/transcript/transcript.js';
import { CAPTURE_SIZE, captureNames, readCapture } from '../captures/capture.js';
import { ReferenceHistory } from './reference.js';
import { linesOf, screenOf, unboundedTranscript } from './shown.js';

/** Per capture. Captures are long, so that a few splits cover many places. */
const SPLITS = Number(process.env['CAPTURE_SPLITS'] ?? 10);
/** Programs that drew for another size are valid output, too. */
const SIZES = [CAPTURE_SIZE, { cols: 37, rows: 7 }, { cols: 133, rows: 50 }];

/** Writes the bytes in pieces that end at random places, at some of which the history is read. */
function play(transcript: Transcript, bytes: Buffer, cuts: readonly Cut[]): void {
  const places = cuts.map(({ at, isLook }) => ({ at: at % (bytes.length + 1), isLook }));
  let from = 0;
  for (const { at, isLook } of places.sort((a, b) => a.at - b.at)) {
    transcript.append(bytes.subarray(from, at));
    if (isLook) transcript.view();
    from = at;
  }
  transcript.append(bytes.subarray(from));
}

const cuts = fc.array(fc.record({ at: fc.nat(), isLook: fc.boolean() }), { maxLength: 60 });
type Cut = { readonly at: number; readonly isLook: boolean };

describe.each(captureNames())('the capture of %s', (name) => {
  const bytes = readCapture(name);

  it.each(SIZES)('produces the emulator’s lines and screen on $cols × $rows, however it is split', (size) => {
    const reference = new ReferenceHistory(size.cols, size.rows);
    reference.feed(bytes);
    const split = fc.property(cuts, (places) => {
      const transcript = unboundedTranscript(size.cols, size.rows);
      play(transcript, bytes, places);
      expect(linesOf(transcript)).toEqual(reference.lines);
      expect(screenOf(transcript)).toEqual(reference.screen);
    });
    fc.assert(split, { numRuns: SPLITS });
  });

  it('contains no home directory', () => {
    const paths = bytes.toString('latin1').match(/\/(?:home|root|Users)\/[^\s]*/g) ?? [];
    expect(paths).toEqual([]);
  });
});

describe('the history as a person would have read it', () => {
  /** What was on the screen before some programs started. */
  const BEFORE = Array.from({ length: 30 }, (_, n) => String(n + 1));

  /** Reads a recording in one piece. */
  function read(name: string): { lines: string[]; alternate: boolean } {
    const transcript = unboundedTranscript(CAPTURE_SIZE.cols, CAPTURE_SIZE.rows);
    transcript.append(readCapture(name));
    return { lines: linesOf(transcript), alternate: transcript.screen('text').alternate };
  }

  it('of npm install is its result, without the spinner', () => {
    expect(read('npm-install').lines).toEqual([
      '',
      expect.stringMatching(/^added \d+ packages in \d+\w+$/),
      '',
      '1 package is looking for funding',
      '  run `npm fund` for details',
    ]);
  });

  it('of git clone is each step once, at its end', () => {
    expect(read('git-clone').lines).toEqual([
      "Cloning into 'copy'...",
      'remote: Enumerating objects: 1502, done.',
      'remote: Counting objects: 100% (1502/1502), done.',
      'remote: Compressing objects: 100% (1502/1502), done.',
      expect.stringMatching(/^remote: Total 1502 \(delta 0\), reused 0 \(delta 0\), pack-reused 0$/),
      expect.stringMatching(/^Receiving objects: 100% \(1502\/1502\), [\d.]+ MiB \| [\d.]+ MiB\/s, done\.$/),
    ]);
  });

  it('of cargo build is what was compiled and the warning, without the bar', () => {
    const { lines } = read('cargo-build');
    expect(lines.filter((line) => line.startsWith('   Compiling '))).toHaveLength(5);
    expect(lines).toContain('2 |     let unused = 1;');
    expect(lines).toContain('  |         ^^^^^^ help: if this is intentional, prefix it with an underscore: `_unused`');
    expect(lines.at(-1)).toMatch(/^ {4}Finished dev \[unoptimized \+ debuginfo\] target\(s\) in /);
    expect(lines.filter((line) => line.includes('Building'))).toEqual([]);
  });

  it('of several progress bars is each at its end', () => {
    expect(read('multi-bar').lines).toEqual([
      ...BEFORE,
      'latest: Pulling from library/example',
      '4f4fb700ef54: Pull complete',
      '8a9fdcb0d4bb: Pull complete',
      'c158987b0551: Pull complete',
      'e7c96db7181b: Pull complete',
      'f64bd1e4c7b3: Pull complete',
      'Status: Downloaded newer image for example:latest',
    ]);
  });

  it('of apt install is its output, without the bar below it', () => {
    const { lines } = read('apt-install');
    expect(lines.slice(0, BEFORE.length + 3)).toEqual([
      ...BEFORE,
      'Reading package lists... Done',
      'Building dependency tree... Done',
      'Reading state information... Done',
    ]);
    expect(lines.filter((line) => line.startsWith('Unpacking '))).toHaveLength(2);
    expect(lines.at(-1)).toMatch(/^Processing triggers for /);
    expect(lines.filter((line) => /Progress: \[|\.\.\. \d+%/.test(line))).toEqual([]);
  });

  it('of a cleared screen is what was on it', () => {
    const typed = ['$ seq 5', '1', '2', '3', '4', '5', '$ clear'];
    expect(read('clear').lines).toEqual([...typed, '$ echo back in the shell', 'back in the shell', '$ exit', 'exit']);
  });

  it.each([
    ['vim', 'vim --clean notes.txt'],
    ['less', 'less long.log'],
    ['htop', 'htop --delay 3'],
  ])('of %s is only its command line', (name, command) => {
    const { lines, alternate } = read(name);
    expect(lines).toEqual([`$ ${command}`, '$ echo back in the shell', 'back in the shell', '$ exit', 'exit']);
    expect(alternate).toBe(false);
  });
});
