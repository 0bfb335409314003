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
      'What is new, to be printed as it stands: where it begins another line than the piece before ended in, a line end ' +
        'comes first.',
    ),
  fromLine: z.int().describe('Number of the first line in it, counted from 0 for each command or program.'),
  continuesLine: z.boolean().describe('Whether it goes on in the middle of line `fromLine`.'),
  rewrittenFrom: z
    .int()
    .nullable()
    .describe('Lines from this number on were told before, have changed since, and are given anew; or null.'),
  droppedLines: z
    .int()
    .describe('Lines before this piece that came faster than they were read and are not held any more.'),
  cursor: z
    .string()
    .describe(
      'What to give as `cursor` to go on behind this piece: when collecting the command, or reading the terminal of a program.',
    ),
});
export type OutputPiece = z.infer<typeof outputPiece>;

/** Last event. The output was sent in the pieces. */
export const followedResult = commandResult.omit({ output: true }).describe('as without a stream, without `output`');
export type FollowedResult = z.infer<typeof followedResult>;

/** Events of a streamed command, in order: its start, its output piece by piece, its result. */
export type CommandEvent =
  | { readonly event: 'started'; readonly data: CommandStarted }
  | { readonly event: 'output'; readonly data: OutputPiece }
  | { readonly event: 'result'; readonly data: FollowedResult };
