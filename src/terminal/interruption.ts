/**
 * Ctrl-C to what a shell runs, so that it arrives. A program that was just begun gets the terminal's foreground only
 * when it runs itself: a key that comes before goes to the shell, which waits for that program already and does nothing.
 * It is then typed once more. It knows no command, and nothing of shells but their process ids.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf } from './foreground.js';
import { readProcess } from './process-table.js';

export interface Interruptible {
  /** Process id of the shell; null: not known. */
  readonly pid: number | null;
  /** Types the key. */
  type(): void;
  /** Whether what is to be interrupted runs no more. */
  isOver(): boolean;
}

const LOOK_EVERY_MS = 20;
/** On the busiest of machines a program has begun by then. */
const MAX_LOOKS = 250;

/** Types the key; and again, if it came too early for a program that has the foreground a moment later. */
export async function pressUntilHeard(target: Interruptible): Promise<void> {
  const begun = childrenBehind(target.pid);
  target.type();
  for (let looks = 0; looks < MAX_LOOKS && begun.some(isThere); looks++) {
    await delay(LOOK_EVERY_MS, undefined, { ref: false });
    if (target.isOver()) return;
    // What was begun after the key, as by a trap, is none of those.
    if (begun.includes(foregroundGroup(target.pid))) return target.type();
  }
}

/** Children of a shell that has the foreground itself. */
function childrenBehind(pid: number | null): readonly number[] {
  const hasForeground = pid !== null && foregroundGroup(pid) === readProcess(pid)?.group;
  return hasForeground ? childrenOf(pid) : [];
}

function foregroundGroup(pid: number | null): number {
  return (pid === null ? null : readProcess(pid)?.foregroundGroup) ?? -1;
}

function isThere(pid: number): boolean {
  return readProcess(pid)?.isGone === false;
}
