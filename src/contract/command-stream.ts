/**
 * The vocabulary of a command that is followed: what is told of it while it prints. Schemas only: no logic, and nothing
 * here knows a door, a shell or the engine.
 */
import { z } from 'zod';
import { commandId, commandResult } from './command.js';
import { terminalId } from './terminal.js';

/** Told first: what to ask for later, whatever becomes of this stream. */
export const commandStarted = z.strictObject({ terminalId, commandId });
export type CommandStarted = z.infer<typeof commandStarted>;

/** What a command, or a program by itself, has printed since the piece before. */
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

/** Told last. The output was in the pieces. */
export const followedResult = commandResult.omit({ output: true }).describe('as without a stream, without `output`');
export type FollowedResult = z.infer<typeof followedResult>;

/** What is told of a command that is followed, in order: its start, its output piece by piece, how it went. */
export type CommandEvent =
  | { readonly event: 'started'; readonly data: CommandStarted }
  | { readonly event: 'output'; readonly data: OutputPiece }
  | { readonly event: 'result'; readonly data: FollowedResult };
