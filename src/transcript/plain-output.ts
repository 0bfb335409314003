/**
 * Output that is whole and plain, as it looks on an empty screen: known from its bytes, without an emulator, which
 * costs more to make than most commands do to run. It knows neither commands nor where bytes come from.
 */
import { fingerprint } from '../history/cursor.js';
import { spanToAnsi, spanToText } from '../history/line-text.js';
import { PlainRun } from '../history/plain-run.js';
import type { FoundLines } from '../history/plain-run.js';
import { tokensOf } from '../history/tokens.js';
import type { HistoryView } from '../history/view.js';
import { Style } from '../screen/style.js';

/** Beyond it an emulator costs little beside what else is to be done. */
export const MAX_PLAIN_OUTPUT_BYTES = 64 << 10;
const LINE_END = Buffer.from('\r\n');
const TAB = 0x09;
const LF = 0x0a;
const ESC = 0x1b;

/**
 * @param id - Tells this history from others.
 * @param bytes - All there is, for as long as the view is used.
 * @param cols - Of the screen.
 * @returns Null for what is not plain, or more than `MAX_PLAIN_OUTPUT_BYTES`.
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
    ...{ total, mutableFrom: total, resumeAt: total, outputStart: 0, outputEnd: bytes.length },
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

/** Each line's first byte and length; null where something is not plain. */
function linesOf(bytes: Buffer, cols: number): FoundLines | null {
  // A tab leaves cells as they were, and shows no background as blanks would.
  if (bytes.includes(TAB) && bytes.includes(ESC)) return null;
  const run = new PlainRun();
  run.begin(0, cols, true, new Style());
  const isEnded = bytes.length === 0 || bytes.at(-1) === LF;
  const whole = isEnded ? bytes : Buffer.concat([bytes, LINE_END]);
  run.scan(whole, 0, 0);
  if (run.isOver || run.lineStart !== whole.length) return null;
  const { found } = run;
  const last = found.count - 1;
  // Where nothing stands behind the last line end there is no line.
  if (!isEnded && spanToText(spanOf(bytes, found, last)) === '') found.count--;
  return found;
}

function spanOf(bytes: Buffer, { starts, lengths }: FoundLines, n: number): Buffer {
  return bytes.subarray(starts[n], starts[n]! + lengths[n]!);
}
