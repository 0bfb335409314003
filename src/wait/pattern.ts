/**
 * Compiles patterns for searching text, as a stream or line by line: a literal, or an RE2 regular expression, which
 * takes time linear in the text for any expression. The only importer of `re2js`.
 */
import { RE2JS } from 're2js';
import type { SearchRequest } from '../contract/search.js';
import { invalidInput } from '../errors.js';
import type { LineMatcher } from '../history/search.js';

/** Position of a match. Text and positions are in bytes of UTF-8, one character for each byte. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | null)[];
}

export interface Pattern {
  readonly reason: 'text' | 'regex';
  /** Bytes that the output must contain, within one line, to match; null if there are none. */
  readonly literal: Buffer | null;
  /** Finds the first match that ends after `seen`. No match ends before that position. */
  find(text: string, seen: number): PatternMatch | null;
}

/** Returns the pattern of a literal. Every line ending counts as one `\n`, in the pattern as well as in the text. */
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
 * Returns the pattern of an expression; `^` and `$` match at the start and end of each line.
 *
 * @throws `INVALID_INPUT` naming `regex` if it is invalid or matches the empty string.
 */
export function regexPattern(source: string): Pattern {
  const regex = compile(source);
  if (regex.matcher('').find()) throw invalidRegex(source, 'matches the empty string; require at least one character');
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
 * Returns a function that finds where a string or an expression begins in a line; it returns -1 if there is no match.
 *
 * @throws `INVALID_INPUT` naming `regex` if it is invalid.
 */
export function lineFinder(pattern: Pick<SearchRequest, 'text' | 'regex' | 'ignoreCase'>): LineMatcher {
  const { text = '', regex, ignoreCase } = pattern;
  if (regex !== undefined) return regexFinder(compile(regex, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
  if (!ignoreCase) return (line) => line.indexOf(text);
  const wanted = text.toLowerCase();
  return (line) => line.toLowerCase().indexOf(wanted);
}

function regexFinder(regex: RE2JS): LineMatcher {
  return (line) => {
    // Find the position only if there is a match, because testing is many times faster.
    if (!regex.test(line)) return -1;
    const matcher = regex.matcher(line);
    matcher.find();
    return matcher.start();
  };
}

/**
 * Time is linear in the length of the text and in the size of the compiled expression, where counted repetitions are
 * written out. With 320 steps, 64 KiB of text that is made for the expression take a few tenths of a second.
 */
const MAX_STEPS = 320;

function compile(source: string, flags = RE2JS.MULTILINE): RE2JS {
  const regex = compiled(source, flags);
  const steps = regex.programSize();
  if (steps <= MAX_STEPS) return regex;
  const expected = `an expression of at most ${MAX_STEPS} steps; each character is a step, each time it is repeated`;
  const message = `is too long: it takes ${steps} steps; expected ${expected}`;
  throw invalidInput({ field: 'regex', message, given: source, expected });
}

function compiled(source: string, flags: number): RE2JS {
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
