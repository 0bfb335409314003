/** Formats a tool call as lines: its title, status, changes and text. Pure. */
import type { FileDiff, ToolCall } from './events.js';
import { sanitizeLine } from '../sanitize.js';
import type { TextStyles } from './text-styles.js';

const MARKS = new Map([
  ['pending', '○'],
  ['in_progress', '●'],
  ['completed', '✔'],
  ['failed', '✘'],
]);
const MAX_TITLE_CHARS = 200;
/** Maximum number of lines shown of a tool's text, and of each side of a change. */
const MAX_TEXT_LINES = 8;
const MAX_DIFF_LINES = 8;
const MAX_LINE_CHARS = 200;

/** Returns whether the tool call has ended. */
export function isToolOver({ status }: ToolCall): boolean {
  return status === 'completed' || status === 'failed';
}

/** Formats a tool call's heading: `● npm test`. */
export function toolHeading(call: ToolCall, styles: TextStyles): string {
  const mark = MARKS.get(call.status ?? 'pending') ?? '○';
  const colour = call.status === 'failed' ? styles.bad : call.status === 'completed' ? styles.good : styles.hint;
  return `${colour(mark)} ${styles.bold(sanitizeLine(call.title, MAX_TITLE_CHARS))}`;
}

/** Returns a tool's text, or nothing if the tool has terminals, because their output contains the text. */
export function textLines(
  { texts, terminalIds }: Pick<ToolCall, 'texts' | 'terminalIds'>,
  styles: TextStyles,
): string[] {
  if (terminalIds.length > 0) return [];
  return shortened(linesOf(texts.join('\n')), MAX_TEXT_LINES, styles).map((line) => styles.dim(line));
}

/** Formats a change: `± src/a.ts  +2 −1`, followed by the removed and the added lines. */
export function diffLines({ path, oldText, newText }: FileDiff, styles: TextStyles): string[] {
  const [before, after] = changed(oldText === null ? [] : linesOf(oldText), linesOf(newText));
  const counts = `${styles.good(`+${after.length}`)} ${styles.bad(`−${before.length}`)}`;
  const gone = shortened(before, MAX_DIFF_LINES, styles).map((line) => styles.bad(`- ${line}`));
  const added = shortened(after, MAX_DIFF_LINES, styles).map((line) => styles.good(`+ ${line}`));
  return [`± ${sanitizeLine(path, MAX_TITLE_CHARS)}  ${counts}`, ...gone, ...added];
}

/** Returns both versions without the lines that they share at the start and at the end. */
function changed(before: string[], after: string[]): [string[], string[]] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

function linesOf(text: string): string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.length === 1 && lines[0] === '' ? [] : lines;
}

function shortened(lines: readonly string[], max: number, styles: TextStyles): string[] {
  const shown = lines.slice(0, max).map((line) => sanitizeLine(line, MAX_LINE_CHARS));
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, styles.dim(`… ${rest} more ${rest === 1 ? 'line' : 'lines'}`)] : shown;
}
