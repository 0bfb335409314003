/**
 * What commands give out: data on stdout, and talk on stderr. A write ends when it is taken, so that a slow
 * reader slows the command. It knows nothing of what is written.
 */
import { TerminalError } from '../errors.js';
import { printableLines } from '../printable.js';
import { writeStderr } from '../stderr.js';
import { ReaderGone } from './exit-code.js';

const CLOSED = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];
const JSON_INDENT = 2;

/**
 * Writes data; resolves when it is taken.
 *
 * @throws {ReaderGone} if nobody reads any more; `INTERNAL_ERROR` if it cannot be written (as on a full disk).
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
  if (CLOSED.includes(error.code ?? '')) return new ReaderGone();
  return new TerminalError('INTERNAL_ERROR', `stdout cannot be written: ${error.message}`, {}, { cause: error });
}

/** One JSON document; laid out for a person, on one line for a program. */
export function printJson(value: unknown): Promise<void> {
  return print(`${JSON.stringify(value, null, process.stdout.isTTY ? JSON_INDENT : 0)}\n`);
}

/** One JSON array, each item made when those before it are written: all of them may be more than one text can hold. */
export async function printJsonArray<Item>(
  items: readonly Item[],
  valueOf: (item: Item) => Promise<unknown>,
): Promise<void> {
  const [indent, end] = process.stdout.isTTY ? [JSON_INDENT, '\n'] : [0, ''];
  await print(`[${end}`);
  for (const [index, item] of items.entries()) {
    await print(`${index > 0 ? `,${end}` : ''}${JSON.stringify(await valueOf(item), null, indent)}`);
  }
  await print(`${end}]\n`);
}

/** Says a line to the person, or several; what was given on the command line may be part of it. */
export function say(line: string): void {
  writeStderr(`tenacitty: ${printableLines(line)}\n`);
}

/** Whether stdout is to be coloured: a person looks at it and has not said otherwise (no-color.org). */
export function hasColour(): boolean {
  return process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
}
