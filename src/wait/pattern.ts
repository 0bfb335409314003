/**
 * What is looked for in text, as it comes or line by line: a literal, or a regular expression of RE2 (the one importer
 * of `re2js`), whose time is linear in the text whatever the expression. It knows no terminal.
 */
import { RE2JS } from 're2js';
import type { SearchRequest } from '../contract/search.js';
import { invalidInput } from '../errors.js';
import type { Find } from '../history/search.js';

/** Where something was found. Text and places are by bytes of UTF-8, one character for each. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | null)[];
}

export interface Pattern {
  readonly reason: 'text' | 'regex';
  /** What must stand in the output literally, within one line; null if there is no such thing. */
  readonly literal: Buffer | null;
  /** The first place that ends behind `seen`, up to which nothing was found before. */
  find(text: string, seen: number): Found | null;
}

/** Line ends are one `\n`, in what is looked for as in what is searched. */
export function literalPattern(text: string): Pattern {
  const wanted = Buffer.from(text.replace(/\r+\n?/g, '\n'));
  const inBytes = wanted.toString('latin1');
  return {
    reason: 'text',
    literal: wanted.includes('\n') ? null : wanted,
    find: (searched, seen) => {
      const start = searched.indexOf(inBytes, Math.max(0, seen - inBytes.length + 1));
      return start === -1 ? null : { start, end: start + inBytes.length, groups: [] };
    },
  };
}

/**
 * `^` and `$` mean the ends of lines.
 *
 * @throws `INVALID_INPUT` naming `regex` if it is none, or finds something where there is nothing.
 */
export function regexPattern(source: string): Pattern {
  const regex = compile(source);
  if (regex.matcher('').find())
    throw invalidRegex(source, 'finds something where there is nothing; ask for a character');
  return {
    reason: 'regex',
    literal: null,
    find: (searched) => {
      const bytes = Buffer.from(searched, 'latin1');
      const matcher = regex.matcher(bytes);
      if (!matcher.find()) return null;
      const groupAt = (group: number): string | null =>
        matcher.start(group) < 0 ? null : bytes.toString('utf8', matcher.start(group), matcher.end(group));
      const groups = Array.from({ length: matcher.groupCount() }, (_, index) => groupAt(index + 1));
      return { start: matcher.start(), end: matcher.end(), groups };
    },
  };
}

/**
 * Where in a line begins what is looked for, or -1: a text or an expression.
 *
 * @throws `INVALID_INPUT` naming `regex` if it is none.
 */
export function lineFinder(pattern: Pick<SearchRequest, 'text' | 'regex' | 'ignoreCase'>): Find {
  const { text = '', regex, ignoreCase } = pattern;
  if (regex !== undefined) return regexFinder(compile(regex, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
  if (!ignoreCase) return (line) => line.indexOf(text);
  const wanted = text.toLowerCase();
  return (line) => line.toLowerCase().indexOf(wanted);
}

function regexFinder(regex: RE2JS): Find {
  return (line) => {
    // Where is asked only when it is there, for that is many times as fast.
    if (!regex.test(line)) return -1;
    const matcher = regex.matcher(line);
    matcher.find();
    return matcher.start();
  };
}

function compile(source: string, flags = RE2JS.MULTILINE): RE2JS {
  try {
    return RE2JS.compile(source, flags);
  } catch (error) {
    throw invalidRegex(source, (error as Error).message);
  }
}

function invalidRegex(given: string, message: string): Error {
  const expected = 'a regular expression in RE2 syntax: no backreferences, no look-around';
  return invalidInput({ field: 'regex', message: `${message}; expected ${expected}`, given, expected });
}
