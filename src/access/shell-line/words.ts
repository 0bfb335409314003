/**
 * Reads one word of a line: quotes, backslashes and expansions. Knows only that a word may contain commands, not their
 * grammar.
 */
import { ansiText } from './ansi-text.js';
import { backquoted, dollar } from './expansions.js';
import type { Surroundings } from './expansions.js';
import { MANY, NotReadable, NUMBER, ONE } from './found.js';
import type { Argument } from './found.js';

type Unknown = typeof ONE | typeof MANY;

/** Stands for quoted text: a word that contains it is not a keyword, name or operator. */
const QUOTED = '\0';
/** Ends a word, or is an operator by itself. */
const METACHARACTER = /[ \t\n|&;()<>]/;
/** A word that consists only of a numeric special parameter. */
const NUMBER_ALONE = /^(?:\$[?#$!]|"\$[?#$!]")$/;
/** A word that the shell may expand to several or different words: file names, or brace alternatives. */
const BRACES = /\{.*(?:,|\.\.).*\}?/s;

export interface Word {
  /** What the program receives. */
  readonly argument: Argument;
  /** The text with quoted and expanded parts shown as NUL. */
  readonly bare: string;
}

export function isMetacharacter(character: string): boolean {
  return METACHARACTER.test(character);
}

/** Reads one word; returns null if none starts here. */
export class WordReader {
  readonly #around: Surroundings;
  #text = '';
  #bare = '';
  #unknown: Unknown | null = null;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  read(): Word | null {
    const { cursor } = this.#around;
    const from = cursor.at;
    while (this.#part());
    if (cursor.at === from) return null;
    const argument = this.#unknown ?? this.#text;
    if (NUMBER_ALONE.test(cursor.text.slice(from, cursor.at))) return { argument: NUMBER, bare: this.#bare };
    return { argument: BRACES.test(this.#bare) ? MANY : argument, bare: this.#bare };
  }

  #part(): boolean {
    const { cursor } = this.#around;
    const character = cursor.peek();
    if ((character === '<' || character === '>') && cursor.peek(1) === '(') return this.#process();
    if (character === '' || METACHARACTER.test(character)) return false;
    if (character === '\\') this.#escape();
    else if (character === "'" || character === '"') this.#quoted();
    else if (character === '$') this.#dollar();
    else if (character === '`') this.#take(backquoted(this.#around, false));
    else this.#plain(cursor.next());
    return true;
  }

  /** Marks the word as unknown. A word that may be any number of arguments stays so. */
  #take(unknown: Unknown): void {
    this.#unknown = this.#unknown === MANY ? MANY : unknown;
    this.#bare += QUOTED;
  }

  #plain(character: string): void {
    const { dialect } = this.#around;
    const isFirst = this.#bare === '';
    if (isFirst && character === '=' && dialect === 'zsh') throw new NotReadable('a word of zsh that begins with `=`');
    if (isFirst && character === '~') this.#unknown = ONE;
    const isGlob = character === '*' || character === '?' || character === '[';
    const isAlone = isFirst && isMetacharacter(this.#around.cursor.peek() || ' ');
    if (isGlob && !(character === '[' && isAlone)) this.#unknown = MANY;
    this.#text += character;
    this.#bare += character;
  }

  #escape(): void {
    const { cursor } = this.#around;
    cursor.next();
    if (cursor.isAtEnd) throw new NotReadable('it ends in a backslash');
    if (cursor.peek() === '\n') throw new NotReadable('a word is continued on the next line');
    this.#text += cursor.next();
    this.#bare += QUOTED;
  }

  /** `<(…)` and `>(…)`: the program receives the name of a pipe. */
  #process(): boolean {
    const { cursor, dialect } = this.#around;
    if (dialect === 'sh') throw new NotReadable('`<(` means something else in other shells');
    cursor.next();
    cursor.next();
    this.#around.nested();
    this.#take(ONE);
    return true;
  }

  #dollar(): void {
    const { cursor, dialect } = this.#around;
    const quote = cursor.peek(1);
    if (quote === "'" || quote === '"') {
      if (dialect === 'sh') throw new NotReadable('`$` before quotes means different things in different shells');
      if (quote === '"') throw new NotReadable('`$"…"` is looked through for commands when it is translated');
      cursor.next();
      return this.#add(ansiText(cursor));
    }
    const unknown = dollar(this.#around, false);
    if (unknown === null) this.#plain('$');
    else this.#take(unknown);
  }

  #quoted(): void {
    const { cursor } = this.#around;
    const quote = cursor.next();
    if (quote === "'") return this.#add(cursor.through("'"));
    const { text, unknown } = doubleQuoted(this.#around, '"');
    this.#add(text);
    if (unknown !== null) this.#take(unknown);
  }

  #add(text: string): void {
    this.#text += text;
    this.#bare += QUOTED;
  }
}

/**
 * Reads the text up to and including `end`, or to the end of the input. Only `$`, backquotes and backslashes are
 * special in it.
 */
export function doubleQuoted(around: Surroundings, end: '"' | ''): { text: string; unknown: Unknown | null } {
  const { cursor } = around;
  let text = '';
  let unknown: Unknown | null = null;
  while (cursor.peek() !== end) {
    if (cursor.isAtEnd) throw new NotReadable('a quote is missing');
    const put = cursor.peek() === '$' ? dollar(around, true) : cursor.peek() === '`' ? backquoted(around, true) : '';
    if (put === ONE || put === MANY) unknown = unknown === MANY ? MANY : put;
    else text += put === null ? '$' : quotedCharacter(around, end);
  }
  cursor.next();
  return { text, unknown };
}

/** A backslash is literal before a character that needs no quoting. */
function quotedCharacter({ cursor }: Surroundings, end: '"' | ''): string {
  const character = cursor.next();
  if (character !== '\\') return character;
  if (cursor.peek() === '\n') {
    // In a here-document, a continued line could be the delimiter line.
    if (end === '') throw new NotReadable('a line of a here-document is continued');
    cursor.next();
    return '';
  }
  return '$`\\'.includes(cursor.peek() || ' ') || cursor.peek() === end ? cursor.next() : character;
}
