/**
 * Suggests what to type next after the engine refuses a request: the engine names the operation, not the command.
 * Independent of any particular command.
 */
import { TerminalError } from '../errors.js';
import { printable } from '../printable.js';
import { shortId } from './terminal-id.js';
import type { Typed } from './typed.js';

const MAX_TEXT = 200;
/** States of a shell that lead to a prompt without further input. */
const COMES_TO_PROMPT: readonly unknown[] = ['starting', 'settling'];

/** Returns the same error with helpful commands listed below its message. */
export function withNextSteps<Thrown>(error: Thrown, typed: Typed): Thrown | TerminalError {
  if (!(error instanceof TerminalError) || typeof error.details['terminalId'] !== 'string') return error;
  const steps = stepsAfter(error, shortId(error.details['terminalId']), typed);
  if (steps.length === 0) return error;
  const { code, message, details, cause } = error;
  return new TerminalError(code, [message, ...steps.map((step) => `  ${step}`)].join('\n'), details, { cause });
}

function stepsAfter({ code, details }: TerminalError, id: string, typed: Typed): string[] {
  if (code === 'TERMINAL_INACTIVE')
    return [`for its history: ${typed(`logs ${id}`)}`, `to start it again: ${typed(`new --like ${id}`)}`];
  if (code !== 'TERMINAL_BUSY') return [];
  const { commandId, text, state } = details;
  if (typeof commandId !== 'number')
    return COMES_TO_PROMPT.includes(state) ? [`to wait for its prompt: ${typed(`wait --input ${id}`)}`] : [];
  return [
    ...(typeof text === 'string' ? [`running command: ${inOneLine(text)}`] : []),
    ...stepsAtCommand(id, commandId, typed),
    `to stop it: ${typed(`interrupt ${id}`)}`,
  ];
}

/** Suggestions for a command that is still running. */
export function stepsAtCommand(id: string, commandId: number, typed: Typed): string[] {
  const short = shortId(id);
  return [
    `to read its output: ${typed(`commands --output ${short} ${commandId}`)}`,
    `to wait for its end: ${typed(`wait --command ${commandId} ${short}`)}`,
  ];
}

function inOneLine(text: string): string {
  const line = printable(text.trim().replaceAll('\n', '; '));
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1)}…`;
}
