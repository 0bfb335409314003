/** Finds what is left of a terminal, by reading /proc independently of the engine. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Returns running processes that carry a terminal's mark, as `pid name`. */
export function processesOf(terminalId: string): string[] {
  return processesWith(`TENACITTY_TERMINAL_ID=${terminalId}`);
}

/** Returns running processes with this in their environment, as `pid name`. */
export function processesWith(variable: string): string[] {
  return living((pid) => readProc(pid, 'environ').split('\0').includes(variable));
}

/** Returns running processes whose working directory is this one, as `pid name`. */
export function processesIn(directory: string): string[] {
  return living((pid) => readDirectory(pid) === directory);
}

function living(isMeant: (pid: string) => boolean): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isMeant(name) && !isZombie(name))
    .map((pid) => `${pid} ${readProc(pid, 'comm').trim()}`);
}

/** Returns the targets of this process's open descriptors, by number. */
export function openDescriptors(): string[] {
  // The listing's own descriptor is closed by now and not counted.
  return readdirSync('/proc/self/fd').filter((fd) => readProc('self', `fdinfo/${fd}`) !== '');
}

function isZombie(pid: string): boolean {
  return /^State:\s+[ZX]/m.test(readProc(pid, 'status'));
}

function readDirectory(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // See below.
    return '';
  }
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // It ended while it was read.
    return '';
  }
}
