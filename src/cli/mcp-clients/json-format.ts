/**
 * Edits entries in JSON, with or without comments and trailing commas. Inserts a new property at the beginning of its
 * object, so that no other line changes, not even to gain a comma. The only module that imports jsonc-parser. Pure.
 */
import { applyEdits, createScanner, getNodeValue, modify, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Edit, FormattingOptions, JSONPath, Node, ParseError } from 'jsonc-parser';
import { checkedFormat, lineEndOf, withLastLineEnded } from './format.js';
import type { ConfigDocument, Entry, EntryPath } from './format.js';
import { positionIn, UneditableConfig } from './uneditable-config.js';

const USUAL_INDENT = '  ';
/** Number of columns that jsonc-parser counts for a tab in an indentation. */
const TAB_SIZE = 4;

export const jsonFormat = checkedFormat({
  parse(text, place) {
    const root = parseDocument(text);
    ownIn(text, root, place);
    return root ? (getNodeValue(root) as ConfigDocument) : {};
  },
  put(text, place, entry) {
    const root = parseDocument(text);
    const own = ownIn(text, root, place);
    return own ? updated(text, place, entry, own) : added(text, root, place, entry);
  },
  remove(text, { container, name }) {
    const { children = [] } = objectAt(text, parseDocument(text)!, container)!;
    const index = children.findIndex((property) => nameOf(property) === name);
    const [own, before] = [children[index]!, children[index - 1]];
    const comma = commaBehind(text, own) ?? (before && commaBehind(text, before));
    if (comma === endOf(own)) return applyEdits(text, [cut(text, own.offset, comma + 1)]);
    const commas = comma === undefined ? [] : [{ offset: comma, length: 1, content: '' }];
    return applyEdits(text, [cut(text, own.offset, endOf(own)), ...commas]);
  },
});

/**
 * Returns the document's object, or undefined if the document contains nothing but whitespace and comments.
 *
 * @throws {UneditableConfig} if it is not JSON, even with comments and trailing commas, or not an object.
 */
function parseDocument(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined)
    throw new UneditableConfig(`it is not JSON: ${describeParseError(error)}`, positionIn(text, error.offset));
  if (root !== undefined && root.type !== 'object') throw unclear(text, root, 'it is not a JSON object');
  return root;
}

/** Describes an error in words: `CommaExpected` → `comma expected`. */
function describeParseError({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}

/** Returns the object of tenacitty's entry, if there is one. */
function ownIn(text: string, root: Node | undefined, { container, name }: EntryPath): Node | undefined {
  const servers = root && objectAt(text, root, container);
  return servers && objectAt(text, servers, name);
}

/**
 * Returns the named object.
 *
 * @throws {UneditableConfig} if it is not an object, or the name occurs twice: which one counts depends on the reader.
 */
function objectAt(text: string, { children = [] }: Node, name: string): Node | undefined {
  const [first, second] = children.filter((property) => nameOf(property) === name);
  if (second !== undefined) throw unclear(text, second, `${JSON.stringify(name)} occurs twice`);
  const value = first?.children![1];
  if (value === undefined || value.type === 'object') return value;
  throw unclear(text, value, `${JSON.stringify(name)} is not an object`);
}

function nameOf({ children }: Node): unknown {
  return children![0]!.value;
}

function unclear(text: string, { offset }: Node, message: string): UneditableConfig {
  return new UneditableConfig(message, positionIn(text, offset));
}

/** Adds the entry in the document's layout, or on one line if that layout would change other text. */
function added(text: string, root: Node | undefined, { container, name }: EntryPath, entry: Entry): string {
  const document = root ? text : `${withLastLineEnded(text)}{}${lineEndOf(text)}`;
  const path = [container, name];
  const laidOut = withValue(document, path, entry, layoutOf(document));
  return isInsertion(document, laidOut) ? laidOut : withValue(document, path, entry);
}

/**
 * Returns whether an edit only inserted text. Returns false if the inserted text ends with whitespace after a comma,
 * because that whitespace would remain when the entry is removed.
 */
function isInsertion(before: string, after: string): boolean {
  let same = 0;
  while (same < before.length && before.at(-1 - same) === after.at(-1 - same)) same++;
  const head = before.slice(0, before.length - same);
  const inserted = after.slice(head.length, after.length - same);
  return after.startsWith(head) && !/,\s+$/.test(inserted);
}

/** Sets the values that differ. Keeps an entry that is on one line on one line. */
function updated(text: string, { container, name }: EntryPath, entry: Entry, own: Node): string {
  const layout = /[\r\n]/.test(text.slice(own.offset, endOf(own))) ? layoutOf(text) : undefined;
  const before = getNodeValue(own) as ConfigDocument;
  const differing = Object.entries(entry).filter(
    ([key, value]) => JSON.stringify(before[key]) !== JSON.stringify(value),
  );
  return differing.reduce((done, [key, value]) => withValue(done, [container, name, key], value, layout), text);
}

function withValue(text: string, path: JSONPath, value: unknown, layout?: FormattingOptions): string {
  const options = layout ? { formattingOptions: layout } : {};
  return applyEdits(text, modify(text, path, value, { ...options, getInsertionIndex: () => 0 }));
}

/** Returns the document's layout. The first indented property determines the indentation. */
function layoutOf(text: string): FormattingOptions {
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? USUAL_INDENT;
  const isByTabs = indent.startsWith('\t');
  return { insertSpaces: !isByTabs, tabSize: isByTabs ? TAB_SIZE : indent.length, eol: lineEndOf(text) };
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** Returns the offset of the comma after a node, past whitespace and comments; undefined if another token follows. */
function commaBehind(text: string, node: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(node));
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined;
}

/**
 * Returns an edit that removes a range and the whitespace before it. If at most a comment follows on the line, the edit
 * also removes the line break before the range.
 */
function cut(text: string, start: number, end: number): Edit {
  const isLastOnLine = /^[ \t]*(?:[\r\n]|\/[/*])/.test(text.slice(end));
  const blanks = isLastOnLine ? /(?:\r\n|\n|\r)?[ \t]*$/ : /[ \t]*$/;
  const offset = blanks.exec(text.slice(0, start))!.index;
  return { offset, length: end - offset, content: '' };
}
