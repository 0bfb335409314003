/** What a process holds, by a look at /proc from outside. It asks the process nothing. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Where a process's open descriptors lead, sorted; without the files of history, of which some are kept open. */
export function openDescriptorsOf(pid: number): string[] {
  const targets = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return []; // Closed while we looked.
    }
  });
  return targets.filter((target) => !/\.(?:out|idx)(?: \(deleted\))?$/.test(target)).sort();
}

/** Bytes of memory that are not shared with files. */
export function memoryOf(pid: number): number {
  const match = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (match === null) throw new Error(`process ${pid} does not say how much memory it has`);
  return Number(match[1]) * 1024;
}
