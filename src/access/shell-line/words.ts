/**
 * Reads one word of a line, as bash, dash, zsh, mksh, busybox and fish all parse it. A construct that means something
 * else in one of them is rejected. Does not depend on the grammar of commands.
 */
import { NotRead } from './cursor.js';
import type { Cursor } from './cursor.js';
import { MANY, ONE } from './reading.js';
import type { Argument } from './reading.js';

/** Literal only as whole words: inside a longer word they would be a pattern, or the path of a program in zsh. */
const WHOLE_WORDS = /(?:\{\}|[[\]{}=])(?=[ \t\n;&|]|$)/y;
/** ASCII only, because bash on macOS treats bytes of some letters as blanks. */
const PLAIN = /[\w.,:/@%+=!~-]+/y;
/** Expand to file names, to alternatives, or not at all, depending on the shell and its options. */
const PATTERN = /[*?[\]{}^#]+/y;
/** Shells may expand these to a directory or the path of a program, and fish to a process id. */
const REPLACED = /^[~%]|[:=][~=]/;
/** Not letters and digits: fish has escapes such as `\\n`. */
const ESCAPED = /\\[ -/:-@[-`{-~]/y;
/** fish unescapes `\'` and `\\`; zsh can take two quotes for a literal one. */
const IN_SINGLE_QUOTES = /[^'\\]+|\\(?![\\'])/y;
const END_OF_SINGLE_QUOTES = /'(?!')/y;
const IN_QUOTES = /[^"\\$`]+|\\[^`\n]|\$(?=[" ])/y;
/** Not followed by `[`, because zsh evaluates subscripts, including commands in them. */
const VARIABLE = /\$(?:[A-Za-z_]\w*(?![\w[])|\{[A-Za-z_]\w*\}(?!\[)|\?(?!\[))/y;
const END_OF_WORD = /(?=[ \t\n;&|]|$)/y;

/** Consumes one word; returns null if none begins here. */
export function readWord(cursor: Cursor): Argument | null {
  const alone = cursor.match(WHOLE_WORDS);
  if (alone !== null) return alone;
  if ('=#'.includes(cursor.peek() || ' ')) throw new NotRead(`a word that begins with \`${cursor.peek()}\``);
  const parts: Argument[] = [];
  for (let part = readPart(cursor); part !== null; part = readPart(cursor)) parts.push(part);
  if (cursor.match(END_OF_WORD) === null) throw new NotRead(`\`${cursor.peek()}\` is not looked into`);
  if (parts.includes(MANY)) return MANY;
  if (parts.includes(ONE)) return ONE;
  return parts.length === 0 ? null : parts.join('');
}

/** Consumes one plain, quoted or expanded part; returns null at the end of the word. */
function readPart(cursor: Cursor): Argument | null {
  const plain = cursor.match(PLAIN);
  if (plain !== null) return REPLACED.test(plain) ? ONE : plain;
  if (cursor.match(PATTERN) !== null || cursor.match(VARIABLE) !== null) return MANY;
  const escaped = cursor.match(ESCAPED);
  if (escaped !== null) return escaped.slice(1);
  if (cursor.peek() === "'") return singleQuoted(cursor);
  return cursor.peek() === '"' ? doubleQuoted(cursor) : null;
}

function singleQuoted(cursor: Cursor): string {
  let text = '';
  cursor.next();
  for (let part; (part = cursor.match(IN_SINGLE_QUOTES)) !== null;) text += part;
  if (cursor.match(END_OF_SINGLE_QUOTES) !== null) return text;
  throw new NotRead("`'…'` that has no end, or another one in another shell");
}

function doubleQuoted(cursor: Cursor): Argument {
  let text = '';
  let isKnown = true;
  for (cursor.next(); cursor.peek() !== '"';) {
    const part = cursor.match(IN_QUOTES);
    if (part !== null) text += part.replace(/^\\([$"\\])/, '$1');
    else if (cursor.match(VARIABLE) !== null) isKnown = false;
    else throw new NotRead(cursor.isAtEnd ? 'a quote is missing' : `\`${cursor.peek()}\` in quotes that is not simple`);
  }
  cursor.next();
  return isKnown ? text : ONE;
}
