/**
 * Defines the schemas for searching a history: the pattern, the range of lines, and the result. Contains no logic and
 * does not depend on the API layer or the engine.
 */
import { z } from 'zod';
import { commandId, MAX_PATTERN_CHARS, MAX_REGEX_CHARS } from './command.js';

export const MAX_CONTEXT_LINES = 20;
export const DEFAULT_MAX_MATCHES = 50;
export const MAX_MATCHES = 1000;
/** Longer lines are shortened to this length. */
export const MAX_MATCH_CHARS = 2000;
/** Maximum duration of one search. The response says how far it got. */
export const MAX_SEARCH_MS = 10_000;

const lineNumber = (what: string) => z.int().min(0).describe(what);

/** What to search for, and where. Searching consumes nothing. */
export const searchOutput = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .max(MAX_PATTERN_CHARS)
      .regex(/^[^\r\n]*$/, { error: 'must not contain a line ending: each line is searched separately' })
      .optional()
      .describe('Text to find in a line.'),
    regex: z
      .string()
      .min(1)
      .max(MAX_REGEX_CHARS)
      .optional()
      .describe('Regular expression to match in a line (RE2 syntax).'),
    ignoreCase: z.boolean().default(false).describe('true: ignore case.'),
    fromLine: lineNumber('First line to search. Default: the oldest.').optional(),
    toLine: lineNumber('Last line to search. Default: the newest.').optional(),
    commandId: commandId.optional().describe('Search only the output of this command; its lines are numbered from 0.'),
    contextLines: z
      .int()
      .min(0)
      .max(MAX_CONTEXT_LINES)
      .default(0)
      .describe('Lines of context before and after each match.'),
    maxMatches: z
      .int()
      .min(1)
      .max(MAX_MATCHES)
      .default(DEFAULT_MAX_MATCHES)
      .describe('Maximum number of matches in the response.'),
  })
  .refine(({ text, regex }) => (text === undefined) !== (regex === undefined), {
    path: ['text'],
    error: 'give either `text` or `regex`',
  })
  .refine(({ fromLine = 0, toLine = Infinity }) => fromLine <= toLine, {
    path: ['toLine'],
    error: 'must not be less than `fromLine`',
  });
export type SearchOutput = z.input<typeof searchOutput>;
export type SearchRequest = z.output<typeof searchOutput>;

/** A line that matches. */
export const searchMatch = z.strictObject({
  line: z.int().describe('Number of the line.'),
  text: z.string().describe('Text of the line; for a long line, the part that contains the match.'),
  before: z.array(z.string()).describe('Lines before the match; for a long line, only its beginning.'),
  after: z.array(z.string()).describe('Lines after the match; for a long line, only its beginning.'),
  truncated: z
    .boolean()
    .describe(`Whether a line of this match was cut because it is longer than ${MAX_MATCH_CHARS} characters.`),
});
export type SearchMatch = z.infer<typeof searchMatch>;

/** The result of a search. A line counts once, even if it contains several matches. */
export const searchResult = z.strictObject({
  matches: z.array(searchMatch).describe('In line order.'),
  fromLine: z.int().describe('First line searched.'),
  toLine: z.int().describe('Last line searched; `fromLine` - 1 if no line was searched.'),
  hasMore: z.boolean().describe('Whether lines remain because `maxMatches` or the limit of 10 seconds was reached.'),
  nextFromLine: z.int().describe('The `fromLine` to continue with.'),
  mutableFrom: z.int().describe('This line and all later lines are on the screen and may still change.'),
  droppedLines: z.int().describe('Number of requested lines that are no longer held.'),
});
export type SearchResult = z.infer<typeof searchResult>;
