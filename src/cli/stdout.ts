/**
 * Writes the output of commands: data to stdout, messages to stderr. Each write of data resolves when it is accepted,
 * so that a slow reader slows the command down (back-pressure).
 */
import { TerminalError } from '../errors.js';
import { printableJson, printableLines } from '../printable.js';
import { writeStderr } from '../stderr.js';
import { StdoutClosed } from './exit-code.js';

const CLOSED = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];
const JSON_INDENT = 2;

/**
 * Writes data to stdout. Resolves when the data is accepted.
 *
 * @throws {StdoutClosed} if the reader has closed stdout; `INTERNAL_ERROR` if the data cannot be written, for example
 * on a full disk.
 */
export function print(data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(data, (error) => {
      if (!error) resolve();
      else reject(whyUnwritten(error));
    });
  });
}

function whyUnwritten(error: NodeJS.ErrnoException): Error {
  if (CLOSED.includes(error.code ?? '')) return new StdoutClosed();
  return new TerminalError('INTERNAL_ERROR', `cannot write to stdout: ${error.message}`, {}, { cause: error });
}

/** Prints one JSON document: indented for a terminal, otherwise on one line. */
export function printJson(value: unknown): Promise<void> {
  return print(`${printableJson(value, process.stdout.isTTY ? JSON_INDENT : 0)}\n`);
}

/**
 * Prints one JSON array. Creates each item only after the previous one has been written, because the whole array can
 * exceed the maximum string length.
 */
export async function printJsonArray<Item>(
  items: readonly Item[],
  valueOf: (item: Item) => Promise<unknown>,
): Promise<void> {
  const [indent, end] = process.stdout.isTTY ? [JSON_INDENT, '\n'] : [0, ''];
  await print(`[${end}`);
  for (const [index, item] of items.entries()) {
    await print(`${index > 0 ? `,${end}` : ''}${printableJson(await valueOf(item), indent)}`);
  }
  await print(`${end}]\n`);
}

/** Prints one or more lines to stderr for a person. The lines may contain text from the command line. */
export function printMessage(line: string): void {
  writeStderr(`tenacitty: ${printableLines(line)}\n`);
}

export const GREEN = 32;
export const RED = 31;
export const YELLOW = 33;

/** Returns text for stdout in a colour, if colours are used. */
export function inColour(text: string, colour: number): string {
  return hasColour() ? `\x1b[${colour}m${text}\x1b[0m` : text;
}

/**
 * Returns whether to use colour on stdout: only if it is a terminal that supports colour and the person has not
 * disabled colour (no-color.org).
 */
export function hasColour(): boolean {
  return process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
}
