/**
 * Provides fallbacks for waits, for systems that may not report which programs are waiting for input, and for when too
 * many requests are already waiting. Uses only the manager interface and does not depend on the API layer.
 */
import type { WaitFor, WaitResult } from '../contract/command.js';
import type { TerminalManager, WaitOptions } from '../contract/manager.js';
import { TerminalError } from '../errors.js';

/**
 * Waits as `TerminalManager.wait` does. If the system cannot report waits for input, waits for the other conditions
 * only.
 *
 * @throws The same errors as `TerminalManager.wait`, or `UNSUPPORTED_PLATFORM` if `port` is the only condition and
 * cannot be observed.
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
 * Waits for something that has just been started. If too many requests are already waiting, resolves to `instead`
 * immediately, as if the wait had been of zero length, because an error would suggest that nothing was started.
 */
export async function waitIfAllowed<Answer>(wait: Promise<Answer>, instead: () => Promise<Answer>): Promise<Answer> {
  try {
    return await wait;
  } catch (error) {
    if (error instanceof TerminalError && error.code === 'LIMIT_REACHED') return instead();
    throw error;
  }
}
