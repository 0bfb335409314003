/**
 * Suggests commands to type after the engine has refused a request. The engine's own errors name operations, not
 * commands.
 */
import { TerminalError } from '../errors.js';
import { printable } from '../printable.js';
import { shortId } from './terminal-id.js';
import type { CommandFormatter } from './command-formatter.js';

const MAX_TEXT = 200;
/** Shell states that lead to a prompt without further input. */
const REACHES_PROMPT: readonly unknown[] = ['starting', 'settling'];

/** Returns the error with commands that may help listed below its message, or the error itself if there are none. */
export function withNextSteps<Thrown>(error: Thrown, formatCommand: CommandFormatter): Thrown | TerminalError {
  if (!(error instanceof TerminalError) || typeof error.details['terminalId'] !== 'string') return error;
  const steps = stepsAfter(error, shortId(error.details['terminalId']), formatCommand);
  if (steps.length === 0) return error;
  const { code, message, details, cause } = error;
  return new TerminalError(code, [message, ...steps.map((step) => `  ${step}`)].join('\n'), details, { cause });
}

function stepsAfter({ code, details }: TerminalError, id: string, formatCommand: CommandFormatter): string[] {
  if (code === 'TERMINAL_INACTIVE')
    return [
      `for its history: ${formatCommand(`logs ${id}`)}`,
      `to start it again: ${formatCommand(`new --like ${id}`)}`,
    ];
  if (code !== 'TERMINAL_BUSY') return [];
  const { commandId, text, state } = details;
  if (typeof commandId !== 'number')
    return REACHES_PROMPT.includes(state) ? [`to wait for its prompt: ${formatCommand(`wait --input ${id}`)}`] : [];
  return [
    ...(typeof text === 'string' ? [`running command: ${inOneLine(text)}`] : []),
    ...stepsAtCommand(id, commandId, formatCommand),
    `to stop it: ${formatCommand(`interrupt ${id}`)}`,
  ];
}

/** Returns suggestions for a command that is still running. */
export function stepsAtCommand(id: string, commandId: number, formatCommand: CommandFormatter): string[] {
  const short = shortId(id);
  return [
    `to read its output: ${formatCommand(`commands --output ${short} ${commandId}`)}`,
    `to wait for its end: ${formatCommand(`wait --command ${commandId} ${short}`)}`,
  ];
}

function inOneLine(text: string): string {
  const line = printable(text.trim().replaceAll('\n', '; '));
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1)}…`;
}
