/**
 * Schemas for streaming a command: the events sent while it prints. Contains no logic and does not depend on the API
 * layer, the shells or the engine.
 */
import { z } from 'zod';
import { commandId, commandResult } from './command.js';
import { terminalId } from './terminal.js';

/** First event. It carries the ids to use later if the stream breaks. */
export const commandStarted = z.strictObject({ terminalId, commandId });
export type CommandStarted = z.infer<typeof commandStarted>;

/** Output that a command or program printed since the previous piece. */
export const outputPiece = z.strictObject({
  text: z
    .string()
    .describe(
      'New output, to be printed as is. If it begins a different line than the previous piece ended in, it ' +
        'starts with a line end.',
    ),
  fromLine: z.int().describe('Number of its first line, counted from 0 for each command or program.'),
  continuesLine: z.boolean().describe('Whether it continues in the middle of line `fromLine`.'),
  rewrittenFrom: z
    .int()
    .nullable()
    .describe('Lines starting at this number were sent before, have changed, and are sent again; or null.'),
  droppedLines: z
    .int()
    .describe(
      'Number of lines before this piece that are no longer held, because they were printed faster than they were ' +
        'read.',
    ),
  cursor: z
    .string()
    .describe(
      'The `cursor` to continue after this piece: when collecting the command, or reading the terminal of a program.',
    ),
});
export type OutputPiece = z.infer<typeof outputPiece>;

/** Last event. The output was sent in the pieces. */
export const followedResult = commandResult
  .omit({ output: true })
  .describe('the answer without a stream, but without `output`');
export type FollowedResult = z.infer<typeof followedResult>;

/** Events of a streamed command, in order: its start, its output piece by piece, its result. */
export type CommandEvent =
  | { readonly event: 'started'; readonly data: CommandStarted }
  | { readonly event: 'output'; readonly data: OutputPiece }
  | { readonly event: 'result'; readonly data: FollowedResult };
