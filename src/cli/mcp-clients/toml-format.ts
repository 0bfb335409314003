/**
 * Entries in TOML, each in a table of its own: `[mcp_servers.tenacitty]`. Only lines of that table are changed; an
 * entry written in another way is left unchanged. Pure.
 */
import { edited, lineEndOf } from './format.js';
import type { Edit, Entry, EntryPlace, EntryValue, Format } from './format.js';
import { statementsOf, unquoted } from './toml-statements.js';
import type { Statement } from './toml-statements.js';
import { Unclear } from './unclear.js';

const BARE = /^[A-Za-z0-9_-]+$/;

/** The parts of an entry: its own table and its subtables, such as the one for its environment. */
interface OwnTable {
  readonly header: Statement | undefined;
  readonly pairs: readonly Statement[];
  /** All its statements, in order. */
  readonly statements: readonly Statement[];
}

export const tomlFormat: Format = {
  read(text, place) {
    const own = ownTable(text, place);
    return own && entryOf(text, own, place);
  },
  put(text, place, entry) {
    const header = ownTable(text, place)?.header;
    return certain(text, place, header ? updated(text, place, entry) : appended(text, place, entry));
  },
  remove(text, place) {
    return certain(text, place, removed(text, place));
  },
};

function ownTable(text: string, { container, name }: EntryPlace): OwnTable | undefined {
  const own = [container, name];
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  for (const statement of statementsOf(text)) {
    if (statement.kind !== 'pair') table = statement.path;
    refuseOtherWays(text, statement, table, own);
    if (beginsWith(statement.path, own)) statements.push(statement);
  }
  if (statements.length === 0) return undefined;
  const headers = statements.filter(({ kind, path }) => kind === 'table' && path.length === own.length);
  if (headers[1]) throw new Unclear(text, headers[1].start, `[${own.join('.')}] is there twice`);
  const pairs = statements.filter(({ kind, path }) => kind === 'pair' && path.length === own.length + 1);
  return { header: headers[0], pairs, statements };
}

/** Tables can also be written as inline values, dotted keys and arrays. Those are valid but not supported here. */
function refuseOtherWays(text: string, statement: Statement, table: readonly string[], own: readonly string[]): void {
  const { kind, path, start } = statement;
  const isWithin = beginsWith(path, own);
  const isAbove = kind !== 'table' && beginsWith(own, path);
  const isDotted = kind === 'pair' && isWithin && !beginsWith(table, own);
  if (isAbove || isDotted || (kind === 'tables' && isWithin && path.length === own.length)) {
    throw new Unclear(text, start, `${own.join('.')} is written otherwise than as a table [${own.join('.')}]`);
  }
}

function beginsWith(path: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((step, index) => path[index] === step);
}

function entryOf(text: string, { pairs }: OwnTable, place: EntryPlace): Entry {
  const known = pairs.filter(({ path }) => path[1] === place.name).map((pair) => [pair.path[2]!, valueOf(text, pair)]);
  return Object.fromEntries(known.filter((pair): pair is [string, EntryValue] => pair[1] !== undefined));
}

/** Returns a string, an integer or an array of strings; undefined for other values. */
function valueOf(text: string, { value, end }: Statement): EntryValue | undefined {
  const written = text.slice(value, end);
  if (/^\d{1,15}$/.test(written)) return Number(written);
  if (/^["']/.test(written)) return unquoted(written);
  const items = /^\[(.*)\]$/s.exec(written)?.[1];
  return items === undefined ? undefined : stringsOf(items);
}

const ITEM = /\s*("(?:[^"\\\r\n]|\\[^\r\n])*"|'[^'\r\n]*')\s*(?:,|$)/y;

function stringsOf(items: string): string[] | undefined {
  const found: string[] = [];
  let at = 0;
  while (items.slice(at).trim() !== '') {
    ITEM.lastIndex = at;
    const item = unquoted(ITEM.exec(items)?.[1] ?? '');
    if (item === undefined) return undefined;
    found.push(item);
    at = ITEM.lastIndex;
  }
  return found;
}

/** Appends the table to the text, after an empty line. */
function appended(text: string, { container, name }: EntryPlace, entry: Entry): string {
  const end = lineEndOf(text);
  const lines = [`[${keyText(container)}.${keyText(name)}]`, ...Object.entries(entry).map(pairText)];
  const before = text === '' || text.endsWith('\n') ? text : text + end;
  return `${before}${before === '' ? '' : end}${lines.join(end)}${end}`;
}

/** Sets the values that differ. New ones go directly below the header. */
function updated(text: string, place: EntryPlace, entry: Entry): string {
  const own = ownTable(text, place)!;
  const present = entryOf(text, own, place);
  const edits = Object.entries(entry).flatMap(([key, value]): Edit[] => {
    if (isSame(present[key], value)) return [];
    const pair = own.pairs.find(({ path }) => path[2] === key);
    return pair ? [{ start: pair.value, end: pair.end, with: valueText(value) }] : [];
  });
  const missing = Object.entries(entry).filter(([key]) => !own.pairs.some(({ path }) => path[2] === key));
  const below = lineBreakBehind(text, own.header!.end);
  const lines = missing.map((pair) => `${pairText(pair)}${lineEndOf(text)}`).join('');
  if (lines === '') return edited(text, edits);
  const isLastLine = below === text.length && !text.endsWith('\n');
  return edited(text, [...edits, { start: below, end: below, with: (isLastLine ? lineEndOf(text) : '') + lines }]);
}

function isSame(a: EntryValue | undefined, b: EntryValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Removes each of its tables, and the empty line before it if nothing or another empty line follows. */
function removed(text: string, place: EntryPlace): string {
  const own = ownTable(text, place);
  const runs = own ? runsOf(own.statements, statementsOf(text)) : [];
  return edited(
    text,
    runs.map(({ start, end }) => withEmptyLine(text, start, lineBreakBehind(text, end))),
  );
}

/** Joins the entry's statements that follow each other directly into ranges. */
function runsOf(own: readonly Statement[], all: readonly Statement[]): { start: number; end: number }[] {
  const starts = new Set(own.map(({ start }) => start));
  const runs: { start: number; end: number; isOpen: boolean }[] = [];
  for (const { start, end } of all) {
    const run = runs.at(-1);
    if (!starts.has(start)) {
      if (run) run.isOpen = false;
    } else if (run?.isOpen) run.end = end;
    else runs.push({ start, end, isOpen: true });
  }
  return runs;
}

function withEmptyLine(text: string, start: number, end: number): Edit {
  const before = /(?<=^|\n)[ \t]*\r?\n$/.exec(text.slice(0, start))?.[0].length ?? 0;
  const isFollowed = /^[ \t]*[^\s]/.test(text.slice(end));
  return { start: isFollowed ? start : start - before, end, with: '' };
}

function lineBreakBehind(text: string, offset: number): number {
  const lineBreak = text.indexOf('\n', offset);
  return lineBreak < 0 ? text.length : lineBreak + 1;
}

function pairText([key, value]: readonly [string, EntryValue]): string {
  return `${keyText(key)} = ${valueText(value)}`;
}

function keyText(key: string): string {
  return BARE.test(key) ? key : stringText(key);
}

function valueText(value: EntryValue): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? stringText(value) : `[${value.map(stringText).join(', ')}]`;
}

/** JSON strings are valid TOML strings, except that one more control character must be escaped. */
function stringText(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

/** Returns the new text after checking that all other statements are unchanged. */
function certain(text: string, place: EntryPlace, result: string): string {
  if (JSON.stringify(others(text, place)) !== JSON.stringify(others(result, place))) {
    throw new Unclear(text, 0, 'the entry cannot be changed without touching others');
  }
  return result;
}

function others(text: string, { container, name }: EntryPlace): unknown[] {
  const own = [container, name];
  const kept = statementsOf(text).filter(({ path }) => !beginsWith(path, own));
  return kept.map(({ kind, path, value, end }) => [kind, path, text.slice(value, end)]);
}
