/**
 * Splits a shell line into every command that it runs, wherever it is: after operators, in loops and functions, in
 * substitutions, here-documents and quotes. Reports what it cannot read with certainty. Does not depend on programs.
 */
import { Cursor } from './cursor.js';
import { conditional, forLoop, functionNamed, caseBranches } from './compounds.js';
import type { Grammar } from './compounds.js';
import { Found, MANY, NotReadable } from './found.js';
import type { Dialect } from './dialect.js';
import type { Argument } from './found.js';
import { HereDocuments } from './here-documents.js';
import { isPassingOn } from './naming-builtins.js';
import { assignedText, assignmentName, doubtOfDeclared, redirection, startsRedirection } from './simple-parts.js';
import { doubleQuoted, WordReader } from './words.js';
import type { Word } from './words.js';

/** Deeper than any sensible line. */
const MAX_DEPTH = 40;

/** Words that start or end a construct in the position of a command. */
const STRAY = ['then', 'do', 'done', 'fi', 'esac', 'elif', 'else', '}'];
/** Shell-specific keywords whose constructs are not read. */
const UNREAD: Readonly<Record<Dialect, readonly string[]>> = {
  bash: ['coproc'],
  sh: ['coproc', '[[', 'function', 'select'],
  zsh: ['coproc', 'foreach', 'end', 'repeat', 'nocorrect', 'noglob', '-', 'always', 'select'],
};

/** Their arguments are read like assignments. */
const DECLARING: readonly Argument[] = ['export', 'declare', 'typeset', 'local', 'readonly'];

/** Reads a line as a shell of this dialect would. */
export function splitLine(line: string, dialect: Dialect): Found {
  const found = new Found(dialect);
  try {
    new LineReader(line, dialect, found, 0).all();
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    found.doubts.add(error.message);
  }
  return found;
}

class LineReader implements Grammar {
  readonly cursor: Cursor;
  readonly dialect: Dialect;
  readonly found: Found;
  readonly #depth: number;
  readonly #documents: HereDocuments;

  constructor(text: string, dialect: Dialect, found: Found, depth: number) {
    if (depth > MAX_DEPTH) throw new NotReadable('commands within commands too deep');
    this.cursor = new Cursor(text);
    this.dialect = dialect;
    this.found = found;
    this.#depth = depth;
    this.#documents = new HereDocuments(this.cursor, (body) => this.#document(body));
  }

  all(): void {
    this.list(['']);
  }

  nested(): void {
    if (!this.#documents.areRead) throw new NotReadable('a here-document that begins before a command within it');
    this.#deeper(() => this.list([')']));
  }

  apart(text: string): void {
    if (!this.#documents.areRead) throw new NotReadable('a here-document that begins before a command within it');
    new LineReader(text, this.dialect, this.found, this.#depth + 1).all();
  }

  quoted(): void {
    if (this.cursor.take("'")) this.cursor.through("'");
    else if (this.cursor.take('"')) doubleQuoted(this, '"');
  }

  word(): Word | null {
    return new WordReader(this).read();
  }

  /** Reads commands until one of `closers` is in the position of a command, and consumes it. */
  list(closers: readonly string[]): string {
    for (;;) {
      const closer = this.#separators(closers);
      if (closer !== null) return closer;
      const from = this.cursor.at;
      const closed = this.#command(closers);
      if (closed !== null) return closed;
      if (this.cursor.at === from) throw new NotReadable(`\`${this.cursor.peek()}\` stands where none is expected`);
    }
  }

  /** Skips spaces, comments and line ends, including the here-documents after these. */
  newlines(): void {
    for (;;) {
      this.blanks();
      if (this.cursor.peek() === '#') this.cursor.restOfLine();
      if (!this.cursor.take('\n')) return;
      this.#documents.read();
    }
  }

  blanks(): void {
    while (this.cursor.take(' ') || this.cursor.take('\t') || this.cursor.take('\\\n'));
  }

  /** Reads one command of any kind, or a closer in its place. */
  command(): void {
    this.#command([]);
  }

  redirections(): void {
    for (this.blanks(); startsRedirection(this); this.blanks()) this.#redirect();
  }

  #separators(closers: readonly string[]): string | null {
    for (;;) {
      this.newlines();
      const { cursor } = this;
      if (cursor.isAtEnd) return this.#end(closers);
      if (cursor.peek() === ')' && closers.includes(')')) return this.#closeNested();
      const branchEnd = [';;&', ';;', ';&'].find((end) => cursor.text.startsWith(end, cursor.at));
      if (branchEnd !== undefined && closers.includes(';;')) return (cursor.take(branchEnd), ';;');
      if (startsRedirection(this) || !';&|'.includes(cursor.peek())) return null;
      cursor.next();
      if (cursor.peek() === '\\' && cursor.peek(1) === '\n') throw new NotReadable('an operator is continued');
    }
  }

  #end(closers: readonly string[]): string {
    if (!closers.includes('')) throw new NotReadable(`\`${closers.at(-1)!}\` is missing`);
    if (!this.#documents.areRead) throw new NotReadable('a here-document has no end');
    return '';
  }

  #closeNested(): string {
    if (!this.#documents.areRead) throw new NotReadable('a here-document that ends behind the command it is for');
    return this.cursor.next();
  }

  #command(closers: readonly string[]): string | null {
    if (this.cursor.peek() === '(') return (this.#subshell(), null);
    if (startsRedirection(this)) return (this.#simple(null), null);
    const word = this.word();
    if (word === null) return null;
    if (closers.includes(word.bare)) return word.bare;
    this.#deeper(() => this.#begunBy(word));
    return null;
  }

  #begunBy(word: Word): void {
    const { bare } = word;
    if (STRAY.includes(bare)) throw new NotReadable(`\`${bare}\` stands where none is expected`);
    if (UNREAD[this.dialect].includes(bare)) throw new NotReadable(`\`${bare}\` is not looked into`);
    if (bare === '!') return;
    if (bare === 'time') return this.#time();
    if (!this.#compound(bare)) return this.#simple(word);
    this.redirections();
  }

  #compound(keyword: string): boolean {
    if (keyword === '{') this.list(['}']);
    else if (keyword === 'if') this.#if();
    else if (keyword === 'while' || keyword === 'until') this.#loop();
    else if (keyword === 'for' || keyword === 'select') forLoop(this);
    else if (keyword === 'case') caseBranches(this);
    else if (keyword === 'function') functionNamed(this);
    else if (keyword === '[[') conditional(this);
    else return false;
    return true;
  }

  #if(): void {
    this.list(['then']);
    let branch = this.list(['elif', 'else', 'fi']);
    for (; branch === 'elif'; branch = this.list(['elif', 'else', 'fi'])) this.list(['then']);
    if (branch === 'else') this.list(['fi']);
  }

  #loop(): void {
    this.list(['do']);
    this.list(['done']);
  }

  /** The timed command follows as a separate command. */
  #time(): void {
    this.blanks();
    this.cursor.match(/-p(?=[ \t\n])/y);
    this.blanks();
    this.cursor.match(/--(?=[ \t\n])/y);
    this.blanks();
    // Some shells, and bash in POSIX mode, take it for the program of that name.
    if (this.cursor.peek() === '-') throw new NotReadable('`time` with options');
  }

  #subshell(): void {
    this.cursor.next();
    if (this.cursor.peek() === '(' || this.cursor.peek() === '\\') throw new NotReadable('`((` is not looked into');
    this.nested();
    this.redirections();
  }

  #simple(first: Word | null): void {
    const words: Argument[] = [];
    const assignedBefore = this.found.assigned.length;
    let word = first;
    let redirects = false;
    this.#isDeclaring = first !== null && DECLARING.includes(first.bare);
    for (;;) {
      if (word !== null) this.#place(word, words);
      if (word !== null && this.#isFunction(word, words)) return;
      this.blanks();
      const isRedirection = startsRedirection(this);
      redirects ||= isRedirection;
      if (isRedirection) word = (this.#redirect(), null);
      else if (this.cursor.peek() === '#' || (word = this.word()) === null) break;
    }
    if (this.cursor.peek() === '(') throw new NotReadable('a parenthesis within a command');
    // zsh would run the commands in NULLCMD and READNULLCMD, by default a pager.
    if (words.length === 0 && redirects && this.dialect === 'zsh') throw new NotReadable('a redirection alone');
    if (words.length === 0) return;
    this.found.commands.push(words);
    if (isPassingOn(words)) this.found.passOn(assignedBefore);
  }

  #place(word: Word, words: Argument[]): void {
    const next = this.cursor.peek();
    if ((next === '<' || next === '>') && /^(?:[0-9]+|\{[A-Za-z_]\w*\})$/.test(word.bare)) {
      if (!word.bare.startsWith('{')) return;
      if (this.dialect !== 'bash') throw new NotReadable('`{…}` before a redirection');
      return this.found.assign(word.bare.slice(1, -1), null);
    }
    if ((next === '<' || next === '>') && /^\{.*\}$/s.test(word.bare)) {
      throw new NotReadable('`{…}` before a redirection');
    }
    const { at } = this.cursor;
    const name = this.#mayAssign(word, words) ? assignmentName(word, this) : null;
    const isArray = this.cursor.at !== at;
    if (name === null) return void words.push(word.argument);
    this.found.assign(name, isArray ? null : assignedText(word));
    const doubt = words.length === 0 || isArray ? null : doubtOfDeclared(words, word, this.dialect);
    if (doubt !== null) this.found.doubts.add(doubt);
  }

  /**
   * After a declaring builtin, a value may be split into several words if the shell treats the builtin like an ordinary
   * command.
   */
  #mayAssign({ argument }: Word, words: readonly Argument[]): boolean {
    if (words.length === 0) return true;
    if (!DECLARING.includes(words[0]!)) return false;
    return argument !== MANY || (this.#isDeclaring && this.dialect !== 'sh');
  }

  /** `name ()`: the body runs under that name, and is read like any command. */
  #isFunction(word: Word, words: Argument[]): boolean {
    if (words.length !== 1 || words[0] !== word.bare) return false;
    this.blanks();
    if (this.cursor.peek() !== '(') return false;
    this.cursor.next();
    this.blanks();
    if (!this.cursor.take(')')) throw new NotReadable('a parenthesis behind a name');
    this.newlines();
    this.command();
    return true;
  }

  #redirect(): void {
    const { delimiter } = redirection(this);
    if (delimiter !== undefined) this.#documents.expect(delimiter);
  }

  #document(body: string): void {
    const inner = new LineReader(body, this.dialect, this.found, this.#depth + 1);
    doubleQuoted(inner, '');
  }

  #deeper(read: () => void): void {
    if (this.#depth + ++this.#within > MAX_DEPTH) throw new NotReadable('commands within commands too deep');
    read();
    this.#within--;
  }

  #within = 0;
  /** Whether the current command starts with the unquoted name of a declaring builtin. */
  #isDeclaring = false;
}
