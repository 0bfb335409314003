/**
 * Ctrl-C to what a shell runs, so that it arrives. Between its fork and its exec a program is still the shell, which
 * may or may not have given it the terminal, and heeds the key as the shell does: not at all, while it begins a program.
 * The key is then pressed once more. It knows no command, and nothing of shells but their process ids.
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
  const { pid } = target;
  // What is forked after the key, as by a trap, is none of those.
  const begun = pid === null ? [] : childrenOf(pid).filter((child) => isStill(pid, child));
  target.type();
  if (pid === null) return;
  for (let looks = 0; looks < MAX_LOOKS && begun.some(isThere); looks++) {
    await delay(LOOK_EVERY_MS, undefined, { ref: false });
    if (target.isOver()) return;
    if (begun.some((child) => !isStill(pid, child) && hasForeground(child))) return target.type();
  }
}

/** Whether a child has the environment of the shell where the shell has it: it has not become its program yet. */
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
