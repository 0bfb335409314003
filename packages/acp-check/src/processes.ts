/** Determines which of the processes that a check started are still running. */
import { readFileSync, readlinkSync } from 'node:fs';

/** States of zombies and dead processes, whose exit code may not have been read yet. */
const DEAD_STATES = ['Z', 'X'];

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !DEAD_STATES.includes(stateOf(pid) ?? '');
}

/** Returns the state letter from /proc, or undefined if there is no such process. */
function stateOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return line[line.lastIndexOf(')') + 2];
  } catch {
    return undefined;
  }
}

/** Kills processes that a client left running. */
export function endForGood(pids: readonly number[]): void {
  for (const pid of pids.filter(isRunning)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has just ended on its own.
    }
  }
}

/**
 * Returns the working directory of this process's parent, which is the client, or undefined if the system does not
 * report it.
 */
export function clientDirectory(): string | undefined {
  try {
    return readlinkSync(`/proc/${process.ppid}/cwd`);
  } catch {
    return undefined;
  }
}
