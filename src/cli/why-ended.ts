/** Explains why a program has ended if its exit code does not. */
import type { TerminalManager } from '../contract/manager.js';
import { describeEndReason } from './exit-code.js';

/** Like `describeEndReason`; empty for a terminal that was removed meanwhile. */
export async function describeWhyEnded(manager: TerminalManager, id: string): Promise<string> {
  const detail = await manager.get(id).catch(() => null);
  return detail?.endedBy ? describeEndReason(detail.endedBy) : '';
}
