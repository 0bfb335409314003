/** Explains why a program ended where its exit code does not. */
import type { TerminalManager } from '../contract/manager.js';
import { describeEndReason } from './exit-code.js';

/**
 * Describes the reason as `describeEndReason` does. Returns an empty string if the terminal has been removed in the
 * meantime.
 */
export async function describeWhyEnded(manager: TerminalManager, id: string): Promise<string> {
  const detail = await manager.get(id).catch(() => null);
  return detail?.endedBy ? describeEndReason(detail.endedBy) : '';
}
