/**
 * Fallbacks for waits: on systems that may not report which programs are waiting for input, and for when too many
 * requests are already waiting. Uses only the manager interface; independent of the API layer.
 */
import type { WaitFor, WaitResult } from '../contract/command.js';
import type { TerminalManager, WaitOptions } from '../contract/manager.js';
import { TerminalError } from '../errors.js';

/**
 * Waits as `TerminalManager.wait` does. If the system cannot report waits for input, waits for the other conditions.
 *
 * @throws The same errors as `TerminalManager.wait`; `UNSUPPORTED_PLATFORM` for `port` alone.
 */
export async function waitWithFallback(
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

/**
 * Waits for something that was just started. If too many requests are already waiting, resolves to `instead` at once,
 * as after a wait of zero length: an error would suggest that nothing was started.
 */
export async function waitIfAllowed<Answer>(wait: Promise<Answer>, instead: () => Promise<Answer>): Promise<Answer> {
  try {
    return await wait;
  } catch (error) {
    if (error instanceof TerminalError && error.code === 'LIMIT_REACHED') return instead();
    throw error;
  }
}
