/** Explains why a program has ended if its exit code does not. */
import type { TerminalManager } from '../contract/manager.js';
import { describeEndReason } from './exit-code.js';

/** Describes the reason as `describeEndReason` does; empty for a terminal that has since been removed. */
export async function describeWhyEnded(manager: TerminalManager, id: string): Promise<string> {
  const detail = await manager.get(id).catch(() => null);
  return detail?.endedBy ? describeEndReason(detail.endedBy) : '';
}
