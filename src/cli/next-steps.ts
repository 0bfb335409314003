/** What a person types next where the engine refuses: it names what to ask of it, not the commands. It knows no command. */
import { TerminalError } from '../errors.js';
import { printable } from '../printable.js';
import { shortId } from './terminal-id.js';
import type { Typed } from './typed.js';

const MAX_TEXT = 200;
/** States of a shell that come to a prompt by themselves. */
const COMES_TO_PROMPT: readonly unknown[] = ['starting', 'settling'];

/** The same error, with the commands that help below its message. */
export function withNextSteps<Thrown>(error: Thrown, typed: Typed): Thrown | TerminalError {
  if (!(error instanceof TerminalError) || typeof error.details['terminalId'] !== 'string') return error;
  const steps = stepsAfter(error, shortId(error.details['terminalId']), typed);
  if (steps.length === 0) return error;
  const { code, message, details, cause } = error;
  return new TerminalError(code, [message, ...steps.map((step) => `  ${step}`)].join('\n'), details, { cause });
}

function stepsAfter({ code, details }: TerminalError, id: string, typed: Typed): string[] {
  if (code === 'TERMINAL_INACTIVE')
    return [`its history: ${typed(`logs ${id}`)}`, `one like it: ${typed(`new --like ${id}`)}`];
  if (code !== 'TERMINAL_BUSY') return [];
  const { commandId, text, state } = details;
  if (typeof commandId !== 'number')
    return COMES_TO_PROMPT.includes(state) ? [`its prompt: ${typed(`wait --input ${id}`)}`] : [];
  return [
    ...(typeof text === 'string' ? [`what runs: ${inOneLine(text)}`] : []),
    ...stepsAtCommand(id, commandId, typed),
    `to stop it: ${typed(`interrupt ${id}`)}`,
  ];
}

/** Of a command that goes on. */
export function stepsAtCommand(id: string, commandId: number, typed: Typed): string[] {
  const short = shortId(id);
  return [
    `what it prints: ${typed(`commands --output ${short} ${commandId}`)}`,
    `its end: ${typed(`wait --command ${commandId} ${short}`)}`,
  ];
}

function inOneLine(text: string): string {
  const line = printable(text.trim().replaceAll('\n', '; '));
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1)}…`;
}
