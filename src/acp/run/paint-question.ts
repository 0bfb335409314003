/**
 * A question as lines: all of what is asked, because a person who allows what they have not seen was not asked. What is too
 * long to be read is not shown whole, and is said to be. Pure.
 */
import { harmless, harmlessLine } from '../harmless.js';
import type { PermissionQuestion } from './events.js';
import type { Ink } from './ink.js';

/** Some twenty screens: nobody reads more for one key. */
const MAX_CHARS = 20_000;
const MAX_LINES = 400;
const MAX_OPTION_CHARS = 300;
/** More lines than that are counted for who cannot see the first any more. */
const MANY_LINES = 15;
/** Before what is to be run, so that nothing in it looks like an answer to choose. */
const GUTTER = '│';

interface Part {
  readonly label: string;
  readonly text: string;
}

/** How many characters of it are not shown; where there are some, nobody can be asked. */
export function unseenChars(question: PermissionQuestion): number {
  const options = question.options.map(({ name }) => Math.max(0, name.length - MAX_OPTION_CHARS));
  const parts = partsOf(question);
  return options.reduce((sum, chars) => sum + chars, charsOf(parts) - charsOf(readable(parts)));
}

/** `? Run this?`, what it is, where, with what variables and why it is asked, and the answers there are. */
export function questionLines(question: PermissionQuestion, { bold, dim, hint, bad }: Ink): string[] {
  const { title, options, command } = question;
  const lines = readable(partsOf(question)).flatMap(({ label, text }) =>
    harmless(text)
      .split('\n')
      .map((line) => `  ${dim(label)} ${line}`),
  );
  const unseen = unseenChars(question);
  const isOneLine = command === undefined && lines.length === 1 && unseen === 0;
  return [
    `${hint('?')} ${bold(isOneLine ? harmlessLine(title) : command === undefined ? 'Allow this?' : 'Run this?')}`,
    ...(isOneLine ? [] : lines),
    ...(lines.length > MANY_LINES ? [`  ${dim(`(${lines.length} lines)`)}`] : []),
    ...(unseen > 0 ? [`  ${bad(`${unseen} more characters are not shown`)}`] : []),
    ...options.map(({ name }, at) => `  ${hint(String(at + 1))} ${harmlessLine(name, MAX_OPTION_CHARS)}`),
  ];
}

function partsOf({ title, command }: PermissionQuestion): Part[] {
  if (command === undefined) return [{ label: GUTTER, text: title }];
  const { text, cwd, env, reason } = command;
  return [
    { label: GUTTER, text },
    { label: 'in', text: cwd ?? 'a directory that is not known' },
    ...Object.entries(env).map(([name, value]) => ({ label: 'with', text: `${name}=${value}` })),
    { label: 'because of', text: reason },
  ];
}

/** What can be shown of them, from the beginning. */
function readable(parts: readonly Part[]): Part[] {
  let [chars, lines] = [MAX_CHARS, MAX_LINES];
  const shown: Part[] = [];
  for (const { label, text } of parts) {
    const cut = text.slice(0, chars).split('\n').slice(0, lines);
    if (cut.length > 0) shown.push({ label, text: cut.join('\n') });
    lines -= cut.length;
    chars -= cut.join('\n').length;
  }
  return shown;
}

function charsOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0);
}
