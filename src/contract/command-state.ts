/**
 * Defines the schemas for the state of a command, and for the summary of the last command in terminal lists. Contains
 * no other logic and does not depend on the API layer, the shells or the engine.
 */
import { z } from 'zod';
import { cutText } from './cut-text.js';

/** Maximum length of a command's text in terminal lists. */
export const MAX_LISTED_COMMAND_CHARS = 200;

export const commandId = z
  .int()
  .min(1)
  .describe('Number of the command in its terminal, counted from 1 and never reused.');

export const commandState = z
  .enum(['running', 'waiting', 'nested', 'completed', 'lost'])
  .describe(
    '`waiting`: the command is waiting for input, see `waiting`. `nested`: a nested shell or REPL controls the ' +
      'terminal (`ssh`, `sudo -s`), see integrate. `lost`: its host process was killed, so it is unknown how the ' +
      'command ended.',
  );
export type CommandState = z.infer<typeof commandState>;

/** Returns whether the command has ended, even if it is unknown how it ended (`lost`). */
export function isOver({ state }: { readonly state: CommandState }): boolean {
  return state === 'completed' || state === 'lost';
}

/** Describes the most recently started command. */
export const lastCommand = z.strictObject({
  commandId,
  text: z.string().describe(`Text of the command, at most ${MAX_LISTED_COMMAND_CHARS} characters.`),
  state: commandState
    .extract(['running', 'nested', 'completed', 'lost'])
    .describe(
      '`running`: includes waiting for input. `nested`: a nested shell or REPL controls the terminal. `lost`: it is ' +
        'unknown how the command ended.',
    ),
  exitCode: z.int().nullable().describe('Null while the command is running, or if unknown.'),
});
export type LastCommand = z.infer<typeof lastCommand>;

/** Returns a command's text, shortened for a list. */
export function listedText(text: string): string {
  if (text.length <= MAX_LISTED_COMMAND_CHARS) return text;
  return `${cutText(text, MAX_LISTED_COMMAND_CHARS - 1)}…`;
}
