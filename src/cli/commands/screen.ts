/** `tenacitty screen`: what the screen shows now. */
import type { Call } from '../command.js';
import { print, printJson } from '../stdout.js';
import type { SCREEN_FLAGS } from '../table/read.js';
import { findTerminal } from '../terminal-id.js';
import { withEngine } from '../with-engine.js';

export function screen({ operands: [given], flags, settings }: Call<typeof SCREEN_FLAGS>): Promise<void> {
  return withEngine(settings, async (manager) => {
    const { id } = await findTerminal(manager, given!);
    const shown = await manager.screen(id, flags.format);
    await (flags.json ? printJson(shown) : print(`${shown.lines.join('\n').trimEnd()}\n`));
  });
}
