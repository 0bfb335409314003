/** `tenacitty screen`: prints the current screen as text or as a picture. */
import { writeFile } from 'node:fs/promises';
import type { TerminalManager } from '../../contract/manager.js';
import { TerminalError } from '../../errors.js';
import type { ParsedCall } from '../command.js';
import { showEach } from '../each-terminal.js';
import { oneSelected } from '../selection.js';
import { print } from '../stdout.js';
import type { SCREEN_FLAGS } from '../flags/read.js';
import { withEngine } from '../with-engine.js';

/** The file name that means stdout. */
const STDOUT = '-';

export function screen(call: ParsedCall<typeof SCREEN_FLAGS>): Promise<void> {
  const { png, format } = call.flags;
  return withEngine(call.settings, async (manager) => {
    if (png !== undefined) return picture(manager, (await oneSelected(manager, call)).id, png);
    await showEach(manager, call, {
      asJson: (id) => manager.screen(id, format),
      asText: async (id) => print(`${(await manager.screen(id, format)).lines.join('\n').trimEnd()}\n`),
    });
  });
}

async function picture(manager: TerminalManager, id: string, path: string): Promise<void> {
  const { screenPicture } = await import('../../picture/screen-picture.js');
  await write(path, await screenPicture(await manager.snapshot(id)));
}

async function write(path: string, bytes: Buffer): Promise<void> {
  if (path === STDOUT) return print(bytes);
  try {
    await writeFile(path, bytes);
  } catch (cause) {
    const message = `The image cannot be written: ${(cause as Error).message}`;
    throw new TerminalError('INTERNAL_ERROR', message, { path }, { cause });
  }
}
