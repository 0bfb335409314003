/**
 * Defines the schemas for what a terminal is waiting for, independently of any request: its program's current question,
 * and the answer to exactly that question. Contains no logic.
 */
import { z } from 'zod';
import { inputWait } from './command.js';

/** Maximum length of a question's text. */
export const MAX_PROMPT_CHARS = 200;

/** A program's question. Unlike {@link inputWait}, it has an id, so that an answer can refer to it. */
export const question = z.strictObject({
  id: z.string().describe('Different for each question. Send it with the answer.'),
  ...inputWait.omit({ pid: true }).shape,
  since: z.iso.datetime().describe('When the program began to wait, as far as known.'),
  prompt: z
    .string()
    .describe(
      'The line that the program printed last, without escape sequences, with `?` for each character that is invisible ' +
        `or reorders others; at most ${MAX_PROMPT_CHARS} characters.`,
    ),
});
export type Question = z.infer<typeof question>;

export const waiting = question
  .nullable()
  .describe('The question that a program is asking; null if no program is waiting for input.');

/** The value may be a password, so no error repeats it. */
const SECRET = { writeOnly: true };

/** An answer to one question. */
export const answerQuestion = z
  .strictObject({
    waiting: z.string().min(1).max(64).describe('The `id` of the question.'),
    text: z
      .string()
      .optional()
      .meta({
        description:
          'The answer. Enter is added for `line`, `password` and `unknown`, unless the text already ends with ' +
          'Enter, and never for `key` and `program`.',
        ...SECRET,
      }),
    keys: z
      .array(z.string().min(1).max(32))
      .min(1)
      .max(1024)
      .optional()
      .meta({ description: 'Named keys, as in `input`.', ...SECRET }),
  })
  .refine(({ text, keys }) => (text === undefined) !== (keys === undefined), {
    path: ['keys'],
    error: 'give exactly one of `text` and `keys`',
  });
export type AnswerQuestion = z.input<typeof answerQuestion>;
