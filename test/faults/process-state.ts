/** Reads the resources that a process holds from /proc, without sending it anything. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
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

/**
 * Waits until only descriptors are open that were open before, since closing takes a moment. What was open before may
 * have been closed: a connection that had just ended.
 */
export async function expectDescriptors(pid: number, before: readonly string[]): Promise<void> {
  let added: string[] = [];
  try {
    await eventually(() => (added = withoutEach(openDescriptorsOf(pid), before)).length === 0);
  } finally {
    expect(added).toEqual([]);
  }
}

/** Returns the elements of `all` that remain after one has been removed for each element of `known`. */
function withoutEach(all: readonly string[], known: readonly string[]): string[] {
  const rest = [...all];
  for (const one of known) {
    const at = rest.indexOf(one);
    if (at >= 0) rest.splice(at, 1);
  }
  return rest;
}

/** Bytes of memory that are not shared with files. */
export function memoryOf(pid: number): number {
  const match = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (match === null) throw new Error(`process ${pid} does not say how much memory it has`);
  return Number(match[1]) * 1024;
}
