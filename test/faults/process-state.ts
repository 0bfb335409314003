/** Reads the resources that a process holds from /proc, without sending it anything. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../eventually.js';

/** Returns the sorted targets of a process's open descriptors, except history files, some of which are kept open. */
export function openDescriptorsOf(pid: number): string[] {
  const targets = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return []; // Closed meanwhile.
    }
  });
  return targets.filter((target) => !/\.(?:out|idx)(?: \(deleted\))?$/.test(target)).sort();
}

/**
 * The same, at a moment when no file is open that is only opened briefly: /proc, records, and commands beside the
 * history.
 */
export async function descriptorsAtRest(pid: number): Promise<string[]> {
  let open: string[] = [];
  await eventually(() => {
    open = openDescriptorsOf(pid);
    return !open.some((target) => /^\/proc\/|(?:\.new|\.jsonl)(?: \(deleted\))?$/.test(target));
  });
  return open;
}

/** Waits until the same descriptors are open as before, since closing takes a moment. */
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
