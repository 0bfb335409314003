/**
 * Defines the schemas for a program that runs without a shell: the request and the result. Contains no logic and does
 * not depend on the API layer or the engine.
 */
import { z } from 'zod';
import { commandResult, commandState, execCommand } from './command.js';
import type { OutputPiece } from './command-stream.js';
import { refuseWithoutEffect } from './output-part.js';
import { createTerminal, terminalId } from './terminal.js';

const { command, args, cwd, env, cols, rows, history, name, timeLimitMs: limit } = createTerminal.shape;
const { timeoutMs, untilInput, mode, headLines, tailLines, maxLines, maxBytes, format } = execCommand.shape;

/** A program in a new terminal of its own. */
export const runProgram = z
  .strictObject({
    command: command.unwrap().describe('Program to run: a path, or a name on PATH.'),
    ...{ args, cwd, env, cols, rows, history, name, timeLimitMs: limit },
    timeoutMs: timeoutMs.describe('Maximum wait in milliseconds; the program continues after it. 0: do not wait.'),
    ...{ untilInput, mode, headLines, tailLines, maxLines, maxBytes, format },
  })
  .superRefine(refuseWithoutEffect);
export type RunProgram = z.input<typeof runProgram>;
/** The request with all defaults filled in. */
export type ProgramRequest = z.output<typeof runProgram>;

const { waiting, truncated, linesOmitted, cutBy, timeLimitMs, hasMore } = commandResult.shape;

/** The result of a program as far as it is known: a command result without the fields that only a shell can provide. */
export const programResult = z.strictObject({
  terminalId,
  output: z.string().describe('What the program printed.'),
  exitCode: z.int().nullable().describe('Null while the program is running, or if a signal ended it.'),
  signal: z.string().nullable().describe('The signal that ended the program, or null.'),
  durationMs: z.int().describe('Milliseconds that the program has run.'),
  completed: z.boolean(),
  state: commandState
    .exclude(['nested'])
    .describe('`waiting`: the program is waiting for input. `lost`: its host process was killed.'),
  ...{ waiting, truncated, linesOmitted, cutBy, timeLimitMs },
  totalLines: z.int().describe('Lines printed by the program.'),
  totalBytes: z.int().describe('Bytes printed by the program.'),
  nextReadFrom: z.int().describe('The `since` to continue reading the terminal with.'),
  cursor: z.string().describe('The `cursor` to continue reading the terminal with.'),
  hasMore,
});
export type ProgramResult = z.infer<typeof programResult>;

/** First event. It contains the terminal's id, to use later if the stream breaks. */
export const programStarted = z.strictObject({ terminalId });
export type ProgramStarted = z.infer<typeof programStarted>;

/** Last event. The output was sent in the pieces. */
export const followedProgram = programResult
  .omit({ output: true })
  .describe('the same fields as without a stream, except `output`');
export type FollowedProgram = z.infer<typeof followedProgram>;

/** Events of a streamed program, in order: its start, its output piece by piece, its result. */
export type ProgramEvent =
  | { readonly event: 'started'; readonly data: ProgramStarted }
  | { readonly event: 'output'; readonly data: OutputPiece }
  | { readonly event: 'result'; readonly data: FollowedProgram };
