/**
 * Formats a permission question as rows of the person's terminal, all visible at once: a person who allows what they
 * have not seen has not given permission. A question that does not fit on the screen is cut, with a note. Pure.
 */
import { harmlessLine, plainToSee } from '../harmless.js';
import type { FileLocation, PermissionQuestion } from './events.js';
import { inkOf } from './ink.js';
import type { Ink } from './ink.js';
import { wrapped } from './page.js';
import type { Page } from './page.js';
import { seenInput } from './paint-input.js';
import { diffLines, textLines } from './paint-tool.js';

/** Limits for the additional information. */
const MAX_REST_CHARS = 500;
const MAX_LOCATIONS = 10;
/**
 * Printed before text from others, so that nothing in it looks like an option, and before the continuation of a wrapped
 * line.
 */
const GUTTER = '│';
const WRAP_GUTTER = '┊';
/** Cells before and after a row's text. */
const MARGIN_CELLS = 6;
/** Rows always shown: the heading, and the line for the answer. */
const OWN_ROWS = 2;
/** In fewer columns, a question is not readable. */
const MIN_COLUMNS = 40;

interface Part {
  readonly label: string;
  readonly text: string;
}

interface Rows {
  readonly heading: string;
  /** Rows that the person must see. */
  readonly parts: readonly string[];
  readonly besides: readonly string[];
  readonly options: readonly string[];
}

/** Whether everything that must be seen fits on the screen. If not, the person cannot be asked. */
export function fits(question: PermissionQuestion, page: Page): boolean {
  return freeRows(rowsOf(question, inkOf(false), page), page) >= 0;
}

/**
 * Formats the question: `Run this?`, the command, its directory, its variables, the reason for asking, and the options.
 */
export function questionLines(question: PermissionQuestion, ink: Ink, page: Page): string[] {
  const rows = rowsOf(question, ink, page);
  const { heading, parts, besides, options } = rows;
  const free = freeRows(rows, page);
  if (free >= 0) return [heading, ...parts, ...shortened(besides, free, ink), ...options];
  const rest = `  ${ink.bad('The rest does not fit on the screen.')}`;
  return [heading, ...parts.slice(0, Math.max(0, parts.length + free)), rest, ...options];
}

/** Returns the number of rows left for more; negative if there are too few. */
function freeRows({ parts, besides, options }: Rows, { columns, rows }: Page): number {
  const needed = OWN_ROWS + parts.length + options.length + (besides.length > 0 ? 1 : 0);
  return columns < MIN_COLUMNS ? -needed : rows - needed;
}

/** @param free - Rows in addition to one that is always available. */
function shortened(besides: readonly string[], free: number, { dim }: Ink): string[] {
  if (besides.length <= free + 1) return [...besides];
  return [...besides.slice(0, free), `  ${dim(`… ${besides.length - free} more rows`)}`];
}

function rowsOf(question: PermissionQuestion, ink: Ink, page: Page): Rows {
  const { bold, dim, hint } = ink;
  const { title, options, command } = question;
  const ask = plainToSee(title.slice(0, page.columns));
  const isShort = title.length < page.columns && wrapped(ask, page.columns - MARGIN_CELLS).length === 1;
  const isTitled = command === undefined && !title.includes('\n') && isShort;
  const parts = partsOf(question).slice(isTitled ? 1 : 0);
  return {
    heading: `${hint('?')} ${bold(isTitled ? ask : command === undefined ? 'Allow this?' : 'Run this?')}`,
    parts: parts.flatMap(({ label, text }) => partRows(dim(label), text, page)),
    besides: besides(question, ink).flatMap((line) => rowsOfLine(line, page)),
    options: options.flatMap(({ name }, at) => partRows(hint(String(at + 1)), name.replace(/[\r\n]+/g, ' '), page)),
  };
}

/** For a text longer than the screen, returns more rows than fit, but not many more. */
function partRows(label: string, text: string, page: Page): string[] {
  const seen = plainToSee(text).slice(0, page.columns * page.rows + 1);
  return seen.split('\n').flatMap((line) => rowsOfLine(`${label} ${line}`, page));
}

function rowsOfLine(line: string, { columns }: Page): string[] {
  const [first, ...more] = wrapped(line, Math.max(1, columns - MARGIN_CELLS));
  return [`  ${first}`, ...more.map((row) => `  ${WRAP_GUTTER} ${row}`)];
}

/** Additional information from the agent, abbreviated. */
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
    { label: 'in', text: cwd ?? 'an unknown directory' },
    ...Object.entries(env).map(([name, value]) => ({ label: 'with', text: `${name}=${value}` })),
    { label: 'because of', text: reason },
  ];
}
