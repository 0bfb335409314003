/**
 * JSON as people write it, with comments and trailing commas: its tree with offsets, and the blanks and comments
 * between. The one importer of jsonc-parser. It changes nothing.
 */
import { createScanner, getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { Unclear } from './unclear.js';

export type { Node } from 'jsonc-parser';

/** A property of an object: `"name": value`. */
export interface Property {
  readonly start: number;
  readonly end: number;
  readonly value: Node;
}

/**
 * The object a document is, or undefined where it holds nothing but blanks and comments.
 *
 * @throws {Unclear} if it is no JSON, even with comments and trailing commas, or no object.
 */
export function parseDocument(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) throw new Unclear(text, error.offset, `it is no JSON: ${inWords(error)}`);
  if (root !== undefined && root.type !== 'object') throw new Unclear(text, root.offset, 'it is no JSON object');
  return root;
}

/** `CommaExpected` → `comma expected`. */
function inWords({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}

export function propertiesOf(object: Node): readonly Property[] {
  return (object.children ?? []).map((property) => ({
    start: property.offset,
    end: property.offset + property.length,
    value: property.children![1]!,
  }));
}

/** @throws {Unclear} if it has that name more than once: which one counts depends on the reader. */
export function propertyOf(text: string, object: Node, name: string): Property | undefined {
  const named = (object.children ?? []).flatMap(({ children }, index) => (nameOf(children) === name ? [index] : []));
  const properties = propertiesOf(object);
  const [first, second] = named.map((index) => properties[index]!);
  if (second !== undefined) throw new Unclear(text, second.start, `${JSON.stringify(name)} is there twice`);
  return first;
}

function nameOf(children: Node['children']): unknown {
  return children?.[0]?.value;
}

/** What a part of the document says. */
export function valueOf(node: Node): unknown {
  return getNodeValue(node);
}

/** A blank, a line break or a comment. */
export interface Trivia {
  readonly start: number;
  readonly end: number;
  readonly isLineBreak: boolean;
}

/** All that stands between two offsets without meaning anything; ends at the first thing that does, as a comma. */
export function triviaFrom(text: string, start: number): readonly Trivia[] {
  const scanner = createScanner(text, false);
  scanner.setPosition(start);
  const found: Trivia[] = [];
  for (;;) {
    scanner.scan();
    const from = scanner.getTokenOffset();
    const first = text[from];
    if (first === undefined || !' \t\r\n/'.includes(first)) return found;
    found.push({ start: from, end: from + scanner.getTokenLength(), isLineBreak: first === '\n' || first === '\r' });
  }
}

/** The offset of the comma that follows, behind blanks and comments; undefined if something else follows. */
export function commaFrom(text: string, start: number): number | undefined {
  const next = triviaFrom(text, start).at(-1)?.end ?? start;
  return text[next] === ',' ? next : undefined;
}
