/**
 * The form of what the tool answers: first the output as text and nothing else, then what is known about it as JSON.
 * No `structuredContent`: clients that see it drop the text.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { TerminalError } from '../errors.js';
import type { ErrorCode } from '../errors.js';

/** Facts about an answer; what is undefined or null is left out. */
export type Metadata = Readonly<Record<string, unknown>>;

/** Text blocks without text are refused by the interfaces of models. */
const NO_OUTPUT = '(no output)';

export function answer(text: string, metadata: Metadata, ...more: CallToolResult['content']): CallToolResult {
  return { content: [textBlock(text.trim() === '' ? NO_OUTPUT : text), textBlock(asJson(metadata)), ...more] };
}

/** What an answer of `answer` says beside its text. */
export function metadataOf({ content }: CallToolResult): Metadata {
  const [, block] = content;
  return block?.type === 'text' ? (JSON.parse(block.text) as Metadata) : {};
}

/**
 * Something that could not be done: what is wrong, and what to do next.
 *
 * @param number - Of the terminal, where the caller knows it by that and not by its id.
 */
export function failure(error: unknown, number?: number): CallToolResult {
  const { code, message, next } = explained(error);
  const text = [numbered(message, error, number), next].filter(Boolean).join(' ');
  return { content: [textBlock(text), textBlock(asJson({ error: code }))], isError: true };
}

/** An error with words of its own on what to do next. */
export class Advice extends TerminalError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly next: string,
    details: TerminalError['details'] = {},
  ) {
    super(code, message, details);
  }
}

function explained(error: unknown): { code: ErrorCode; message: string; next: string } {
  if (!(error instanceof TerminalError)) {
    return { code: 'INTERNAL_ERROR', message: `A fault in tenacitty: ${String(error)}.`, next: 'Try once more.' };
  }
  const { code, message } = error;
  return { code, message: asSentence(message), next: nextOf(error) };
}

function numbered(message: string, error: unknown, number: number | undefined): string {
  const id = error instanceof TerminalError ? error.details['terminalId'] : undefined;
  return typeof id === 'string' && number !== undefined ? message.replaceAll(id, String(number)) : message;
}

/** What whoever refused says of it counts before what is true of all of its kind. */
function nextOf(error: TerminalError): string {
  const { hint } = error.details;
  if (error instanceof Advice) return error.next;
  return error.code === 'COMMAND_DENIED' && typeof hint === 'string' ? hint : NEXT[error.code];
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** What to do next, by what went wrong. */
const NEXT: Readonly<Record<ErrorCode, string>> = {
  TERMINAL_NOT_FOUND: 'LIST shows what there is; EXEC on a number makes a terminal.',
  TERMINAL_INACTIVE: 'READ still gives its output; EXEC on a number makes a new shell.',
  INVALID_INPUT: 'Mend the call and try again.',
  WRITE_FAILED: 'Try once more.',
  READ_FAILED: 'Try once more.',
  KILL_FAILED: 'SIGNAL with SIGKILL and all may end them.',
  INTERNAL_ERROR: 'Try once more.',
  SPAWN_FAILED: 'KILL terminals that are not needed, then try again.',
  LIMIT_REACHED: 'LIST and KILL what is not needed, or wait and try again.',
  RATE_LIMITED: 'Wait a little and try again.',
  TERMINAL_BUSY: 'WAIT for it, INPUT keys ["ctrl-c"] to stop it, or use another terminal number.',
  COMMAND_NOT_FOUND: 'READ without command_id gives the last command.',
  NOT_INTEGRATED: 'INPUT types into it, SCREEN and READ with command_id 0 show what it prints.',
  UNAUTHORIZED: '',
  HOST_NOT_ALLOWED: '',
  ORIGIN_NOT_ALLOWED: '',
  COMMAND_DENIED: 'Do it in a way that is allowed, or ask the person; do not try to get around it.',
  ROUTE_NOT_FOUND: '',
  METHOD_NOT_ALLOWED: '',
  PAYLOAD_TOO_LARGE: 'Send less, or write a file and use that.',
  UNSUPPORTED_MEDIA_TYPE: '',
  UNSUPPORTED_PLATFORM: 'Wait for a pattern or for idle_ms instead.',
  HOST_UNRESPONSIVE: 'Try again; if it stays so, ask the person to run tenacitty doctor.',
  HOST_LOST: 'READ shows whether it was done.',
  HOST_FAILED: 'Ask the person to run tenacitty doctor.',
  SHUTTING_DOWN: 'Try again later.',
};

function textBlock(text: string): { type: 'text'; text: string } {
  return { type: 'text', text };
}

function asJson(metadata: Metadata): string {
  return JSON.stringify(Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null)));
}
