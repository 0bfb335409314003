/**
 * Parses the part of the shell grammar that all shells parse alike: simple commands with assignments and redirections,
 * and the operators between them. After a construct outside that part, continues with guesses.
 */
import { TextScanner, UnsupportedSyntax } from './text-scanner.js';
import { UNKNOWN_ARGUMENTS } from './line-analysis.js';
import type { Argument, Assignment, CommandWords } from './line-analysis.js';
import { parseWord } from './words.js';

export interface ParsedCommand {
  /** Empty if the command consists only of assignments. */
  readonly words: CommandWords;
  readonly assigned: readonly Assignment[];
  /** Whether something in the command, or before it, could not be parsed. */
  readonly isGuess: boolean;
}

export interface ParsedLine {
  /** In order of appearance. */
  readonly commands: readonly ParsedCommand[];
  /** Human-readable description of the first construct that could not be parsed; null if there is none. */
  readonly doubt: string | null;
}

/** Maximum number of constructs that are skipped in one line, which limits the time spent on guesses. */
const MAX_UNSUPPORTED = 100;
const CONTROL = /[^\P{Cc}\t\n]/u;
const BLANKS = /(?:[ \t]|\\\n)+/y;
/** A comment. Not matched after or before a line continuation, where shells differ on whether it is a comment. */
const COMMENT = /(?<!\\\n)#(?:[^\n]*[^\\\n])?(?=\n|$)/y;
const ASSIGNMENT = /[A-Za-z_]\w*=/y;
/** A here document, with everything after it: the text contains no commands to guess. */
const HERE_DOCUMENT = /<<[^]*/y;
const DUPLICATION = /[0-9]?[<>]&[0-9](?=[ \t\n;&|]|$)/y;
const REDIRECTION = /[0-9]?(?:>>|>|<)(?![<>&|!(])/y;
/**
 * The operators between commands. A single `&` counts only before a blank, a line ending, `;` or the end of the text:
 * before any other character, fish treats it as an ordinary character.
 */
const AFTER = /&&|\|\||[|;\n]|&(?=[ \t\n;]|$)/y;
const JOINING = ['&&', '||', '|'];

/** Parses a line as any of the shells that `parsesAlike` accepts would. */
export function parseLine(text: string): ParsedLine {
  const reader = new LineParser(text);
  if (CONTROL.test(text)) reader.doubt = 'a control character';
  for (let times = 0; times < MAX_UNSUPPORTED; times++) {
    try {
      reader.parseAll();
      break;
    } catch (error) {
      if (!(error instanceof UnsupportedSyntax)) throw error;
      reader.skipUnsupported(error.message);
    }
  }
  return reader;
}

class LineParser implements ParsedLine {
  readonly commands: ParsedCommand[] = [];
  doubt: string | null = null;
  readonly #scanner: TextScanner;
  #words: Argument[] = [];
  #assigned: Assignment[] = [];

  constructor(text: string) {
    this.#scanner = new TextScanner(text);
  }

  parseAll(): void {
    for (let isJoined = false; ;) {
      this.#skipEmptyLines();
      if (this.#scanner.isAtEnd && !isJoined) return;
      this.#parseCommand();
      const after = this.#scanner.match(AFTER);
      if (after === null && !this.#scanner.isAtEnd)
        throw new UnsupportedSyntax(`\`${this.#scanner.peek()}\` is not analysed`);
      isJoined = JOINING.includes(after ?? '');
    }
  }

  /** Keeps the part of the command that was parsed, and moves past the character that could not be parsed. */
  skipUnsupported(doubt: string): void {
    this.doubt ??= doubt;
    if (this.#words.length > 0) this.#words.push(UNKNOWN_ARGUMENTS);
    this.#finishCommand();
    if (this.#scanner.match(HERE_DOCUMENT) === null) this.#scanner.next();
  }

  #skipEmptyLines(): void {
    for (this.#skipBlanks(); this.#scanner.match(/\n/y) !== null; this.#skipBlanks());
  }

  #skipBlanks(): void {
    const blanks = this.#scanner.match(BLANKS);
    // In fish, the line after such a comment belongs to the same command.
    if (blanks?.includes('\n') && this.#scanner.peek() === '#')
      throw new UnsupportedSyntax('a comment after a line continuation is not analysed');
    this.#scanner.match(COMMENT);
  }

  #parseCommand(): void {
    for (let name; (name = this.#scanner.match(ASSIGNMENT)) !== null; this.#skipBlanks())
      this.#parseAssignment(name.slice(0, -1));
    for (this.#skipBlanks(); this.#parsePart(); this.#skipBlanks());
    if (this.#words.length + this.#assigned.length === 0) throw new UnsupportedSyntax('a command is missing');
    this.#finishCommand();
  }

  #parseAssignment(name: string): void {
    const at = this.#assigned.push({ name, value: null, isPassedOn: false }) - 1;
    const value = parseWord(this.#scanner) ?? '';
    if (typeof value === 'string') this.#assigned[at] = { name, value, isPassedOn: false };
  }

  /** Consumes a word or a redirection; returns false at the end of the command. */
  #parsePart(): boolean {
    if (this.#parseRedirection()) return true;
    const word = parseWord(this.#scanner);
    if (word !== null) this.#words.push(word);
    return word !== null;
  }

  #parseRedirection(): boolean {
    const scanner = this.#scanner;
    const isDuplication = scanner.match(DUPLICATION) !== null;
    if (!isDuplication && scanner.match(REDIRECTION) === null) return false;
    if (this.#words.length === 0) throw new UnsupportedSyntax('a redirection without a program before it');
    if (isDuplication) return true;
    scanner.match(BLANKS);
    if (typeof parseWord(scanner) !== 'string')
      throw new UnsupportedSyntax('a redirection to a file that only the shell knows');
    return true;
  }

  #finishCommand(): void {
    const words = this.#words;
    const assigned = this.#assigned.map((one) => ({ ...one, isPassedOn: words.length > 0 }));
    this.commands.push({ words, assigned, isGuess: this.doubt !== null });
    this.#words = [];
    this.#assigned = [];
  }
}
