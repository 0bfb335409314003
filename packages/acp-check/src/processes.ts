/** Which of the processes that a check began still run. It knows nothing of who ran them. */
import { readFileSync, readlinkSync } from 'node:fs';

/** Dead, though nobody has asked for its exit code yet. */
const DEAD_STATES = ['Z', 'X'];

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !DEAD_STATES.includes(stateOf(pid) ?? '');
}

/** The letter of /proc; undefined where there is none. */
function stateOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return line[line.lastIndexOf(')') + 2];
  } catch {
    return undefined;
  }
}

/** Ends what a client left running. */
export function endForGood(pids: readonly number[]): void {
  for (const pid of pids.filter(isRunning)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It went by itself in this very moment.
    }
  }
}

/** Where the process runs that started this one, which is the client; undefined where the system does not tell. */
export function clientDirectory(): string | undefined {
  try {
    return readlinkSync(`/proc/${process.ppid}/cwd`);
  } catch {
    return undefined;
  }
}
