/**
 * Renders complete, plain output as it looks on an empty screen, directly from its bytes. Creating an emulator would
 * take longer than most commands do.
 */
import { fingerprint } from '../history/cursor.js';
import { spanToAnsi, spanToText } from '../history/line-text.js';
import { PlainRunScanner } from '../history/plain-run.js';
import type { ScannedLines } from '../history/plain-run.js';
import { tokensOf } from '../history/tokens.js';
import { Track } from '../history/track.js';
import type { HistoryView } from '../history/view.js';
import { Style } from '../screen/style.js';

/** For larger output, the cost of an emulator is small compared to the rest. */
export const MAX_PLAIN_OUTPUT_BYTES = 64 << 10;
const LINE_END = Buffer.from('\r\n');
const TAB = 0x09;
const LF = 0x0a;
const ESC = 0x1b;

/**
 * @param id - Distinguishes this history from others.
 * @param bytes - The complete output, which must stay unchanged while the view is in use.
 * @param cols - Width of the screen.
 * @returns Null if the output is not plain, or longer than `MAX_PLAIN_OUTPUT_BYTES`.
 */
export function plainView(id: string, bytes: Buffer, cols: number): HistoryView | null {
  const lines = bytes.length > MAX_PLAIN_OUTPUT_BYTES ? null : linesOf(bytes, cols);
  if (lines === null) return null;
  const { count: total, starts, styles } = lines;
  const now = Date.now();
  const text = (n: number): string => spanToText(spanOf(bytes, lines, n));
  return {
    fingerprint: fingerprint(id),
    ...{ oldest: 0, lostLines: [], lostOutput: [], clearedAt: 0, revision: 0, firstChangeSince: () => null },
    ...{ total, mutableFrom: total, resumeAt: total, outputStart: 0, outputEnd: bytes.length, track: new Track() },
    isHeld: () => true,
    ansi: (n) => spanToAnsi(spanOf(bytes, lines, n), styles[n]!),
    text,
    texts: (from, to) => Array.from({ length: to - from }, (_, i) => text(from + i)),
    tokens: (n) => tokensOf(text(n)),
    timeOf: () => now,
    offsetOf: (n) => starts[n]!,
    bytes: (from, to) => bytes.subarray(from, to),
  };
}

/** Returns the first byte and the length of each line; null if something is not plain. */
function linesOf(bytes: Buffer, cols: number): ScannedLines | null {
  // A tab leaves cells unchanged and shows no background, unlike blanks.
  if (bytes.includes(TAB) && bytes.includes(ESC)) return null;
  const run = new PlainRunScanner();
  run.begin(0, cols, true, new Style());
  const isEnded = bytes.length === 0 || bytes.at(-1) === LF;
  const whole = isEnded ? bytes : Buffer.concat([bytes, LINE_END]);
  run.scan(whole, 0, 0);
  if (run.isOver || run.lineStart !== whole.length) return null;
  const { found } = run;
  const last = found.count - 1;
  // If nothing follows the last line ending, there is no line.
  if (!isEnded && spanToText(spanOf(bytes, found, last)) === '') found.count--;
  return found;
}

function spanOf(bytes: Buffer, { starts, lengths }: ScannedLines, n: number): Buffer {
  return bytes.subarray(starts[n], starts[n]! + lengths[n]!);
}
