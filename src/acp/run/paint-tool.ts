/** Formats a tool call as lines: its title, status, changes and text. Pure. */
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
/** The maximum number of lines shown of a tool's text, and of each side of a change. */
const MAX_TEXT_LINES = 8;
const MAX_DIFF_LINES = 8;
const MAX_LINE_CHARS = 200;

/** Whether the tool call has ended. */
export function isOver({ status }: ToolCall): boolean {
  return status === 'completed' || status === 'failed';
}

/** `● npm test`. */
export function headOf(call: ToolCall, ink: Ink): string {
  const mark = MARKS.get(call.status ?? 'pending') ?? '○';
  const colour = call.status === 'failed' ? ink.bad : call.status === 'completed' ? ink.good : ink.hint;
  return `${colour(mark)} ${ink.bold(harmlessLine(call.title, MAX_TITLE_CHARS))}`;
}

/** A tool's text. Omitted for a tool with terminals, whose output says the same. */
export function textLines({ texts, terminalIds }: Pick<ToolCall, 'texts' | 'terminalIds'>, ink: Ink): string[] {
  if (terminalIds.length > 0) return [];
  return shortened(linesOf(texts.join('\n')), MAX_TEXT_LINES, ink).map((line) => ink.dim(line));
}

/** `± src/a.ts  +2 −1`, and the lines added and removed. */
export function diffLines({ path, oldText, newText }: FileDiff, ink: Ink): string[] {
  const [before, after] = changed(oldText === null ? [] : linesOf(oldText), linesOf(newText));
  const counts = `${ink.good(`+${after.length}`)} ${ink.bad(`−${before.length}`)}`;
  const gone = shortened(before, MAX_DIFF_LINES, ink).map((line) => ink.bad(`- ${line}`));
  const added = shortened(after, MAX_DIFF_LINES, ink).map((line) => ink.good(`+ ${line}`));
  return [`± ${harmlessLine(path, MAX_TITLE_CHARS)}  ${counts}`, ...gone, ...added];
}

/** Returns both texts without the lines that they share at the start and the end. */
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
