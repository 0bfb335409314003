/**
 * Encodes and decodes the cursor that a reader receives and passes back: an opaque string that contains the position
 * that it has read up to, and a fingerprint of the part of an unfinished line that it has seen.
 */
import { invalidInput } from '../errors.js';
import type { TerminalError } from '../errors.js';

/** Position of a reader of lines. */
export interface LineCursor {
  readonly kind: 'lines';
  /** Fingerprint of the history that it belongs to. */
  readonly history: number;
  /** First line that has not been read to its end. */
  readonly line: number;
  /** Number of characters of that line that have been read. */
  readonly chars: number;
  /** Fingerprint of those characters. */
  readonly fingerprint: number;
  /** The history's revision that the reader has seen. */
  readonly revision: number;
}

/** Position of a reader of bytes. */
export interface ByteCursor {
  readonly kind: 'bytes';
  /** Fingerprint of the history that it belongs to. */
  readonly history: number;
  readonly offset: number;
}

export type Cursor = LineCursor | ByteCursor;

const LINE_CURSOR = /^l([0-9a-z]{1,7})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,7})\.([0-9a-z]{1,11})$/;
const BYTE_CURSOR = /^b([0-9a-z]{1,7})\.([0-9a-z]{1,11})$/;
const BASE = 36;

export function encodeCursor(cursor: Cursor): string {
  const { history } = cursor;
  if (cursor.kind === 'bytes') return `b${inDigits([history, cursor.offset])}`;
  const { line, chars, fingerprint, revision } = cursor;
  return `l${inDigits([history, line, chars, fingerprint, revision])}`;
}

/** @throws `INVALID_INPUT` if this is not a line cursor of the history with this fingerprint. */
export function decodeLineCursor(text: string, history: number): LineCursor {
  const [of, line, chars, fingerprint, revision] = fromDigits(text, LINE_CURSOR, history);
  return { kind: 'lines', history: of!, line: line!, chars: chars!, fingerprint: fingerprint!, revision: revision! };
}

/** @throws `INVALID_INPUT` if this is not a byte cursor of the history with this fingerprint. */
export function decodeByteCursor(text: string, history: number): ByteCursor {
  const [of, offset] = fromDigits(text, BYTE_CURSOR, history);
  return { kind: 'bytes', history: of!, offset: offset! };
}

/** Returns the error for a cursor that cannot be used here. */
export function cursorError(given: string, message: string): TerminalError {
  const expected = 'the `cursor` of an earlier read of this terminal in the same format';
  return invalidInput({ field: 'cursor', message, given, expected });
}

function inDigits(parts: readonly number[]): string {
  return parts.map((part) => part.toString(BASE)).join('.');
}

function fromDigits(text: string, form: RegExp, history: number): number[] {
  const match = form.exec(text);
  if (match === null) {
    const isOther = LINE_CURSOR.test(text) || BYTE_CURSOR.test(text);
    const message = isOther ? 'comes from a read in another format (raw, or text and ansi)' : 'is not a cursor';
    throw cursorError(text, message);
  }
  const parts = match.slice(1).map((part) => parseInt(part, BASE));
  if (parts[0] !== history) throw cursorError(text, 'belongs to another terminal');
  return parts;
}

/** Returns a 32-bit FNV-1a hash: if the text that was read changes, the value differs. */
export function fingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
