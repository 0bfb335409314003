/**
 * Delivers Ctrl-C reliably to a shell's command. Between fork and exec, the command's process is still a copy of the
 * shell: it may not be in the foreground yet, and it handles the key as the shell does, which ignores the key while it
 * starts a program. If that was the case, types the key again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf } from './foreground.js';
import { readInterruptKey, readSettings } from './input-kind.js';
import { readProcess } from './process-table.js';

export interface InterruptTarget {
  /** Pid of the shell; null if unknown. */
  readonly pid: number | null;
  /** Path of the terminal; null if unknown. */
  readonly tty: string | null;
  type(key: string): void;
  /** Returns whether the command to interrupt has ended. */
  isOver(): boolean;
}

const CTRL_C = '\x03';
const CHECK_INTERVAL_MS = 20;
/** Maximum number of checks: by then, a program has started even on a very busy machine. */
const MAX_CHECKS = 250;
/** Time for an interrupt to end an evaluation, before the key is typed again. */
const RETRY_MS = 200;
const MAX_PRESSES = 50;

/**
 * Types the key, and types it again if it came too early for a program that moves to the foreground shortly afterwards.
 */
export async function interruptCommand(target: InterruptTarget): Promise<void> {
  const { pid, tty } = target;
  const key = tty === null ? CTRL_C : await readInterruptKey(tty);
  if (target.isOver()) return;
  const press = (): void => (key === null ? signalForeground(pid) : target.type(key));
  // Children that are forked after the key, for example by a trap, do not count.
  const begun = pid === null ? [] : childrenOf(pid).filter((child) => isStillCopy(pid, child));
  press();
  if (pid === null) return;
  for (let looks = 0; looks < MAX_CHECKS && begun.some(isThere); looks++) {
    await delay(CHECK_INTERVAL_MS, undefined, { ref: false });
    if (target.isOver()) return;
    if (begun.some((child) => !isStillCopy(pid, child) && hasForeground(child))) return press();
  }
}

/**
 * Types the key, and types it again as long as the evaluation continues. A Node REPL leaves raw mode just before it
 * evaluates a line: until then, it reads the key as a byte, and after that, it loses the signal until V8 has been told
 * to watch for it. At its prompt, the REPL is in raw mode, so the key is not typed again there. A child process gets
 * the key only once, because it may handle the key itself.
 */
export async function interruptEvaluation(target: InterruptTarget): Promise<void> {
  const { pid, tty } = target;
  target.type(CTRL_C);
  if (pid === null || tty === null) return;
  for (let presses = 1; presses < MAX_PRESSES && isThere(pid); presses++) {
    await delay(RETRY_MS, undefined, { ref: false });
    const settings = target.isOver() ? null : await readSettings(tty);
    if (target.isOver() || childrenOf(pid).length > 0) return;
    if (settings?.has('isig') === true) target.type(CTRL_C);
  }
}

/** Sends the signal that the key would cause, for a terminal without such a key (`stty intr undef`). */
function signalForeground(pid: number | null): void {
  const group = pid === null ? 0 : (readProcess(pid)?.foregroundGroup ?? 0);
  try {
    if (group > 1) process.kill(-group, 'SIGINT');
  } catch {
    // The group is gone, or belongs to another user.
  }
}

/**
 * Returns whether a child of the shell has not executed its program yet: if so, its environment is at the same address
 * as the shell's.
 */
function isStillCopy(shell: number, child: number): boolean {
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
