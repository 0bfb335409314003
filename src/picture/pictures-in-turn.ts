/**
 * Pictures for many who ask at once: one is drawn at a time, and whatever else the process does has its turn between
 * two. Drawing takes the processor for a while, and some ten MB for a large screen. It knows no terminal and no door.
 */
import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { TerminalSnapshot } from '../contract/output.js';
import { limitReached } from '../errors.js';
import type { TerminalError } from '../errors.js';
import { screenPicture } from './screen-picture.js';

/** More than these are told to come again. */
export const MAX_PICTURES_AT_ONCE = 32;

let asked = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * The picture of what `look` finds, as a PNG, when those asked for before are drawn.
 *
 * @throws `LIMIT_REACHED` where 32 are being made; whatever `screenPicture` and `look` throw.
 */
export async function pictureInTurn(look: () => Promise<TerminalSnapshot>): Promise<Buffer> {
  if (asked >= MAX_PICTURES_AT_ONCE) throw tooMany();
  asked++;
  try {
    const snapshot = await look();
    const picture = last.then(() => screenPicture(snapshot));
    last = picture.then(
      () => turnOfOthers(),
      () => turnOfOthers(),
    );
    return await picture;
  } finally {
    asked--;
  }
}

function tooMany(): TerminalError {
  return limitReached(
    'MAX_PICTURES_AT_ONCE',
    MAX_PICTURES_AT_ONCE,
    'As many pictures as may be are being made already',
  );
}
