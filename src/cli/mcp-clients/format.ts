/**
 * Defines what the formats of configuration files have in common: the entry, and the check of each edit, which parses
 * the text before and after it. Pure: text in, text out.
 */
import { isDeepStrictEqual } from 'node:util';
import { UneditableConfig } from './uneditable-config.js';

/** A server's entry: how a client starts the server, and options that are specific to the client. */
export type Entry = Readonly<Record<string, EntryValue>>;
export type EntryValue = string | number | readonly string[];

/** The keys that lead to an entry, such as `mcpServers` and `tenacitty`. */
export interface EntryPath {
  readonly container: string;
  readonly name: string;
}

/** A format of configuration files. Edits preserve everything outside the entry byte for byte. */
export interface ConfigFormat {
  /**
   * Returns the entry, or undefined if there is none. Leaves out values of other types than `EntryValue`.
   *
   * @throws {UneditableConfig} if the text is malformed.
   */
  read(text: string, place: EntryPath): Entry | undefined;
  /**
   * Returns the text with the entry added. If the entry exists, sets the given values and keeps its other values.
   *
   * @throws {UneditableConfig}
   */
  put(text: string, place: EntryPath, entry: Entry): string;
  /**
   * Returns the text without the entry.
   *
   * @throws {UneditableConfig}
   */
  remove(text: string, place: EntryPath): string;
}

/** A parsed document, or a table in it. */
export type ConfigDocument = Readonly<Record<string, unknown>>;

/** Parses and edits a format. An edit may produce a wrong result, which `checkedFormat` rejects. */
export interface ConfigEditor {
  /** @throws {UneditableConfig} if the text is malformed, or the place occurs twice. */
  readonly parse: (text: string, place: EntryPath) => ConfigDocument;
  /** Adds the entry, or sets the values that differ. */
  put(text: string, place: EntryPath, entry: Entry): string;
  /** Removes an existing entry. */
  remove(text: string, place: EntryPath): string;
}

/** Returns a format that rejects an edit if it changes anything but the entry. */
export function checkedFormat({ parse, ...editing }: ConfigEditor): ConfigFormat {
  const remove = (text: string, place: EntryPath): string => {
    const before = parse(text, place);
    if (!entryIn(before, place)) return text;
    const after = editing.remove(text, place);
    return isIntendedEdit(before, parsed(parse, after, place), place) ? after : refuse(place);
  };
  return {
    remove,
    read(text, place) {
      const found = entryIn(parse(text, place), place);
      return found && knownOf(found);
    },
    put(text, place, entry) {
      const before = parse(text, place);
      const found = entryIn(before, place);
      if (isUpToDate(found, entry)) return text;
      // Replaces an entry of another kind, such as one with a `url`, as a whole.
      const isOfOtherKind = found !== undefined && found['command'] === undefined;
      const after = editing.put(isOfOtherKind ? remove(text, place) : text, place, entry);
      return isIntendedEdit(before, parsed(parse, after, place), place, entry) ? after : refuse(place);
    },
  };
}

function refuse({ container, name }: EntryPath): never {
  throw new UneditableConfig(
    `${container}.${name} is written in a way that cannot be edited safely: change it by hand`,
  );
}

/**
 * Returns whether an edit had exactly the intended effect: the entry is as expected, and nothing else differs.
 *
 * @param entry - The expected values. Undefined if no entry is expected.
 */
function isIntendedEdit(
  before: ConfigDocument,
  after: ConfigDocument | undefined,
  place: EntryPath,
  entry?: Entry,
): boolean {
  if (after === undefined || !isUpToDate(entryIn(after, place), entry)) return false;
  return isDeepStrictEqual(othersIn(before, place), othersIn(after, place));
}

/** Parses the result of an edit. Returns undefined if the edit has made the text invalid. */
function parsed(parse: ConfigEditor['parse'], text: string, place: EntryPath): ConfigDocument | undefined {
  try {
    return parse(text, place);
  } catch (error) {
    if (error instanceof UneditableConfig) return undefined;
    throw error;
  }
}

export function entryIn(document: ConfigDocument, { container, name }: EntryPath): ConfigDocument | undefined {
  return tableIn(tableIn(document, container) ?? {}, name);
}

function tableIn(table: ConfigDocument, key: string): ConfigDocument | undefined {
  const value = Object.hasOwn(table, key) ? table[key] : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ConfigDocument) : undefined;
}

function isUpToDate(found: ConfigDocument | undefined, wanted: Entry | undefined): boolean {
  if (!found || !wanted) return found === wanted;
  return Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(found[key], value));
}

/** Returns the document's values without the entry. An empty container counts as a missing one. */
function othersIn(document: ConfigDocument, { container, name }: EntryPath): unknown {
  return [without(document, container), without(tableIn(document, container) ?? {}, name)];
}

function without(table: ConfigDocument, key: string): ConfigDocument {
  return Object.fromEntries(Object.entries(table).filter(([other]) => other !== key));
}

function knownOf(found: ConfigDocument): Entry {
  const pairs = Object.entries(found);
  return Object.fromEntries(pairs.filter((pair): pair is [string, EntryValue] => isEntryValue(pair[1])));
}

function isEntryValue(value: unknown): value is EntryValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number';
}

/** Returns the text's first line ending. */
export function lineEndOf(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? '\n';
}

/** Returns the text with a line ending after its last line. */
export function withLastLineEnded(text: string): string {
  return text === '' || text.endsWith('\n') ? text : text + lineEndOf(text);
}
