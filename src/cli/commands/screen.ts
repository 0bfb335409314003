/** `tenacitty screen`: what the screen shows now, as text or as a picture. */
import { writeFile } from 'node:fs/promises';
import { TerminalError } from '../../errors.js';
import type { Call } from '../command.js';
import { print, printJson } from '../stdout.js';
import type { SCREEN_FLAGS } from '../table/read.js';
import { findTerminal } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

/** A file's name that means stdout. */
const STDOUT = '-';

export function screen({ operands: [given], flags, settings }: Call<typeof SCREEN_FLAGS>): Promise<void> {
  return withEngine(settings, async (manager) => {
    const { id } = await findTerminal(manager, given!);
    if (flags.png !== undefined) {
      const { screenPicture } = await import('../../picture/screen-picture.js');
      return write(flags.png, await screenPicture(await manager.snapshot(id)));
    }
    const shown = await manager.screen(id, flags.format);
    await (flags.json ? printJson(shown) : print(`${shown.lines.join('\n').trimEnd()}\n`));
  });
}

async function write(path: string, picture: Buffer): Promise<void> {
  if (path === STDOUT) return print(picture);
  try {
    await writeFile(path, picture);
  } catch (cause) {
    const message = `The picture cannot be written: ${(cause as Error).message}`;
    throw new TerminalError('INTERNAL_ERROR', message, { path }, { cause });
  }
}
