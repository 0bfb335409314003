/** Resolves an id or a name to an id, so that a name is looked up only once per call. */
import { isName } from '../contract/name.js';
import type { TerminalManager } from '../contract/manager.js';

/**
 * Resolves to the id of a terminal. Returns a value that cannot be a name unchanged.
 *
 * @throws `TERMINAL_NOT_FOUND` if no terminal has the name.
 */
export async function resolveTerminalId(manager: TerminalManager, idOrName: string): Promise<string> {
  return isName(idOrName) ? (await manager.get(idOrName)).id : idOrName;
}
