/**
 * Formats a permission question as rows of the person's terminal. All of them must be visible at once, because a person
 * who allows something without having seen it has not given permission. A question that does not fit on the screen is
 * cut off, with a note. Pure.
 */
import { sanitizeLine, sanitizeForDecision } from '../sanitize.js';
import type { FileLocation, PermissionQuestion } from './events.js';
import { textStyles } from './text-styles.js';
import type { TextStyles } from './text-styles.js';
import { wrapLine } from './screen-size.js';
import type { ScreenSize } from './screen-size.js';
import { formatInput } from './format-input.js';
import { diffLines, textLines } from './format-tool.js';

/** Maximum number of characters of the additional information. */
const MAX_REST_CHARS = 500;
const MAX_LOCATIONS = 10;
/**
 * Starts each row of text that is not our own, so that nothing in that text looks like an option; `WRAP_GUTTER` starts
 * the continuation of a wrapped line.
 */
const GUTTER = '│';
const WRAP_GUTTER = '┊';
/** Number of cells around a row's text. */
const MARGIN_CELLS = 6;
/** Number of rows that are always shown: the heading, and the line for the answer. */
const OWN_ROWS = 2;
/** Minimum width of a screen that can show a question readably. */
const MIN_COLUMNS = 40;

interface Part {
  readonly label: string;
  readonly text: string;
}

interface Rows {
  readonly heading: string;
  /** Rows that the person must see. */
  readonly parts: readonly string[];
  readonly extra: readonly string[];
  readonly options: readonly string[];
}

/** Returns whether everything that the person must see fits on the screen. If not, the person cannot be asked. */
export function fitsScreen(question: PermissionQuestion, screen: ScreenSize): boolean {
  return freeRows(rowsOf(question, textStyles(false), screen), screen) >= 0;
}

/**
 * Formats the question: `Run this?`, the command, its directory, its variables, the reason for asking, and the options.
 */
export function questionLines(question: PermissionQuestion, styles: TextStyles, screen: ScreenSize): string[] {
  const rows = rowsOf(question, styles, screen);
  const { heading, parts, extra, options } = rows;
  const free = freeRows(rows, screen);
  if (free >= 0) return [heading, ...parts, ...shortened(extra, free, styles), ...options];
  const rest = `  ${styles.bad('The rest does not fit on the screen.')}`;
  return [heading, ...parts.slice(0, Math.max(0, parts.length + free)), rest, ...options];
}

/** Returns the number of rows that remain free, which is negative if the rows do not fit. */
function freeRows({ parts, extra, options }: Rows, { columns, rows }: ScreenSize): number {
  const needed = OWN_ROWS + parts.length + options.length + (extra.length > 0 ? 1 : 0);
  return columns < MIN_COLUMNS ? -needed : rows - needed;
}

/**
 * Shortens the additional information.
 *
 * @param free - Number of free rows in addition to the one that is always available.
 */
function shortened(extra: readonly string[], free: number, { dim }: TextStyles): string[] {
  if (extra.length <= free + 1) return [...extra];
  return [...extra.slice(0, free), `  ${dim(`… ${extra.length - free} more rows`)}`];
}

function rowsOf(question: PermissionQuestion, styles: TextStyles, screen: ScreenSize): Rows {
  const { bold, dim, hint } = styles;
  const { title, options, command } = question;
  const ask = sanitizeForDecision(title.slice(0, screen.columns));
  const isShort = title.length < screen.columns && wrapLine(ask, screen.columns - MARGIN_CELLS).length === 1;
  const isTitled = command === undefined && !title.includes('\n') && isShort;
  const parts = partsOf(question).slice(isTitled ? 1 : 0);
  return {
    heading: `${hint('?')} ${bold(isTitled ? ask : command === undefined ? 'Allow this?' : 'Run this?')}`,
    parts: parts.flatMap(({ label, text }) => partRows(dim(label), text, screen)),
    extra: extra(question, styles).flatMap((line) => rowsOfLine(line, screen)),
    options: options.flatMap(({ name }, at) => partRows(hint(String(at + 1)), name.replace(/[\r\n]+/g, ' '), screen)),
  };
}

/** Returns the rows of one part or, if its text is longer than the screen, only slightly more rows than fit. */
function partRows(label: string, text: string, screen: ScreenSize): string[] {
  const seen = sanitizeForDecision(text).slice(0, screen.columns * screen.rows + 1);
  return seen.split('\n').flatMap((line) => rowsOfLine(`${label} ${line}`, screen));
}

function rowsOfLine(line: string, { columns }: ScreenSize): string[] {
  const [first, ...more] = wrapLine(line, Math.max(1, columns - MARGIN_CELLS));
  return [`  ${first}`, ...more.map((row) => `  ${WRAP_GUTTER} ${row}`)];
}

/** Returns additional information from the agent, in abbreviated form. */
function extra({ rawInput, locations = [], texts = [], diffs = [] }: PermissionQuestion, styles: TextStyles): string[] {
  const { rest } = formatInput(rawInput);
  const more = locations.length - MAX_LOCATIONS;
  return [
    ...(rest === null ? [] : [`${styles.dim('with')} ${sanitizeLine(rest, MAX_REST_CHARS)}`]),
    ...locations.slice(0, MAX_LOCATIONS).map((location) => `${styles.dim('at')} ${placeOf(location)}`),
    ...(more > 0 ? [styles.dim(`… ${more} more places`)] : []),
    ...textLines({ texts, terminalIds: [] }, styles).map((line) => `${styles.dim(GUTTER)} ${line}`),
    ...diffs.flatMap((diff) => diffLines(diff, styles)),
  ];
}

function placeOf({ path, line }: FileLocation): string {
  return sanitizeLine(line === null ? path : `${path}:${line}`, MAX_REST_CHARS);
}

function partsOf({ title, command, rawInput }: PermissionQuestion): Part[] {
  if (command === undefined) {
    const wholeParts = formatInput(rawInput).whole.filter(({ text }) => text !== title);
    const parts = wholeParts.map(({ label, text }) => ({
      label: label === null ? GUTTER : sanitizeLine(label, 40),
      text,
    }));
    return [{ label: GUTTER, text: title }, ...parts];
  }
  const { text, cwd, env, reason } = command;
  return [
    { label: GUTTER, text },
    { label: 'in', text: cwd ?? 'an unknown directory' },
    ...Object.entries(env).map(([name, value]) => ({ label: 'with', text: `${name}=${value}` })),
    { label: 'because of', text: reason },
  ];
}
