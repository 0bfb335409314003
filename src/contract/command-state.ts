/**
 * The vocabulary of how a command goes, and the little that lists of terminals tell of the last one. Schemas only: no
 * logic beyond them, and nothing here knows a door, a shell or the engine.
 */
import { z } from 'zod';

/** Longest text of a command in lists of terminals. */
export const MAX_LISTED_COMMAND_CHARS = 200;

export const commandId = z.int().min(1).describe('Number of the command in its terminal, from 1, never reused.');

export const commandState = z
  .enum(['running', 'waiting', 'nested', 'completed', 'lost'])
  .describe(
    '`waiting`: for input, see `waiting`. `nested`: a nested shell or REPL has the terminal (`ssh`, `sudo -s`), ' +
      'see integrate. `lost`: its host process is gone, and how the command ended is unknown.',
  );
export type CommandState = z.infer<typeof commandState>;

/** Whether nothing comes of it any more, whatever is known of its end. */
export function isOver({ state }: { readonly state: CommandState }): boolean {
  return state === 'completed' || state === 'lost';
}

/** Of the command that was begun last. */
export const lastCommand = z.strictObject({
  commandId,
  text: z.string().describe(`Its text, at most ${MAX_LISTED_COMMAND_CHARS} characters.`),
  state: commandState
    .extract(['running', 'nested', 'completed', 'lost'])
    .describe(
      '`running`: also while it waits for input. `nested`: a nested shell or REPL has the terminal. `lost`: how it ' +
        'ended is unknown.',
    ),
  exitCode: z.int().nullable().describe('Null while it runs, or if unknown.'),
});
export type LastCommand = z.infer<typeof lastCommand>;

/** A command's text, short enough for a list. */
export function listedText(text: string): string {
  if (text.length <= MAX_LISTED_COMMAND_CHARS) return text;
  const cut = text.slice(0, MAX_LISTED_COMMAND_CHARS - 1);
  // Half of a character is none.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
