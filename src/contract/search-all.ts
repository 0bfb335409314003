/**
 * Defines the schemas for searching all terminals: what to search for, and what is found, in order of discovery.
 * Contains no logic.
 */
import { z } from 'zod';
import { commandRecord } from './command.js';
import { MAX_MATCHES, searchMatch, searchOutput } from './search.js';
import { terminalId } from './terminal.js';
import { terminalFilter } from './terminal-filter.js';

/** Maximum duration; the last item says how to continue. */
export const MAX_SEARCH_ALL_MS = 30_000;

const { text, regex, ignoreCase, contextLines } = searchOutput.shape;

/** What to search for, and the terminals to search. */
export const searchAll = z
  .strictObject({
    ...{ text, regex, ignoreCase, contextLines },
    commands: z.boolean().default(false).describe('true: also search the text of commands.'),
    progress: z.boolean().default(false).describe('true: also report how much has been searched.'),
    ...terminalFilter.shape,
    limit: z
      .int()
      .min(1)
      .max(MAX_MATCHES)
      .default(MAX_MATCHES)
      .describe('Maximum number of matches across all terminals.'),
    after: z
      .string()
      .max(8192)
      .optional()
      .describe('Continues a search: the `next` of a request with otherwise the same parameters.'),
  })
  .refine((request) => (request.text === undefined) !== (request.regex === undefined), {
    path: ['text'],
    error: 'give either `text` or `regex`',
  });
export type SearchAll = z.input<typeof searchAll>;
export type SearchAllRequest = z.output<typeof searchAll>;

/** What a search yields, by `type`. */
export const foundItem = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('match'), terminalId, ...searchMatch.shape }).describe('A line that matches.'),
  z
    .strictObject({ type: z.literal('command'), terminalId, command: commandRecord })
    .describe('A command whose text matches.'),
  z
    .strictObject({ type: z.literal('skipped'), terminalId, code: z.string(), message: z.string() })
    .describe('A terminal that could not be searched.'),
  z
    .strictObject({
      type: z.literal('progress'),
      terminalId,
      lines: z.int().describe('Lines of this terminal that were searched since the last report about it.'),
      isComplete: z.boolean().describe('Whether the terminal has been searched to its end.'),
    })
    .describe('How much has been searched, if `progress` was requested.'),
  z
    .strictObject({
      type: z.literal('end'),
      searched: z.int().describe('Number of terminals that were searched to their end.'),
      matches: z.int().describe('Number of matches.'),
      next: z.string().nullable().describe('Send it as `after` to continue; null if nothing is left to search.'),
    })
    .describe('Last: how far the search got before it finished or reached `limit` or 30 seconds.'),
]);
export type FoundItem = z.infer<typeof foundItem>;

/** Where the search of one terminal continues. */
export const searchPlace = z.strictObject({
  id: terminalId,
  /** The command to continue after; null if commands are not, or are no longer, searched. */
  command: z.int().min(0).nullable(),
  line: z.int().min(0),
});
export type SearchPlace = z.infer<typeof searchPlace>;

/** What `next` encodes: terminals whose search was interrupted, and the last one that was begun. */
export const searchPosition = z.strictObject({
  begun: z.array(searchPlace),
  last: z.strictObject({ created: z.string(), id: terminalId }).nullable(),
});
export type SearchPosition = z.infer<typeof searchPosition>;
