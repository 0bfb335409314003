/**
 * Edits entries in TOML, each in a table of its own, such as `[mcp_servers.tenacitty]`. Changes only lines of that
 * table, and rejects an entry that is written inline. The only module that imports smol-toml. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, TomlError } from 'smol-toml';
import { checkedFormat, entryIn, lineEndOf, withLastLineEnded } from './format.js';
import type { ConfigDocument, Entry, EntryPath } from './format.js';
import { UneditableConfig } from './uneditable-config.js';

export const tomlFormat = checkedFormat({
  parse: parseDocument,
  put(text, place, entry) {
    const pieces = statementsOf(text);
    const own = JSON.stringify({ [place.container]: { [place.name]: {} } });
    const header = pieces.findIndex((piece) => isHeader(piece) && JSON.stringify(piece.parsed) === own);
    return header < 0 ? appended(text, place, entry) : updated(text, pieces, header, entry);
  },
  remove: removed,
});

function parseDocument(text: string): ConfigDocument {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The remaining lines of the message show the position, which is reported separately.
    const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new UneditableConfig(`it is not TOML: ${message}`, { line: error.line, column: error.column });
  }
}

/**
 * The smallest group of lines that is valid TOML by itself: a header, a key with its value, a comment, or an empty
 * line.
 */
interface TomlStatement {
  readonly text: string;
  readonly parsed: ConfigDocument;
}

/**
 * Splits a document into statements. A value can span several lines: it ends where the lines so far are valid by
 * themselves.
 */
function statementsOf(text: string): TomlStatement[] {
  const pieces: TomlStatement[] = [];
  let lines = '';
  for (const line of text.split(/(?<=\n)/)) {
    lines += line;
    const parsed = parsedAlone(lines);
    if (parsed === undefined) continue;
    pieces.push({ text: lines, parsed });
    lines = '';
  }
  return pieces;
}

/** Parses lines by themselves. Returns undefined if they are not valid. */
function parsedAlone(lines: string): ConfigDocument | undefined {
  try {
    return parseDocument(lines);
  } catch {
    return undefined;
  }
}

function isHeader({ text }: TomlStatement): boolean {
  return text.trimStart().startsWith('[');
}

/** Appends the table to the text, after an empty line. */
function appended(text: string, { container, name }: EntryPath, entry: Entry): string {
  const end = lineEndOf(text);
  const before = text === '' ? '' : withLastLineEnded(text) + end;
  return `${before}[${container}.${name}]${end}${pairsText(entry, end)}`;
}

/** Sets the values that differ. Inserts new ones directly below the header. */
function updated(text: string, pieces: readonly TomlStatement[], header: number, entry: Entry): string {
  const behind = pieces.slice(header + 1);
  const next = behind.findIndex(isHeader);
  const own = next < 0 ? behind : behind.slice(0, next);
  const missing = Object.entries(entry).filter(([key]) => !own.some(({ parsed }) => Object.hasOwn(parsed, key)));
  return [
    ...pieces.slice(0, header).map((piece) => piece.text),
    withLastLineEnded(pieces[header]!.text),
    pairsText(Object.fromEntries(missing), lineEndOf(text)),
    ...own.map((piece) => withValue(piece, entry)),
    ...behind.slice(own.length).map((piece) => piece.text),
  ].join('');
}

function withValue({ text, parsed }: TomlStatement, entry: Entry): string {
  const [key = ''] = Object.keys(parsed);
  const value = entry[key];
  if (value === undefined || isDeepStrictEqual(parsed[key], value)) return text;
  const indent = /^[ \t]*/.exec(text)![0];
  return indent + pairsText({ [key]: value }, '') + lineRest(text);
}

/** Returns what follows a value: a comment, if any, and the line ending. */
function lineRest(text: string): string {
  const comment = [...text.matchAll(/[ \t]*#/g)].find(({ index }) => parsedAlone(text.slice(0, index)));
  return comment ? text.slice(comment.index) : /\s*$/.exec(text)![0];
}

function pairsText(entry: Entry, end: string): string {
  const lines = stringify(entry).trim();
  return lines && lines.replaceAll('\n', end) + end;
}

/** Removes the table and its subtables, the comments between them, and the empty line before the table. */
function removed(text: string, place: EntryPath): string {
  const kept: TomlStatement[] = [];
  let between: TomlStatement[] = [];
  let isOwn = false;
  for (const piece of statementsOf(text)) {
    const wasOwn = isOwn;
    if (isHeader(piece)) isOwn = entryIn(piece.parsed, place) !== undefined;
    if (isBlank(piece)) between.push(piece);
    else {
      if (!isOwn) kept.push(...between, piece);
      else if (!wasOwn) kept.push(...withoutEmptyLine(between));
      between = [];
    }
  }
  return [...kept, ...between].map((piece) => piece.text).join('');
}

/** Returns whether a statement is an empty line or a comment. */
function isBlank({ parsed }: TomlStatement): boolean {
  return Object.keys(parsed).length === 0;
}

function withoutEmptyLine(pieces: readonly TomlStatement[]): readonly TomlStatement[] {
  return pieces.at(-1)?.text.trim() === '' ? pieces.slice(0, -1) : pieces;
}
