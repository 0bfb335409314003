/** `tenacitty new`: opens a terminal and prints its id. */
import type { Call } from '../command.js';
import { creationOf } from '../creation.js';
import { print, printJson } from '../stdout.js';
import type { NEW_FLAGS } from '../table/start.js';
import { withEngine } from '../with-engine.js';

/** What a person has opened waits for them. */
const STAYS = { sessionTimeoutMs: 0 } as const;

/** Whether a setting has its value from somebody. */
function isAsked(origin: string): boolean {
  return origin !== 'default';
}

export function create({ flags, program, settings }: Call<typeof NEW_FLAGS>): Promise<void> {
  return withEngine(settings, async (manager, { origins }) => {
    const request = await creationOf(manager, flags, program);
    const detail = await manager.create({ ...request, ...(isAsked(origins.TENACITTY_SESSION_TIMEOUT) ? {} : STAYS) });
    await (flags.json ? printJson(detail) : print(`${detail.id}\n`));
  });
}
