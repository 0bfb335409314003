/** Compound commands with a grammar of their own: `for`, `case`, `[[` and functions. */
import type { Surroundings } from './expansions.js';
import { isPlainNumber, NotReadable } from './found.js';
import type { Word } from './words.js';

/** The reader of the parts. */
export interface Grammar extends Surroundings {
  /** Reads commands until one of these closers is in the position of a command, and consumes it. */
  list(closers: readonly string[]): string;
  /** Reads one command of any kind. */
  command(): void;
  /** Reads a word; returns null if none starts here. */
  word(): Word | null;
  blanks(): void;
  newlines(): void;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Operators of `[[` that evaluate their operands and run commands contained in the values of variables. */
const EVALUATING = ['-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-v', '-R'];

/** Reads what follows `for` or `select`. */
export function forLoop(grammar: Grammar): void {
  const name = wordOf(grammar);
  if (name === null || !NAME.test(name.bare)) throw new NotReadable('`for` without the name of a variable');
  grammar.found.assign(name.bare, null);
  grammar.newlines();
  const { cursor } = grammar;
  let next = cursor.peek() === ';' ? null : grammar.word();
  if (next?.bare === 'in') {
    for (grammar.blanks(); cursor.peek() !== '#' && grammar.word() !== null; grammar.blanks());
    next = null;
  }
  if (next === null) {
    grammar.newlines();
    cursor.take(';');
    grammar.newlines();
    next = grammar.word();
  }
  if (next?.bare !== 'do') throw new NotReadable('`for` without `do`');
  grammar.list(['done']);
}

/** Reads what follows `case`. */
export function caseBranches(grammar: Grammar): void {
  wordOf(grammar);
  grammar.newlines();
  if (grammar.word()?.bare !== 'in') throw new NotReadable('`case` without `in`');
  for (;;) {
    grammar.newlines();
    if (!patterns(grammar)) return;
    if (grammar.list([';;', 'esac']) === 'esac') return;
  }
}

/** Reads the patterns of one branch and `)`. Returns false if there is no further branch. */
function patterns(grammar: Grammar): boolean {
  const { cursor } = grammar;
  const isOpen = cursor.take('(');
  for (let isFirst = true; ; isFirst = false) {
    grammar.blanks();
    const pattern = grammar.word();
    if (pattern === null) throw new NotReadable('`case` with a pattern that is not plain');
    if (isFirst && !isOpen && pattern.bare === 'esac') return false;
    grammar.blanks();
    if (cursor.take(')')) return true;
    if (!cursor.take('|')) throw new NotReadable('`case` with a pattern that is not plain');
  }
}

/** Reads what follows `function`. */
export function functionNamed(grammar: Grammar): void {
  const name = wordOf(grammar);
  if (name === null || name.argument !== name.bare) throw new NotReadable('`function` without a plain name');
  grammar.blanks();
  if (grammar.cursor.take('(')) {
    grammar.blanks();
    if (!grammar.cursor.take(')')) throw new NotReadable('a parenthesis behind a name');
  }
  grammar.newlines();
  // zsh accepts several names; the next word would be one of them.
  if (!'{('.includes(grammar.cursor.peek() || ' ')) throw new NotReadable('`function` with a body that is not plain');
  grammar.command();
}

/** Reads what follows `[[`, up to `]]`. */
export function conditional(grammar: Grammar): void {
  const { found, dialect } = grammar;
  for (let isNumber = false; ;) {
    grammar.newlines();
    if (takeOperator(grammar)) continue;
    const word = grammar.word();
    if (word === null) throw new NotReadable('`[[` with what is not plain');
    if (word.bare === ']]') return;
    const isRun = EVALUATING.includes(String(word.argument)) || (isNumber && !isPlainNumber(word.argument));
    if (isRun) found.doubts.add('`[[` evaluates what is in variables');
    isNumber = dialect === 'zsh' && word.argument === '-t';
  }
}

function takeOperator({ cursor }: Grammar): boolean {
  return ['&&', '||', '(', ')'].some((operator) => cursor.take(operator)) || cursor.match(/[<>](?!\()/y) !== null;
}

function wordOf(grammar: Grammar): Word | null {
  grammar.blanks();
  return grammar.word();
}
