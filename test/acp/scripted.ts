/** The agent that does what its prompt says, for tests that start it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Its program and arguments; more arguments make it odd. */
export const AGENT = [process.execPath, join(import.meta.dirname, 'scripted-agent.mjs')] as const;

/** Whether a process runs. One that has ended and whose parent has not noticed does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/^State:\s+[ZX]/m.test(statusOf(pid));
}

/** What /proc has of a process; empty where there is none, or it has ended since. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
