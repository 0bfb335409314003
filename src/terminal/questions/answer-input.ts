/** Converts the answer to a question into what is typed. Pure. */
import type { TerminalInput } from '../../contract/terminal.js';
import type { AnswerQuestion, Question } from '../../contract/waiting.js';
import { invalidInput } from '../../errors.js';

/** Kinds of questions whose answers are read as lines. */
const LINES: readonly Question['kind'][] = ['line', 'password', 'unknown'];
const ENTER = '\r';

/** @throws `INVALID_INPUT` for an answer that would type nothing. */
export function answerInput({ text, keys }: Omit<AnswerQuestion, 'waiting'>, kind: Question['kind']): TerminalInput {
  if (text === undefined) return { keys };
  const typed = text.replace(/\r?\n/g, ENTER);
  const input = LINES.includes(kind) && !typed.endsWith(ENTER) ? typed + ENTER : typed;
  if (input !== '') return { input, raw: true };
  throw invalidInput({ field: 'text', message: 'is empty', given: text, expected: 'at least one key' });
}
