/**
 * Entries in JSON, with or without comments and trailing commas. A new property goes first in its object, so that no
 * other line changes, not even by a comma. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { edited, lineEndOf } from './format.js';
import type { Edit, Entry, EntryPlace, EntryValue, Format } from './format.js';
import { commaFrom, parseDocument, propertiesOf, propertyOf, triviaFrom, valueOf } from './json-document.js';
import type { Node, Property } from './json-document.js';
import { Unclear } from './unclear.js';

const USUAL_INDENT = '  ';

export const jsonFormat: Format = {
  read(text, place) {
    const value = entryAt(text, place);
    return value && entryOf(value);
  },
  put(text, place, entry) {
    return certain(text, place, entryAt(text, place) ? updated(text, place, entry) : added(text, place, entry));
  },
  remove(text, place) {
    return certain(text, place, removed(text, place));
  },
};

function entryAt(text: string, { container, name }: EntryPlace): Node | undefined {
  const root = parseDocument(text);
  const servers = root && objectAt(text, root, container);
  return servers && objectAt(text, servers, name);
}

function objectAt(text: string, object: Node, name: string): Node | undefined {
  const value = propertyOf(text, object, name)?.value;
  if (value === undefined || value.type === 'object') return value;
  throw new Unclear(text, value.offset, `${JSON.stringify(name)} is no object`);
}

function entryOf(node: Node): Entry {
  const pairs = Object.entries(valueOf(node) as Record<string, unknown>);
  return Object.fromEntries(pairs.filter((pair): pair is [string, EntryValue] => isEntryValue(pair[1])));
}

function isEntryValue(value: unknown): value is EntryValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number';
}

/** Sets the values that differ. An entry of another kind, such as one with a `url`, is replaced as a whole. */
function updated(text: string, place: EntryPlace, entry: Entry): string {
  const before = entryAt(text, place)!;
  if (propertyOf(text, before, 'command') === undefined) return edited(text, [exchanged(text, before, entry, before)]);
  return Object.entries(entry).reduce((done, [key, value]) => withValue(done, place, key, value), text);
}

function withValue(text: string, place: EntryPlace, key: string, value: EntryValue): string {
  const object = entryAt(text, place)!;
  const property = propertyOf(text, object, key);
  if (property === undefined) return edited(text, [inserted(text, object, key, value)]);
  if (isDeepStrictEqual(valueOf(property.value), value)) return text;
  return edited(text, [exchanged(text, property.value, value, object)]);
}

/** Formats the value like the object around it: on one line or on several. */
function exchanged(text: string, node: Node, value: unknown, around: Node): Edit {
  const isFlat = !/[\r\n]/.test(text.slice(around.offset, around.offset + around.length));
  const shown = isFlat ? flat(value) : rendered(text, value, indentAt(text, node.offset));
  return { start: node.offset, end: node.offset + node.length, with: shown };
}

function added(text: string, { container, name }: EntryPlace, entry: Entry): string {
  const root = parseDocument(text);
  if (root === undefined) return newDocument(text, { [container]: { [name]: entry } });
  const servers = objectAt(text, root, container);
  if (servers !== undefined) return edited(text, [inserted(text, servers, name, entry)]);
  return edited(text, [inserted(text, root, container, { [name]: entry })]);
}

/** Appends after any comments. */
function newDocument(text: string, value: unknown): string {
  const end = lineEndOf(text);
  const before = text === '' || /[\r\n]$/.test(text) ? text : text + end;
  return before + rendered(text, value, '') + end;
}

/** Inserts a property first in an object, in the object's layout. */
function inserted(text: string, object: Node, key: string, value: unknown): Edit {
  const start = object.offset + 1;
  const [first] = propertiesOf(object);
  const lineBreak = triviaFrom(text, start).find(({ isLineBreak }) => isLineBreak);
  if (first === undefined) return insertedAlone(text, object, lineBreak?.start, onItsLine(text, object, key, value));
  if (lineBreak === undefined) return insertedInLine(text, start, first, `${JSON.stringify(key)}: ${flat(value)}`);
  const line = onItsLine(text, object, key, value, first);
  return { start: lineBreak.start, end: lineBreak.start, with: `${line},` };
}

/** Inserts into `{}`, whose closing brace moves to a line of its own. Comments inside stay before the property. */
function insertedAlone(text: string, object: Node, lineBreak: number | undefined, line: string): Edit {
  if (lineBreak !== undefined) return { start: lineBreak, end: lineBreak, with: line };
  const end = object.offset + object.length - 1;
  const start = object.offset + 1 + text.slice(object.offset + 1, end).trimEnd().length;
  return { start, end, with: line + lineEndOf(text) + indentAt(text, object.offset) };
}

function insertedInLine(text: string, start: number, first: Property, property: string): Edit {
  const before = text.slice(start, first.start);
  const blank = /^[ \t]*$/.test(before) ? before : ' ';
  return { start: first.start, end: first.start, with: `${property},${blank}` };
}

function onItsLine(text: string, object: Node, key: string, value: unknown, first?: Property): string {
  const indent = (first && ownIndentAt(text, first.start)) ?? indentAt(text, object.offset) + unitOf(text);
  return `${lineEndOf(text)}${indent}${JSON.stringify(key)}: ${rendered(text, value, indent)}`;
}

function rendered(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', lineEndOf(text) + indent);
}

function flat(value: unknown): string {
  return JSON.stringify(value);
}

/** Returns the document's indentation unit: the indentation of its first property relative to its brace. */
function unitOf(text: string): string {
  const root = parseDocument(text);
  const first = root && propertiesOf(root)[0];
  const indent = (first && ownIndentAt(text, first.start)) ?? '';
  const outer = root ? indentAt(text, root.offset) : '';
  return (indent.startsWith(outer) ? indent.slice(outer.length) : indent) || USUAL_INDENT;
}

/** Returns the whitespace before the first token on a line; undefined if another token precedes it. */
function ownIndentAt(text: string, offset: number): string | undefined {
  return /(?<=^|[\r\n])[ \t]*$/.exec(text.slice(0, offset))?.[0];
}

/** Returns the whitespace at the start of a line. */
function indentAt(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart))![0];
}

function removed(text: string, { container, name }: EntryPlace): string {
  const root = parseDocument(text);
  const servers = root && objectAt(text, root, container);
  if (servers === undefined || objectAt(text, servers, name) === undefined) return text;
  const own = propertyOf(text, servers, name)!;
  const properties = propertiesOf(servers);
  if (properties.length === 1) return edited(text, removalOfTheOnly(text, servers, own));
  const before = properties[properties.findIndex(({ start }) => start === own.start) - 1];
  return edited(text, removalAmongOthers(text, own, before));
}

function removalAmongOthers(text: string, own: Property, before: Property | undefined): Edit[] {
  const comma = commaFrom(text, own.end);
  if (comma === own.end) return [removal(text, own.start, comma + 1)];
  if (comma !== undefined) return [removal(text, own.start, own.end), cut(comma, comma + 1)];
  const commaBefore = commaFrom(text, before!.end)!;
  return [cut(commaBefore, commaBefore + 1), removal(text, own.start, own.end, commaBefore + 1)];
}

function removalOfTheOnly(text: string, object: Node, own: Property): Edit[] {
  const comma = commaFrom(text, own.end);
  const inner = { start: object.offset + 1, end: object.offset + object.length - 1 };
  const rest = text.slice(inner.start, own.start) + text.slice(own.end, inner.end).replace(/^\s*,/, '');
  if (rest.trim() === '') return [cut(inner.start, inner.end)];
  const commaEdits = comma === undefined ? [] : [cut(comma, comma + 1)];
  return comma === own.end ? [removal(text, own.start, comma + 1)] : [removal(text, own.start, own.end), ...commaEdits];
}

/**
 * Removes the range, with its line if nothing else is on the line. A comment before it keeps its line break.
 *
 * @param least - The lowest offset to remove.
 */
function removal(text: string, start: number, end: number, least = 0): Edit {
  const behind = /^[ \t]*/.exec(text.slice(end))![0].length;
  const endsLine = /^(?:[\r\n]|$)/.test(text.slice(end + behind));
  const before = /(?:\r\n|\n|\r)[ \t]*$/.exec(text.slice(least, start))?.[0].length;
  if (endsLine && before !== undefined) return cut(start - before, end + behind);
  return cut(start, end + behind);
}

function cut(start: number, end: number): Edit {
  return { start, end, with: '' };
}

/** Returns the new text after checking that nothing but the entry has changed. */
function certain(text: string, place: EntryPlace, result: string): string {
  if (!isDeepStrictEqual(rest(text, place), rest(result, place))) {
    throw new Unclear(text, 0, 'the entry cannot be changed without touching others');
  }
  return result;
}

/** Returns the document's value without the entry. An empty container counts as a missing one. */
function rest(text: string, { container, name }: EntryPlace): unknown {
  const root = parseDocument(text);
  const pairs = Object.entries(root ? (valueOf(root) as Record<string, unknown>) : {});
  const others = pairs.map(([key, value]) => [key, key === container ? without(value, name) : value] as const);
  return Object.fromEntries(others.filter(([key, value]) => key !== container || Object.keys(value ?? {}).length > 0));
}

function without(servers: unknown, name: string): unknown {
  return Object.fromEntries(Object.entries(servers as Record<string, unknown>).filter(([key]) => key !== name));
}
