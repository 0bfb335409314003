/** What a test finds left of a terminal, by its own look at /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Living processes that carry a terminal's mark, as `pid name`. */
export function processesOf(terminalId: string): string[] {
  const mark = `TENACITTY_TERMINAL_ID=${terminalId}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readProc(pid, 'environ').split('\0').includes(mark) && !isZombie(pid))
    .map((pid) => `${pid} ${readProc(pid, 'comm').trim()}`);
}

/** Where this process's open descriptors lead, by number. */
export function openDescriptors(): string[] {
  // The listing's own descriptor is closed again, and not counted.
  return readdirSync('/proc/self/fd').filter((fd) => readProc('self', `fdinfo/${fd}`) !== '');
}

function isZombie(pid: string): boolean {
  return /^State:\s+[ZX]/m.test(readProc(pid, 'status'));
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // It ended while it was looked at.
    return '';
  }
}
