/**
 * Defines the schemas for streaming a command: the events that are sent while it is printing. Contains no logic and
 * does not depend on the API layer, the shells or the engine.
 */
import { z } from 'zod';
import { commandId, commandResult } from './command.js';
import { terminalId } from './terminal.js';

/** First event. It contains the ids to use later if the stream breaks. */
export const commandStarted = z.strictObject({ terminalId, commandId });
export type CommandStarted = z.infer<typeof commandStarted>;

/** Output that a command or program printed since the previous piece. */
export const outputPiece = z.strictObject({
  text: z
    .string()
    .describe(
      'New output, to be printed unchanged. If the previous piece ended in a different line, the text starts with a ' +
        'line ending.',
    ),
  fromLine: z.int().describe('Number of the first line of the piece, counted from 0 for each command or program.'),
  continuesLine: z.boolean().describe('Whether the piece continues in the middle of line `fromLine`.'),
  rewrittenFrom: z
    .int()
    .nullable()
    .describe(
      'The first line that has changed since it was sent. This line and all later lines are sent again. Null if ' +
        'none has changed.',
    ),
  droppedLines: z
    .int()
    .describe(
      'Number of lines before this piece that are no longer held, because they were printed faster than the caller ' +
        'read them.',
    ),
  cursor: z
    .string()
    .describe(
      "The `cursor` to continue with after this piece, when you collect the command or read the program's " +
        'terminal.',
    ),
});
export type OutputPiece = z.infer<typeof outputPiece>;

/** Last event. The output was sent in the pieces. */
export const followedResult = commandResult
  .omit({ output: true })
  .describe('the same fields as without a stream, except `output`');
export type FollowedResult = z.infer<typeof followedResult>;

/** Events of a streamed command, in order: its start, its output piece by piece, its result. */
export type CommandEvent =
  | { readonly event: 'started'; readonly data: CommandStarted }
  | { readonly event: 'output'; readonly data: OutputPiece }
  | { readonly event: 'result'; readonly data: FollowedResult };
