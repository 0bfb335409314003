/** The parts of a simple command other than its words: assignments and redirections. Does not depend on keywords. */
import type { Grammar } from './compounds.js';
import { NotReadable, NUMBER } from './found.js';
import type { Dialect } from './dialect.js';
import type { Argument } from './found.js';
import type { Delimiter } from './here-documents.js';
import type { Word } from './words.js';

/** As written in a line, longest first. */
const REDIRECTIONS = /<<<|<<-|<<|<&|<>|>>|>&|>\||<|>/y;
const BOTH = /&>>|&>/y;
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?\+?=/;
/** Other subscripts are evaluated: `a[x]` looks up the value of x, and runs the commands in it. */
const PLAIN_SUBSCRIPT = /^\[[0-9]+\]$/;
/** A target of `>&` and `<&`: a descriptor, or a name that does not change when expanded again. */
const PLAIN_TARGET = /^[\w.,:%+/-]+$/;
const EXPANDED_TWICE = '`>&` expands what it is given a second time';
/** With these, the value of a variable that is already an array is an array too. */
const MAKING_ARRAYS: readonly Argument[] = ['declare', 'typeset', 'local'];

/** Returns whether `<` or `>` is here, optionally preceded by `&`, and is not a process substitution. */
export function startsRedirection({ cursor, dialect }: Grammar): boolean {
  if (cursor.peek() === '&') return dialect !== 'sh' && cursor.peek(1) === '>';
  return (cursor.peek() === '<' || cursor.peek() === '>') && cursor.peek(1) !== '(';
}

/** Reads one redirection with its target. Returns the delimiter of a here-document. */
export function redirection(grammar: Grammar): { readonly delimiter?: Delimiter } {
  const { cursor, dialect } = grammar;
  const operator = cursor.match(BOTH) ?? cursor.match(REDIRECTIONS)!;
  if (cursor.peek() === '\\') refuseContinued(cursor.peek(1));
  if (dialect === 'zsh' && '!|'.includes(cursor.peek() || ' ')) throw new NotReadable('a redirection of zsh');
  if (dialect === 'sh' && operator === '<<<') throw new NotReadable('`<<<` means something else in other shells');
  grammar.blanks();
  const target = grammar.word();
  if (target === null) throw new NotReadable('a redirection to nothing');
  if (operator.endsWith('&') && !isPlainTarget(target)) grammar.found.doubts.add(EXPANDED_TWICE);
  return operator === '<<' || operator === '<<-' ? { delimiter: delimiterOf(target, operator) } : {};
}

/**
 * If the target is not a number, bash takes it for a name and expands it again, running commands in it even if they
 * were quoted.
 */
function isPlainTarget({ argument }: Word): boolean {
  return argument === NUMBER || (typeof argument === 'string' && PLAIN_TARGET.test(argument));
}

function refuseContinued(next: string): void {
  if (next === '\n') throw new NotReadable('an operator is continued');
}

function delimiterOf({ argument, bare }: Word, operator: string): Delimiter {
  if (typeof argument !== 'string' || argument.includes('\n')) {
    throw new NotReadable('a here-document whose end is not plain');
  }
  return { text: argument, isIndented: operator === '<<-', isQuoted: bare !== argument };
}

/**
 * Returns the variable that a word before the program sets; null if it is not an assignment. Reads an array to its end.
 */
export function assignmentName({ bare }: Word, grammar: Grammar): string | null {
  const found = ASSIGNMENT.exec(bare);
  if (found === null) return null;
  const [whole, name, subscript] = found;
  if (subscript !== undefined && !PLAIN_SUBSCRIPT.test(subscript)) {
    grammar.found.doubts.add('a subscript with names runs what is in the variables');
  }
  if (whole === bare && grammar.cursor.peek() === '(') elements(grammar);
  return name!;
}

/** Returns the value of a simple assignment; null if only the shell knows it. */
export function assignedText({ argument, bare }: Word): string | null {
  if (typeof argument !== 'string' || bare !== argument) return null;
  const [name, ...value] = argument.split('=');
  return name!.endsWith('+') ? null : value.join('=');
}

/**
 * Returns why a declaration could run what its value contains, in words; null if it cannot. Bash turns a value in
 * parentheses into array elements and runs the commands in them, even if they were quoted or came from a variable.
 *
 * @param words - The preceding words: the declaring builtin and its options.
 */
export function doubtOfDeclared(words: readonly Argument[], { argument }: Word, dialect: Dialect): string | null {
  const isArray = MAKING_ARRAYS.includes(words[0]!) || words.some((word) => /^-.*[aA]/.test(String(word)));
  const isPlain = typeof argument === 'string' && !argument.includes('(');
  return isArray && !isPlain && dialect !== 'zsh' ? 'what declares an array runs what is in its value' : null;
}

function elements(grammar: Grammar): void {
  const { cursor, dialect } = grammar;
  if (dialect === 'sh') throw new NotReadable('an array');
  cursor.next();
  for (grammar.newlines(); !cursor.take(')'); grammar.newlines()) {
    const element = grammar.word();
    if (element === null) throw new NotReadable('an array that is not plain');
    if (/^\[/.test(element.bare) && !/^\[[0-9]+\]=/.test(element.bare)) {
      grammar.found.doubts.add('a subscript with names runs what is in the variables');
    }
  }
}
