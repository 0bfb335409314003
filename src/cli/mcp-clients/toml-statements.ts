/**
 * Finds the statements of a TOML text with their offsets: table headers, and keys with the extent of their values.
 * Implements only as much of TOML (toml.io/en/v1.0.0) as is needed to leave everything else alone; values are
 * delimited, not parsed. Pure.
 */
import { Unclear } from './unclear.js';

export interface Statement {
  readonly kind: 'table' | 'tables' | 'pair';
  /** Full path of a table, or of a key including its table. */
  readonly path: readonly string[];
  /** Start of its line. */
  readonly start: number;
  /** After its last character; a comment and the line break may follow. */
  readonly end: number;
  /** Start of the value of a pair; otherwise equal to `end`. */
  readonly value: number;
}

const BARE_KEY = /[A-Za-z0-9_-]+/y;
const BLANKS = /[ \t]*/y;
const BLANKS_AND_LINES = /(?:[ \t\r\n]|#[^\r\n]*)*/y;
const LINE_END = /[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|$)/y;
/** Any string, longest delimiters first. */
const STRING = /"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?!"")(?:[^"\\\r\n]|\\[^\r\n])*"|'(?!'')[^'\r\n]*'/y;
const OPENING = '[{';
const CLOSING = ']}';

/** @throws {Unclear} if a statement is malformed. */
export function statementsOf(text: string): readonly Statement[] {
  return new Reader(text).statements();
}

/** Returns the text that a key or a string denotes; undefined for strings not supported here. */
export function unquoted(written: string): string | undefined {
  if (written.startsWith("'''") || written.startsWith('"""')) return undefined;
  if (written.startsWith("'")) return written.slice(1, -1);
  try {
    // JSON's escapes are valid in TOML; only \U and newer escapes are missing.
    return JSON.parse(written.replaceAll('\t', '\\t')) as string;
  } catch {
    return undefined;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  statements(): Statement[] {
    const found: Statement[] = [];
    let table: readonly string[] = [];
    for (this.#take(BLANKS_AND_LINES); this.#at < this.#text.length; this.#take(BLANKS_AND_LINES)) {
      const statement = this.#statement(table);
      if (statement.kind !== 'pair') table = statement.path;
      found.push(statement);
    }
    return found;
  }

  #statement(table: readonly string[]): Statement {
    const start = this.#text.lastIndexOf('\n', this.#at - 1) + 1;
    const statement = this.#text[this.#at] === '[' ? this.#header(start) : this.#pair(start, table);
    if (this.#take(LINE_END) === undefined) throw this.#unclear('something follows that does not belong there');
    return statement;
  }

  #header(start: number): Statement {
    const isMany = this.#text.startsWith('[[', this.#at);
    this.#at += isMany ? 2 : 1;
    const path = this.#key();
    const closing = isMany ? ']]' : ']';
    if (!this.#text.startsWith(closing, this.#at)) throw this.#unclear(`${closing} is missing`);
    this.#at += closing.length;
    return { kind: isMany ? 'tables' : 'table', path, start, end: this.#at, value: this.#at };
  }

  #pair(start: number, table: readonly string[]): Statement {
    const path = [...table, ...this.#key()];
    if (this.#text[this.#at] !== '=') throw this.#unclear('= is missing');
    this.#at++;
    this.#take(BLANKS);
    const value = this.#at;
    this.#value();
    if (this.#at <= value) throw this.#unclear('the value is missing');
    return { kind: 'pair', path, start, end: this.#at, value };
  }

  /** A dotted key with the whitespace around it. */
  #key(): string[] {
    const path: string[] = [];
    do {
      if (path.length > 0) this.#at++;
      this.#take(BLANKS);
      path.push(this.#simpleKey());
      this.#take(BLANKS);
    } while (this.#text[this.#at] === '.');
    return path;
  }

  #simpleKey(): string {
    const bare = this.#take(BARE_KEY);
    if (bare !== undefined) return bare;
    const from = this.#at;
    const written = this.#take(STRING);
    const key = written && unquoted(written);
    if (key === undefined) throw this.#unclear('a key is missing', from);
    return key;
  }

  /** Reads to the end of the line, or to the closing bracket if one opens. */
  #value(): void {
    const open: string[] = [];
    for (;;) {
      this.#take(open.length > 0 ? BLANKS_AND_LINES : BLANKS);
      const next = this.#text[this.#at];
      if (open.length === 0 && this.#isAtLineEnd()) return this.#withoutBlanksBehind();
      if (next === undefined) throw this.#unclear(`${open.at(-1)} is missing`);
      if (next === '"' || next === "'") this.#string();
      else this.#plain(next, open);
    }
  }

  #string(): void {
    if (this.#take(STRING) === undefined) throw this.#unclear('a string does not end');
  }

  #plain(next: string, open: string[]): void {
    if (OPENING.includes(next)) open.push(CLOSING[OPENING.indexOf(next)]!);
    else if (CLOSING.includes(next) && open.pop() !== next) throw this.#unclear(`${next} closes nothing`);
    this.#at++;
  }

  #isAtLineEnd(): boolean {
    return this.#at === this.#text.length || '\r\n#'.includes(this.#text[this.#at]!);
  }

  #withoutBlanksBehind(): void {
    while (' \t'.includes(this.#text[this.#at - 1]!)) this.#at--;
  }

  /** Returns the match at the current position and advances past it; undefined if there is none. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0];
    if (taken !== undefined) this.#at = pattern.lastIndex;
    return taken;
  }

  #unclear(message: string, at = this.#at): Unclear {
    return new Unclear(this.#text, at, `it is no TOML: ${message}`);
  }
}
