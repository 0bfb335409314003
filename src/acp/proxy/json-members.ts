/**
 * Locates the members of a JSON object, or the elements of an array, in a line of bytes, so that one of them can be
 * read or replaced while every other byte remains unchanged. Checks only as much syntax as it needs to locate values;
 * `JSON.parse` validates the whole line. Pure.
 */

/** The bytes of a value: from its first byte up to, but not including, `end`. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const SPACES: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d];

/**
 * Returns the members of the object that begins at or after `from`. If a name occurs several times, the last member
 * counts, as in `JSON.parse`.
 *
 * @returns Undefined if no object begins there, or if the object has no end.
 */
export function membersOf(bytes: Buffer, from = 0): Map<string, ByteSpan> | undefined {
  const members = new Map<string, ByteSpan>();
  const end = walk(bytes, from, OPEN_BRACE, CLOSE_BRACE, (at) => {
    const name = stringAt(bytes, at);
    if (name === undefined) return -1;
    const colon = skipSpaces(bytes, name.end);
    if (bytes[colon] !== COLON) return -1;
    const value = valueAt(bytes, colon + 1);
    if (value === undefined) return -1;
    members.set(name.text, value);
    return value.end;
  });
  return end < 0 ? undefined : members;
}

/**
 * Returns the elements of the array that begins at or after `from`.
 *
 * @returns Undefined if no array begins there, or if the array has no end.
 */
export function elementsOf(bytes: Buffer, from: number): ByteSpan[] | undefined {
  const elements: ByteSpan[] = [];
  const end = walk(bytes, from, OPEN_BRACKET, CLOSE_BRACKET, (at) => {
    const value = valueAt(bytes, at);
    if (value !== undefined) elements.push(value);
    return value?.end ?? -1;
  });
  return end < 0 ? undefined : elements;
}

/**
 * Moves from item to item of an object or array. `item` returns the end of the item at its position, or -1 if it is
 * invalid. Returns the end of the object or array, or -1.
 */
function walk(bytes: Buffer, from: number, open: number, close: number, item: (at: number) => number): number {
  let at = skipSpaces(bytes, from);
  if (bytes[at] !== open) return -1;
  at = skipSpaces(bytes, at + 1);
  if (bytes[at] === close) return at + 1;
  for (;;) {
    at = item(at);
    if (at < 0) return -1;
    at = skipSpaces(bytes, at);
    if (bytes[at] === close) return at + 1;
    if (bytes[at] !== COMMA) return -1;
    at = skipSpaces(bytes, at + 1);
  }
}

function skipSpaces(bytes: Buffer, from: number): number {
  let at = from;
  while (SPACES.includes(bytes[at])) at++;
  return at;
}

function stringAt(bytes: Buffer, at: number): { text: string; end: number } | undefined {
  if (bytes[at] !== QUOTE) return undefined;
  const end = endOfString(bytes, at);
  if (end < 0) return undefined;
  const text = bytes.toString('utf8', at + 1, end - 1);
  return { text: text.includes('\\') ? unescaped(text) : text, end };
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // Not JSON, which the code that uses the line detects.
    return text;
  }
}

function valueAt(bytes: Buffer, from: number): ByteSpan | undefined {
  const start = skipSpaces(bytes, from);
  const end = endOfValue(bytes, start);
  return end > start ? { start, end } : undefined;
}

function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return endOfString(bytes, start);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return endOfNested(bytes, start);
  let at = start;
  while (at < bytes.length && !isEndOfScalar(bytes[at]!)) at++;
  return at;
}

function isEndOfScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || SPACES.includes(byte);
}

/** Returns the offset after the closing quote, or -1. Skips the text in between with the native search. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let before = at - 1;
    while (bytes[before] === BACKSLASH) before--;
    if ((at - 1 - before) % 2 === 0) return at + 1;
  }
  return -1;
}

/** Returns the offset after the bracket that closes the one at `start`, or -1. */
function endOfNested(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at) - 1;
      if (at < 0) return -1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at + 1;
  }
  return -1;
}
