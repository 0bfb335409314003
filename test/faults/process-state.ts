/** What a process holds, by a look at /proc from outside. It asks the process nothing. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../eventually.js';

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

/** The same at a moment when nothing is open that is read or written in one go: /proc, records and commands beside the history. */
export async function descriptorsAtRest(pid: number): Promise<string[]> {
  let open: string[] = [];
  await eventually(() => {
    open = openDescriptorsOf(pid);
    return !open.some((target) => /^\/proc\/|(?:\.new|\.jsonl)(?: \(deleted\))?$/.test(target));
  });
  return open;
}

/** Waits until the same are open as at an earlier moment; what is closed is so a moment later. */
export async function expectDescriptors(pid: number, expected: readonly string[]): Promise<void> {
  let open: string[] = [];
  try {
    await eventually(() => isDeepStrictEqual((open = openDescriptorsOf(pid)), expected));
  } finally {
    expect(open).toEqual(expected);
  }
}

/** Bytes of memory that are not shared with files. */
export function memoryOf(pid: number): number {
  const match = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (match === null) throw new Error(`process ${pid} does not say how much memory it has`);
  return Number(match[1]) * 1024;
}
