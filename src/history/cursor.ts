/**
 * The cursor a reader is given and gives back: where it has read to, written as one opaque word. Also a
 * fingerprint of the part of an unfinished line it has seen. It knows no history.
 */
import { invalidInput } from '../errors.js';
import type { TerminalError } from '../errors.js';

/** Where a reader of lines stands. */
export interface LineCursor {
  readonly kind: 'lines';
  /** Fingerprint of the history it is of. */
  readonly history: number;
  /** First line not read to its end. */
  readonly line: number;
  /** Characters of that line already read. */
  readonly chars: number;
  /** Fingerprint of those characters. */
  readonly fingerprint: number;
  /** The history's revision the reader has seen. */
  readonly revision: number;
}

/** Where a reader of bytes stands. */
export interface ByteCursor {
  readonly kind: 'bytes';
  /** Fingerprint of the history it is of. */
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

/** @throws `INVALID_INPUT` if this is no cursor of lines of the history with this fingerprint. */
export function decodeLineCursor(text: string, history: number): LineCursor {
  const [of, line, chars, fingerprint, revision] = fromDigits(text, LINE_CURSOR, history);
  return { kind: 'lines', history: of!, line: line!, chars: chars!, fingerprint: fingerprint!, revision: revision! };
}

/** @throws `INVALID_INPUT` if this is no cursor of bytes of the history with this fingerprint. */
export function decodeByteCursor(text: string, history: number): ByteCursor {
  const [of, offset] = fromDigits(text, BYTE_CURSOR, history);
  return { kind: 'bytes', history: of!, offset: offset! };
}

/** The refusal of a cursor that cannot be used here. */
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
    const message = isOther ? 'was made by a read in another format (raw, or text and ansi)' : 'is not a cursor';
    throw cursorError(text, message);
  }
  const parts = match.slice(1).map((part) => parseInt(part, BASE));
  if (parts[0] !== history) throw cursorError(text, 'is of another terminal');
  return parts;
}

/** A 32-bit FNV-1a hash of the text: a change in what was read shows as another value. */
export function fingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
