/** `tenacitty new`: opens a terminal and prints its id. */
import type { Call } from '../command.js';
import { creationOf } from '../creation.js';
import { print, printJson } from '../stdout.js';
import type { NEW_FLAGS } from '../table/start.js';
import { withEngine } from '../with-engine.js';

export function create({ flags, program, settings }: Call<typeof NEW_FLAGS>): Promise<void> {
  return withEngine(settings, async (manager) => {
    const detail = await manager.create(await creationOf(manager, flags, program));
    await (flags.json ? printJson(detail) : print(`${detail.id}\n`));
  });
}
