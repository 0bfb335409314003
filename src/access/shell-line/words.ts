/**
 * Parses one word of a line. Supports only constructs that bash, dash, zsh, mksh, busybox and fish all parse alike, and
 * rejects all others.
 */
import { UnsupportedSyntax } from './text-scanner.js';
import type { TextScanner } from './text-scanner.js';
import { UNKNOWN_ARGUMENTS, UNKNOWN_ARGUMENT } from './line-analysis.js';
import type { Argument } from './line-analysis.js';

/**
 * Characters that are literal only if they are a whole word: in a longer word, they would form a pattern or, in zsh,
 * the path of a program.
 */
const WHOLE_WORDS = /(?:\{\}|[[\]{}=])(?=[ \t\n;&|]|$)/y;
/** Plain characters. ASCII only, because bash on macOS treats bytes of some other letters as blanks. */
const PLAIN = /[\w.,:/@%+=!~-]+/y;
/** Characters that expand to file names, to alternatives, or not at all, depending on the shell and its options. */
const PATTERN = /[*?[\]{}^#]+/y;
/** Text that shells may expand to a directory or to the path of a program, or fish to a process id. */
const REPLACED = /^[~%]|[:=][~=]/;
/** A backslash and the character that it quotes. Excludes letters and digits, because fish has escapes such as `\n`. */
const ESCAPED = /\\[ -/:-@[-`{-~]/y;
/**
 * The content of single quotes, without `\'` and `\\`, which fish unescapes. The closing quote must not be followed by
 * another quote, because zsh can take the two for a literal one.
 */
const IN_SINGLE_QUOTES = /[^'\\]+|\\(?![\\'])/y;
const END_OF_SINGLE_QUOTES = /'(?!')/y;
const IN_QUOTES = /[^"\\$`]+|\\[^`\n]|\$(?=[" ])/y;
/** A variable. Must not be followed by `[`, because zsh evaluates subscripts, running commands in them. */
const VARIABLE = /\$(?:[A-Za-z_]\w*(?![\w[])|\{[A-Za-z_]\w*\}(?!\[)|\?(?!\[))/y;
const END_OF_WORD = /(?=[ \t\n;&|]|$)/y;

/** Consumes and returns one word; returns null if none begins at the current position. */
export function parseWord(scanner: TextScanner): Argument | null {
  const alone = scanner.match(WHOLE_WORDS);
  if (alone !== null) return alone;
  if ('=#'.includes(scanner.peek() || ' '))
    throw new UnsupportedSyntax(`a word that begins with \`${scanner.peek()}\``);
  const parts: Argument[] = [];
  for (let part = parsePart(scanner); part !== null; part = parsePart(scanner)) parts.push(part);
  if (scanner.match(END_OF_WORD) === null) throw new UnsupportedSyntax(`\`${scanner.peek()}\` is not analysed`);
  if (parts.includes(UNKNOWN_ARGUMENTS)) return UNKNOWN_ARGUMENTS;
  if (parts.includes(UNKNOWN_ARGUMENT)) return UNKNOWN_ARGUMENT;
  return parts.length === 0 ? null : parts.join('');
}

/** Consumes and returns one plain, quoted or expanded part of a word; returns null at the end of the word. */
function parsePart(scanner: TextScanner): Argument | null {
  const plain = scanner.match(PLAIN);
  if (plain !== null) return REPLACED.test(plain) ? UNKNOWN_ARGUMENT : plain;
  if (scanner.match(PATTERN) !== null || scanner.match(VARIABLE) !== null) return UNKNOWN_ARGUMENTS;
  const escaped = scanner.match(ESCAPED);
  if (escaped !== null) return escaped.slice(1);
  if (scanner.peek() === "'") return singleQuoted(scanner);
  return scanner.peek() === '"' ? doubleQuoted(scanner) : null;
}

function singleQuoted(scanner: TextScanner): string {
  let text = '';
  scanner.next();
  for (let part; (part = scanner.match(IN_SINGLE_QUOTES)) !== null;) text += part;
  if (scanner.match(END_OF_SINGLE_QUOTES) !== null) return text;
  throw new UnsupportedSyntax("`'…'` that is not closed, or ends elsewhere in another shell");
}

function doubleQuoted(scanner: TextScanner): Argument {
  let text = '';
  let isKnown = true;
  for (scanner.next(); scanner.peek() !== '"';) {
    const part = scanner.match(IN_QUOTES);
    if (part !== null) text += part.replace(/^\\([$"\\])/, '$1');
    else if (scanner.match(VARIABLE) !== null) isKnown = false;
    else
      throw new UnsupportedSyntax(
        scanner.isAtEnd ? 'a quote is missing' : `\`${scanner.peek()}\` in quotes that is not simple`,
      );
  }
  scanner.next();
  return isKnown ? text : UNKNOWN_ARGUMENT;
}
