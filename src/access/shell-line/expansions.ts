/**
 * Reads expansions: `$…` and backquotes. Commands in them are read like any others. A line becomes unreadable if it
 * could make the shell run the value of a variable. Does not depend on words or on the command grammar.
 */
import type { Cursor } from './cursor.js';
import { MANY, NotReadable, ONE } from './found.js';
import type { Dialect } from './dialect.js';
import type { Found } from './found.js';

/** What an expansion needs from the reader of the line. */
export interface Surroundings {
  readonly cursor: Cursor;
  readonly dialect: Dialect;
  readonly found: Found;
  /** Reads commands up to and including the closing `)`. */
  nested(): void;
  /** Reads a separate text as commands, from start to end. */
  apart(text: string): void;
  /** Reads `'…'` or `"…"` starting here. */
  quoted(): void;
}

type Unknown = typeof ONE | typeof MANY;

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SPECIAL = /[0-9@*#?$!-]/y;
/**
 * Arithmetic without names. If it contained a variable's name, bash would evaluate the variable's value, including
 * commands in subscripts.
 */
const ARITHMETIC = /\$\(\([\d\s+\-*/%<>=!&|^~?:]*\)\)/y;
const PARAMETER = /[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*?$!#-]/y;
const SUBSCRIPT = /\[(?:@|\*|[0-9]+)\]/y;
/** `@P` is not included: it expands the value as a prompt, and runs the commands in it. */
const OPERATOR = /:?[-=?+]|##?|%%?|\/\/?[#%]?|\^\^?|,,?|@[UuLQEAKak](?=\})|:[ ]*-?[0-9]+(?:[ ]*:[ ]*-?[0-9]+)?(?=\})/y;
/** Characters with which zsh starts expansions that differ from those of other shells. */
const ZSH_FLAGS = /[\^=~+:]/;

/** After `$#`: zsh returns the length of the variable named here. */
const LENGTH_OF = /[\w@*?$!#-]/;

/** Reads what starts with `$`. Returns null if it is a literal dollar sign. */
export function dollar(around: Surroundings, isQuoted: boolean): Unknown | null {
  const { cursor, dialect } = around;
  if (cursor.peek(1) === '(') return substitution(around, isQuoted);
  cursor.next();
  if (cursor.take('{')) return parameter(around, isQuoted);
  if (cursor.peek() === '[') throw new NotReadable('`$[…]` is not looked into');
  if (cursor.peek() === '\\' && cursor.peek(1) === '\n') throw new NotReadable('a line is continued behind `$`');
  if (dialect === 'zsh' && ZSH_FLAGS.test(cursor.peek())) throw new NotReadable('a flag of zsh behind `$`');
  return plainParameter(around, isQuoted);
}

function plainParameter({ cursor, dialect }: Surroundings, isQuoted: boolean): Unknown | null {
  const name = cursor.match(NAME) ?? cursor.match(SPECIAL);
  if (name === null) return null;
  if (dialect === 'zsh' && cursor.peek() === '[') throw new NotReadable('a subscript behind a variable of zsh');
  if (dialect === 'zsh' && name === '#' && LENGTH_OF.test(cursor.peek())) {
    throw new NotReadable('the length of a variable of zsh, which may have a subscript');
  }
  return isQuoted && name !== '@' ? ONE : MANY;
}

function substitution(around: Surroundings, isQuoted: boolean): Unknown {
  const { cursor } = around;
  if (cursor.match(ARITHMETIC) !== null) return ONE;
  if (cursor.take('$((')) throw new NotReadable('arithmetic with names runs what is in the variables');
  cursor.take('$(');
  around.nested();
  return isQuoted ? ONE : MANY;
}

/** Reads what starts with a backquote. Inside, a backslash quotes itself, `$` and backquotes. */
export function backquoted(around: Surroundings, isQuoted: boolean): Unknown {
  const { cursor } = around;
  let text = '';
  cursor.next();
  while (cursor.peek() !== '`') {
    if (cursor.isAtEnd) throw new NotReadable('a backquote is missing');
    const isEscape = cursor.peek() === '\\' && '`\\$'.includes(cursor.peek(1) || ' ');
    if (isQuoted && cursor.peek() === '\\' && cursor.peek(1) === '"') throw new NotReadable('quotes within quotes');
    if (isEscape) cursor.next();
    text += cursor.next();
  }
  cursor.next();
  around.apart(text);
  return isQuoted ? ONE : MANY;
}

/** Reads what follows `${`. */
function parameter(around: Surroundings, isQuoted: boolean): Unknown {
  const { cursor, found } = around;
  if (cursor.peek() === '#' && /[A-Za-z_0-9@*]/.test(cursor.peek(1))) cursor.next();
  const name = cursor.match(PARAMETER);
  if (name === null) throw new NotReadable('`${…}` of a kind that is not known');
  const subscript = cursor.peek() === '[' ? subscriptOf(cursor) : '';
  if (!cursor.take('}')) {
    const operator = cursor.match(OPERATOR);
    if (operator === null) throw new NotReadable('`${…}` of a kind that can run what is in a variable');
    if (operator.endsWith('=')) found.assign(name, null);
    operand(around, isQuoted);
  }
  return isQuoted && name !== '@' && subscript !== '[@]' ? ONE : MANY;
}

function subscriptOf(cursor: Cursor): string {
  const subscript = cursor.match(SUBSCRIPT);
  if (subscript === null) throw new NotReadable('a subscript with names runs what is in the variables');
  return subscript;
}

/** Reads what follows the operator, up to `}`. It is unreadable if shells disagree on the meaning of quotes there. */
function operand(around: Surroundings, isQuoted: boolean): void {
  const { cursor } = around;
  for (;;) {
    const character = cursor.peek();
    if (character === '}') return void cursor.next();
    if (character === '' || '{()<>\n'.includes(character)) throw new NotReadable('`${…}` that is not simple');
    if (character === '$' && !(cursor.peek(1) === "'" || cursor.peek(1) === '"')) dollar(around, isQuoted);
    else if (character === '`') backquoted(around, isQuoted);
    else if (!'\'"\\$'.includes(character)) cursor.next();
    else if (isQuoted || character === '$') throw new NotReadable('quotes within `${…}` that are not simple');
    else if (character === '\\') escape(cursor);
    else around.quoted();
  }
}

function escape(cursor: Cursor): void {
  cursor.next();
  if (cursor.isAtEnd || cursor.peek() === '\n') throw new NotReadable('a line is continued within `${…}`');
  cursor.next();
}
