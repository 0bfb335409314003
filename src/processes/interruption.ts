/**
 * Delivers Ctrl-C reliably to the command of a shell. Between fork and exec, a program is still a copy of the shell. It
 * may not have the terminal's foreground yet, and it handles the key as the shell does, which ignores it while starting
 * a program. The key is then sent again. Does not depend on commands; of shells it uses only their pids.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf } from './foreground.js';
import { readProcess } from './process-table.js';

export interface Interruptible {
  /** Pid of the shell; null if unknown. */
  readonly pid: number | null;
  /** Types the key. */
  type(): void;
  /** Returns whether the command to interrupt has ended. */
  isOver(): boolean;
}

const LOOK_EVERY_MS = 20;
/** Even on a very busy machine a program has started by then. */
const MAX_LOOKS = 250;

/**
 * Types the key, and types it again if the first came too early for a program that gets the foreground shortly
 * afterwards.
 */
export async function pressUntilHeard(target: Interruptible): Promise<void> {
  const { pid } = target;
  // Children forked after the key, for example by a trap, do not count.
  const begun = pid === null ? [] : childrenOf(pid).filter((child) => isStill(pid, child));
  target.type();
  if (pid === null) return;
  for (let looks = 0; looks < MAX_LOOKS && begun.some(isThere); looks++) {
    await delay(LOOK_EVERY_MS, undefined, { ref: false });
    if (target.isOver()) return;
    if (begun.some((child) => !isStill(pid, child) && hasForeground(child))) return target.type();
  }
}

/**
 * Returns whether the child's environment is at the same address as the shell's: then it has not executed its program
 * yet.
 */
function isStill(shell: number, child: number): boolean {
  const address = readProcess(child)?.environmentAddress ?? 0;
  return address !== 0 && address === readProcess(shell)?.environmentAddress;
}

function hasForeground(pid: number): boolean {
  const found = readProcess(pid);
  return found !== null && !found.isGone && found.group === found.foregroundGroup;
}

function isThere(pid: number): boolean {
  return readProcess(pid)?.isGone === false;
}
