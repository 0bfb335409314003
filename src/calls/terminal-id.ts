/** From what a caller gives for a terminal to its id: a name is looked up once, whatever is done then. It knows no door. */
import { isName } from '../contract/name.js';
import type { TerminalManager } from '../contract/manager.js';

/**
 * The id of the terminal that is meant: what cannot be a name is given back as it is.
 *
 * @throws `TERMINAL_NOT_FOUND` if none has the name.
 */
export async function idOf(manager: TerminalManager, idOrName: string): Promise<string> {
  return isName(idOrName) ? (await manager.get(idOrName)).id : idOrName;
}
