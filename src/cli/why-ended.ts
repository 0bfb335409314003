/** Why a program has ended, where its exit code does not tell. It knows no command. */
import type { TerminalManager } from '../contract/manager.js';
import { reasonInWords } from './exit-code.js';

/** As `reasonInWords`; nothing of a terminal that was removed meanwhile. */
export async function whyEnded(manager: TerminalManager, id: string): Promise<string> {
  const detail = await manager.get(id).catch(() => null);
  return detail?.endedBy ? reasonInWords(detail.endedBy) : '';
}
