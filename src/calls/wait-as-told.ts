/** Waiting where not every system tells who waits for input. It knows the manager by its interface, and no door. */
import type { WaitFor, WaitResult } from '../contract/command.js';
import type { TerminalManager, WaitOptions } from '../contract/manager.js';
import { TerminalError } from '../errors.js';

/**
 * As `TerminalManager.wait`; where the system does not tell who waits for input, for everything else that was asked.
 *
 * @throws As `TerminalManager.wait`; `UNSUPPORTED_PLATFORM` for `port` alone.
 */
export async function waitAsTold(
  manager: TerminalManager,
  id: string,
  request: WaitFor,
  options: WaitOptions = {},
): Promise<WaitResult> {
  try {
    return await manager.wait(id, request, options);
  } catch (error) {
    const isUnknowable = error instanceof TerminalError && error.code === 'UNSUPPORTED_PLATFORM';
    if (!isUnknowable || request.port !== undefined) throw error;
    return manager.wait(id, { ...request, input: false }, options);
  }
}
