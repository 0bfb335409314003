/**
 * Parses a line in the part of the grammar that all shells parse alike: simple commands with assignments and
 * redirections, and the operators between them. After a construct that it cannot parse, it continues with guesses. Does
 * not depend on any program.
 */
import { Cursor, NotRead } from './cursor.js';
import { MANY } from './reading.js';
import type { Argument, Assigned, CommandWords } from './reading.js';
import { readWord } from './words.js';

export interface Command {
  /** Empty if it only assigns. */
  readonly words: CommandWords;
  readonly assigned: readonly Assigned[];
  /** Whether something before or in it could not be parsed. */
  readonly isGuess: boolean;
}

export interface Line {
  /** In order of appearance. */
  readonly commands: readonly Command[];
  /** The first construct that could not be parsed, in words; null if there is none. */
  readonly doubt: string | null;
}

/** Limits the time spent on guesses. */
const MOST_UNREAD = 100;
const CONTROL = /[^\P{Cc}\t\n]/u;
const BLANKS = /(?:[ \t]|\\\n)+/y;
/** Not next to a continued line, where shells differ on whether it is a comment. */
const COMMENT = /(?<!\\\n)#(?:[^\n]*[^\\\n])?(?=\n|$)/y;
const ASSIGNMENT = /[A-Za-z_]\w*=/y;
/** The text that follows contains no commands to guess. */
const HERE_DOCUMENT = /<<[^]*/y;
const DUPLICATION = /[0-9]?[<>]&[0-9](?=[ \t\n;&|]|$)/y;
const REDIRECTION = /[0-9]?(?:>>|>|<)(?![<>&|!(])/y;
/** In fish, `&` is an ordinary character before a character of a word. */
const AFTER = /&&|\|\||[|;\n]|&(?=[ \t\n;]|$)/y;
const JOINING = ['&&', '||', '|'];

/** Parses a line for any of these shells. */
export function readLine(text: string): Line {
  const reader = new LineReader(text);
  if (CONTROL.test(text)) reader.doubt = 'a control character';
  for (let times = 0; times < MOST_UNREAD; times++) {
    try {
      reader.all();
      break;
    } catch (error) {
      if (!(error instanceof NotRead)) throw error;
      reader.giveUp(error.message);
    }
  }
  return reader;
}

class LineReader implements Line {
  readonly commands: Command[] = [];
  doubt: string | null = null;
  readonly #cursor: Cursor;
  #words: Argument[] = [];
  #assigned: Assigned[] = [];

  constructor(text: string) {
    this.#cursor = new Cursor(text);
  }

  all(): void {
    for (let isJoined = false; ;) {
      this.#emptyLines();
      if (this.#cursor.isAtEnd && !isJoined) return;
      this.#command();
      const after = this.#cursor.match(AFTER);
      if (after === null && !this.#cursor.isAtEnd) throw new NotRead(`\`${this.#cursor.peek()}\` is not looked into`);
      isJoined = JOINING.includes(after ?? '');
    }
  }

  /** Keeps what was parsed of a command, and continues after the character that could not be parsed. */
  giveUp(doubt: string): void {
    this.doubt ??= doubt;
    if (this.#words.length > 0) this.#words.push(MANY);
    this.#keep();
    if (this.#cursor.match(HERE_DOCUMENT) === null) this.#cursor.next();
  }

  #emptyLines(): void {
    for (this.#blanks(); this.#cursor.match(/\n/y) !== null; this.#blanks());
  }

  #blanks(): void {
    this.#cursor.match(BLANKS);
    this.#cursor.match(COMMENT);
  }

  #command(): void {
    for (let name; (name = this.#cursor.match(ASSIGNMENT)) !== null; this.#blanks()) this.#assign(name.slice(0, -1));
    for (this.#blanks(); this.#part(); this.#blanks());
    if (this.#words.length + this.#assigned.length === 0) throw new NotRead('a command is missing');
    this.#keep();
  }

  #assign(name: string): void {
    const at = this.#assigned.push({ name, value: null, isPassedOn: false }) - 1;
    const value = readWord(this.#cursor) ?? '';
    if (typeof value === 'string') this.#assigned[at] = { name, value, isPassedOn: false };
  }

  /** Consumes a word or a redirection; returns false at the end of the command. */
  #part(): boolean {
    if (this.#redirects()) return true;
    const word = readWord(this.#cursor);
    if (word !== null) this.#words.push(word);
    return word !== null;
  }

  #redirects(): boolean {
    const cursor = this.#cursor;
    const isDuplication = cursor.match(DUPLICATION) !== null;
    if (!isDuplication && cursor.match(REDIRECTION) === null) return false;
    if (this.#words.length === 0) throw new NotRead('a redirection without a program before it');
    if (isDuplication) return true;
    cursor.match(BLANKS);
    if (typeof readWord(cursor) !== 'string') throw new NotRead('a redirection to what only the shell knows');
    return true;
  }

  #keep(): void {
    const words = this.#words;
    const assigned = this.#assigned.map((one) => ({ ...one, isPassedOn: words.length > 0 }));
    this.commands.push({ words, assigned, isGuess: this.doubt !== null });
    this.#words = [];
    this.#assigned = [];
  }
}
