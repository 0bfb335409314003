/**
 * Draws pictures one at a time and lets the process do other work in between. Drawing a large screen uses the processor
 * for a while and needs about 10 MB.
 */
import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { TerminalSnapshot } from '../contract/output.js';
import { limitReached } from '../errors.js';
import type { TerminalError } from '../errors.js';
import { screenPicture } from './screen-picture.js';
import { Turns } from '../turns.js';

/** Requests beyond this number are refused. */
export const MAX_PICTURES_AT_ONCE = 32;

let activeCount = 0;
const turns = new Turns();

/**
 * Resolves to a PNG of the snapshot that `takeSnapshot` returns, after all earlier pictures have been drawn.
 *
 * @throws `LIMIT_REACHED` if 32 pictures are already being drawn, and whatever `screenPicture` and `takeSnapshot`
 * throw.
 */
export async function pictureInTurn(takeSnapshot: () => Promise<TerminalSnapshot>): Promise<Buffer> {
  if (activeCount >= MAX_PICTURES_AT_ONCE) throw tooMany();
  activeCount++;
  try {
    const snapshot = await takeSnapshot();
    return await turns.take(async () => {
      await turnOfOthers();
      return screenPicture(snapshot);
    });
  } finally {
    activeCount--;
  }
}

function tooMany(): TerminalError {
  return limitReached('MAX_PICTURES_AT_ONCE', MAX_PICTURES_AT_ONCE, 'Too many pictures are being rendered');
}
