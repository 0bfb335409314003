/**
 * A question as lines: all of what is asked, because a person who allows what they have not seen was not asked. What is too
 * long to be read is not shown whole, and is said to be. Pure.
 */
import { harmless, harmlessLine } from '../harmless.js';
import type { FileLocation, PermissionQuestion } from './events.js';
import type { Ink } from './ink.js';
import { seenInput } from './paint-input.js';
import { diffLines, textLines } from './paint-tool.js';

/** Some twenty screens: nobody reads more for one key. */
const MAX_CHARS = 20_000;
const MAX_LINES = 400;
const MAX_OPTION_CHARS = 300;
/** Of what is told besides. */
const MAX_REST_CHARS = 500;
const MAX_LOCATIONS = 10;
/** More lines than that are counted for who cannot see the first any more. */
const MANY_LINES = 15;
/** Before what others have written, so that nothing in it looks like an answer to choose. */
const GUTTER = '│';

interface Part {
  readonly label: string;
  readonly text: string;
}

/** How many characters that have to be seen are not shown; where there are some, nobody can be asked. */
export function unseenChars(question: PermissionQuestion): number {
  const options = question.options.map(({ name }) => Math.max(0, name.length - MAX_OPTION_CHARS));
  const parts = partsOf(question);
  return options.reduce((sum, chars) => sum + chars, charsOf(parts) - charsOf(readable(parts)));
}

/** `? Run this?`, what it is, where, with what variables and why it is asked, and the answers there are. */
export function questionLines(question: PermissionQuestion, ink: Ink): string[] {
  const { bold, dim, hint, bad } = ink;
  const { title, options, command } = question;
  const unseen = unseenChars(question);
  const isTitled = command === undefined && !title.includes('\n') && unseen === 0;
  const parts = readable(partsOf(question)).slice(isTitled ? 1 : 0);
  const lines = parts.flatMap((part) => partLines(part, ink));
  return [
    `${hint('?')} ${bold(isTitled ? harmlessLine(title) : command === undefined ? 'Allow this?' : 'Run this?')}`,
    ...lines,
    ...besides(question, ink).map((line) => `  ${line}`),
    ...(lines.length > MANY_LINES ? [`  ${dim(`(${lines.length} lines)`)}`] : []),
    ...(unseen > 0 ? [`  ${bad(`${unseen} more characters are not shown`)}`] : []),
    ...options.map(({ name }, at) => `  ${hint(String(at + 1))} ${harmlessLine(name, MAX_OPTION_CHARS)}`),
  ];
}

function partLines({ label, text }: Part, { dim }: Ink): string[] {
  const lines = harmless(text).split('\n');
  return lines.map((line) => `  ${dim(label)} ${line}`);
}

/** What an agent tells of it in more words, in short. */
function besides({ rawInput, locations = [], texts = [], diffs = [] }: PermissionQuestion, ink: Ink): string[] {
  const { rest } = seenInput(rawInput);
  const more = locations.length - MAX_LOCATIONS;
  return [
    ...(rest === null ? [] : [`${ink.dim('with')} ${harmlessLine(rest, MAX_REST_CHARS)}`]),
    ...locations.slice(0, MAX_LOCATIONS).map((location) => `${ink.dim('at')} ${placeOf(location)}`),
    ...(more > 0 ? [ink.dim(`… ${more} more places`)] : []),
    ...textLines({ texts, terminalIds: [] }, ink).map((line) => `${ink.dim(GUTTER)} ${line}`),
    ...diffs.flatMap((diff) => diffLines(diff, ink)),
  ];
}

function placeOf({ path, line }: FileLocation): string {
  return harmlessLine(line === null ? path : `${path}:${line}`, MAX_REST_CHARS);
}

function partsOf({ title, command, rawInput }: PermissionQuestion): Part[] {
  if (command === undefined) {
    const told = seenInput(rawInput).whole.filter(({ text }) => text !== title);
    const parts = told.map(({ label, text }) => ({ label: label === null ? GUTTER : harmlessLine(label, 40), text }));
    return [{ label: GUTTER, text: title }, ...parts];
  }
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
