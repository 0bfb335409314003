/**
 * Parses JSON with comments and trailing commas into a tree with offsets, and finds the whitespace and comments in
 * between. The only module that imports jsonc-parser. Changes nothing.
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
 * Returns the document's object, or undefined if the document is empty except for whitespace and comments.
 *
 * @throws {Unclear} if it is not JSON, even with comments and trailing commas, or not an object.
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

/** @throws {Unclear} if the name occurs more than once: which one counts depends on the reader. */
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

/** Returns the value of a part of the document. */
export function valueOf(node: Node): unknown {
  return getNodeValue(node);
}

/** Whitespace, a line break or a comment. */
export interface Trivia {
  readonly start: number;
  readonly end: number;
  readonly isLineBreak: boolean;
}

/** Returns all trivia from an offset up to the first token, such as a comma. */
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

/** Returns the offset of the next comma after whitespace and comments, or undefined if another token follows. */
export function commaFrom(text: string, start: number): number | undefined {
  const next = triviaFrom(text, start).at(-1)?.end ?? start;
  return text[next] === ',' ? next : undefined;
}
