/** Builds the error for something that is not allowed to run: it names the rule, and what the caller can do. */
import { TerminalError } from '../../errors.js';
import type { CommandRequest } from './command-policy.js';
import type { Evaluation } from './policy-evaluator.js';

const MAX_SHOWN = 200;

/** Returns the error. @param place - Location of the policy. */
export function denied(
  request: CommandRequest,
  evaluation: Evaluation,
  place = 'the policy',
  hint = hintFor(place),
): TerminalError {
  const command = shortened(commandText(request));
  const because = evaluation.reason === '' ? '' : `: ${evaluation.reason}`;
  const message = `${command} may not be run here (${evaluation.rule})${because}`;
  return new TerminalError('COMMAND_DENIED', message, { rule: evaluation.rule, command, hint });
}

/** Returns the complete command as a person would type it. It can have several lines and contain any characters. */
export function commandText({ command, args }: CommandRequest): string {
  return args === null ? command : [command, ...args].map(quotedWhereNeeded).join(' ');
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function hintFor(place: string): string {
  return `Use an allowed command, or ask the user to change ${place}. Do not try to run the same thing in another way.`;
}

function quotedWhereNeeded(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
