/** Types text of any length into a terminal, in order and in chunks, as fast as the program reads it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { TerminalManager } from '../contract/manager.js';
import { TerminalError } from '../errors.js';

/**
 * Maximum length of one input, in UTF-16 code units: far below the smallest useful TENACITTY_MAX_INPUT_BYTES, even at
 * three bytes per code unit.
 */
const MAX_PIECE_UNITS = 64 << 10;
/** Interval between retries while the program has too much unread input. */
const RETRY_MS = 50;
const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/**
 * Types text unchanged: adds no Enter and converts no line endings.
 *
 * @throws The errors of `TerminalManager.write`, except `LIMIT_REACHED`, after which it retries.
 */
export async function typeRaw(manager: TerminalManager, id: string, text: string): Promise<void> {
  for (const piece of pieces(text)) await typePiece(manager, id, piece);
}

/** Types text as a person would: line endings become Enter, and one more Enter follows unless `enter: false`. */
export async function typeText(manager: TerminalManager, id: string, text: string, enter: boolean): Promise<void> {
  const all = pieces(text.replace(/\r?\n/g, '\r'));
  for (const piece of all.slice(0, -1)) await typePiece(manager, id, piece);
  await retried(() => manager.write(id, { input: all.at(-1) ?? '', ...(enter ? {} : { enter }) }));
}

function typePiece(manager: TerminalManager, id: string, input: string): Promise<void> {
  return retried(() => manager.write(id, { input, raw: true }));
}

async function retried(write: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TerminalError) || error.code !== 'LIMIT_REACHED') throw error;
      await pause(RETRY_MS);
    }
  }
}

/** Splits text without cutting a character in two. */
export function pieces(text: string): string[] {
  const cut: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + MAX_PIECE_UNITS);
    if (end < text.length && HIGH_SURROGATE.test(text.slice(start, end))) end--;
    cut.push(text.slice(start, end));
    start = end;
  }
  return cut;
}
