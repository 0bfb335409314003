/** Opens the engine for one command and closes it at the end. */
import { permitted } from '../access/permitted-manager.js';
import { resolveOptions } from '../config.js';
import type { Options } from '../config.js';
import { callerOf } from '../contract/caller.js';
import type { TerminalManager } from '../contract/manager.js';
import { openEngine } from '../engine.js';
import { userName } from '../user-name.js';
import { withNextSteps } from './next-steps.js';
import { commandFormatter } from './command-formatter.js';

/**
 * Calls `use` with the engine that the settings describe, and closes the engine afterwards. Terminals that other
 * processes hold keep running.
 *
 * @param settings - Flags that are settings, as written on the command line.
 * @throws `INVALID_INPUT` if settings are invalid, and any error that `use` throws.
 */
export async function withEngine<Result>(
  settings: readonly string[],
  use: (manager: TerminalManager, options: Options) => Promise<Result>,
): Promise<Result> {
  const { options } = resolveOptions({ argv: settings, isServing: false });
  const by = callerOf('cli', userName());
  const manager = permitted(await openEngine(options), { role: 'owner', by });
  try {
    return await use(manager, options);
  } catch (error) {
    throw withNextSteps(error, commandFormatter(options));
  } finally {
    await manager.close();
  }
}
