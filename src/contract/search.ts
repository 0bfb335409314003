/**
 * The vocabulary of searching a history: what is looked for, in which lines, and what comes back. Schemas only: no
 * logic, and nothing here knows a door or the engine.
 */
import { z } from 'zod';
import { commandId, MAX_PATTERN_CHARS } from './command.js';

export const MAX_CONTEXT_LINES = 20;
export const DEFAULT_MAX_MATCHES = 50;
export const MAX_MATCHES = 1000;
/** Of a longer line only as much is given. */
export const MAX_MATCH_CHARS = 2000;
/** One search looks no longer than this, and says how far it has come. */
export const MAX_SEARCH_MS = 10_000;

const lineNumber = (what: string) => z.int().min(0).describe(what);

/** What to look for, and where. Searching consumes nothing. */
export const searchOutput = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .max(MAX_PATTERN_CHARS)
      .regex(/^[^\r\n]*$/, { error: 'must not contain a line end: each line is looked at on its own' })
      .optional()
      .describe('Text that is to stand in a line.'),
    regex: z
      .string()
      .min(1)
      .max(MAX_PATTERN_CHARS)
      .optional()
      .describe('Regular expression for a line (RE2 syntax: no backreferences, no look-around).'),
    ignoreCase: z.boolean().default(false).describe('true: upper and lower case are the same.'),
    fromLine: lineNumber('First line to look at, by its number. Default: the oldest.').optional(),
    toLine: lineNumber('Last line to look at. Default: the newest.').optional(),
    commandId: commandId
      .optional()
      .describe('Looks through what this command has printed; lines are numbered as in its own output, from 0.'),
    contextLines: z
      .int()
      .min(0)
      .max(MAX_CONTEXT_LINES)
      .default(0)
      .describe('How many lines before and behind each match to give with it.'),
    maxMatches: z
      .int()
      .min(1)
      .max(MAX_MATCHES)
      .default(DEFAULT_MAX_MATCHES)
      .describe('Most matches in one answer; `hasMore` and `nextFromLine` lead on.'),
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

/** A line in which it was found. */
export const searchMatch = z.strictObject({
  line: z.int().describe('Its number.'),
  text: z.string().describe('What it says; of a long line the part in which it was found.'),
  before: z.array(z.string()).describe('The lines before it; of long ones the beginning.'),
  after: z.array(z.string()).describe('The lines behind it; of long ones the beginning.'),
  truncated: z.boolean().describe(`Whether a line given here is longer: more than ${MAX_MATCH_CHARS} characters.`),
});
export type SearchMatch = z.infer<typeof searchMatch>;

/** What a search has found. Each line counts once, however often it is found there. */
export const searchResult = z.strictObject({
  matches: z.array(searchMatch).describe('In order of their lines.'),
  fromLine: z.int().describe('First line that was looked at.'),
  toLine: z.int().describe('Last line that was looked at; one less than `fromLine` where there was none.'),
  hasMore: z
    .boolean()
    .describe('Whether lines asked for were not looked at: enough was found, or it took too long (10 seconds).'),
  nextFromLine: z.int().describe('What to give as `fromLine` to go on.'),
  mutableFrom: z
    .int()
    .describe(
      'Lines from this number on are still on the screen and may yet change; of a lost terminal, they were when saved.',
    ),
  droppedLines: z.int().describe('How many of the lines asked for are no longer held.'),
});
export type SearchResult = z.infer<typeof searchResult>;
