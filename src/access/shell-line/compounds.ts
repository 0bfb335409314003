/** The commands of several parts whose grammar is a thing of its own: `for`, `case`, `[[` and functions. */
import type { Surroundings } from './expansions.js';
import { isPlainNumber, NotReadable } from './found.js';
import type { Word } from './words.js';

/** What reads the parts. */
export interface Grammar extends Surroundings {
  /** Reads commands until one of these stands where a command is expected; takes it. */
  list(closers: readonly string[]): string;
  /** Reads one command of whatever kind. */
  command(): void;
  /** Reads a word; null where none begins. */
  word(): Word | null;
  blanks(): void;
  newlines(): void;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Of `[[`: what is on their sides is evaluated, and commands in what variables hold are run. */
const EVALUATING = ['-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-v', '-R'];

/** Behind `for` or `select`. */
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

/** Behind `case`. */
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

/** Takes the patterns of one branch and `)`; false where there is no further branch. */
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

/** Behind `function`. */
export function functionNamed(grammar: Grammar): void {
  const name = wordOf(grammar);
  if (name === null || name.argument !== name.bare) throw new NotReadable('`function` without a plain name');
  grammar.blanks();
  if (grammar.cursor.take('(')) {
    grammar.blanks();
    if (!grammar.cursor.take(')')) throw new NotReadable('a parenthesis behind a name');
  }
  grammar.newlines();
  // zsh takes several names; what stands here would be one of them.
  if (!'{('.includes(grammar.cursor.peek() || ' ')) throw new NotReadable('`function` with a body that is not plain');
  grammar.command();
}

/** Behind `[[`, to `]]`. */
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
