/** The scripted agent, for tests that start it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Its program and arguments; further arguments make it misbehave. */
export const AGENT = [process.execPath, join(import.meta.dirname, 'scripted-agent.mjs')] as const;

/** Whether a process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/^State:\s+[ZX]/m.test(statusOf(pid));
}

/** Returns a process's status from /proc; empty if it does not exist or has ended meanwhile. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
