/** A tool call as lines: what it is, how it stands, what it has changed and said. Pure. */
import type { FileDiff, ToolCall } from './events.js';
import { harmlessLine } from '../harmless.js';
import type { Ink } from './ink.js';

const MARKS = new Map([
  ['pending', '○'],
  ['in_progress', '●'],
  ['completed', '✔'],
  ['failed', '✘'],
]);
const MAX_TITLE_CHARS = 200;
/** Of what a tool says so many lines are shown, of a change so many on either side. */
const MAX_TEXT_LINES = 8;
const MAX_DIFF_LINES = 8;
const MAX_LINE_CHARS = 200;

/** Whether nothing more is to be expected of it. */
export function isOver({ status }: ToolCall): boolean {
  return status === 'completed' || status === 'failed';
}

/** `● npm test`. */
export function headOf(call: ToolCall, ink: Ink): string {
  const mark = MARKS.get(call.status ?? 'pending') ?? '○';
  const colour = call.status === 'failed' ? ink.bad : call.status === 'completed' ? ink.good : ink.hint;
  return `${colour(mark)} ${ink.bold(harmlessLine(call.title, MAX_TITLE_CHARS))}`;
}

/** What it says, which is the same as in its terminals where it has some. */
export function textLines({ texts, terminalIds }: Pick<ToolCall, 'texts' | 'terminalIds'>, ink: Ink): string[] {
  if (terminalIds.length > 0) return [];
  return shortened(linesOf(texts.join('\n')), MAX_TEXT_LINES, ink).map((line) => ink.dim(line));
}

/** `± src/a.ts  +2 −1`, and the lines that are new or gone. */
export function diffLines({ path, oldText, newText }: FileDiff, ink: Ink): string[] {
  const [before, after] = changed(oldText === null ? [] : linesOf(oldText), linesOf(newText));
  const counts = `${ink.good(`+${after.length}`)} ${ink.bad(`−${before.length}`)}`;
  const gone = shortened(before, MAX_DIFF_LINES, ink).map((line) => ink.bad(`- ${line}`));
  const added = shortened(after, MAX_DIFF_LINES, ink).map((line) => ink.good(`+ ${line}`));
  return [`± ${harmlessLine(path, MAX_TITLE_CHARS)}  ${counts}`, ...gone, ...added];
}

/** Without the lines at the beginning and at the end that both have. */
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

function shortened(lines: readonly string[], max: number, ink: Ink): string[] {
  const shown = lines.slice(0, max).map((line) => harmlessLine(line, MAX_LINE_CHARS));
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, ink.dim(`… ${rest} more ${rest === 1 ? 'line' : 'lines'}`)] : shown;
}
