/**
 * Runs a host process: reads its options from stdin, reports on stdout whether it is serving, then runs on its own.
 * SIGTERM ends all its terminals and then the process. SIGHUP and SIGINT are ignored because they are meant for other
 * processes; SIGXFSZ is ignored so that a file size limit causes a write error.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { FIRST_TERMINAL_FD } from './hand-off.js';
import { startHost } from './host-process.js';
import type { HostProcess } from './host-process.js';
import { closeInherited } from './inherited.js';
import { hostOptions } from './options.js';
import type { HostOptions, HostOutcome } from './options.js';

const STDIN = 0;
const STDOUT = 1;
const AFTER_STDIO = 3;
/** Variables set by the terminal, service manager or package manager that the starter was started in. */
const NOT_OURS = /^(?:TENACITTY_.*|INVOCATION_ID|NOTIFY_SOCKET|LISTEN_.*|JOURNAL_STREAM|WATCHDOG_.*|npm_.*)$/;

async function main(): Promise<void> {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGXFSZ'] as const) process.on(signal, () => {});
  for (const name of Object.keys(process.env)) if (NOT_OURS.test(name)) delete process.env[name];
  const options = readOptions();
  closeInherited(firstUnwanted(options));
  // Leave the current directory, so that it can be removed or unmounted.
  process.chdir('/');
  const host = await startHost(options, () => process.exit(0));
  if (host === null) return leave({ outcome: 'taken' }, 0);
  process.on('SIGTERM', () => stop(host));
  writeOutcome({ outcome: 'serving' });
}

/**
 * Returns the first descriptor to close. A successor receives its predecessor's terminals at known numbers, but also
 * inherits them at their old numbers, which are closed.
 */
function firstUnwanted({ isSuccessor, handedTerminals }: HostOptions): number {
  if (isSuccessor !== true) return AFTER_STDIO;
  return handedTerminals === undefined ? Infinity : FIRST_TERMINAL_FD + handedTerminals;
}

function readOptions(): HostOptions {
  const options = hostOptions.parse(JSON.parse(readFileSync(STDIN, 'utf8')));
  redirectToNull(STDIN, 'r');
  return options;
}

/** Reports the outcome and closes the pipe. Its reader sees end-of-file in any case. */
function writeOutcome(outcome: HostOutcome): void {
  try {
    writeSync(STDOUT, JSON.stringify(outcome));
  } catch {
    // The starter has exited; other clients may still connect.
  }
  redirectToNull(STDOUT, 'w');
}

/** Replaces a descriptor with /dev/null. `open` returns the lowest free number, which is the one just closed. */
function redirectToNull(fd: number, flags: 'r' | 'w'): void {
  closeSync(fd);
  openSync('/dev/null', flags);
}

function leave(outcome: HostOutcome, code: number): void {
  writeOutcome(outcome);
  process.exit(code);
}

function stop(host: HostProcess): void {
  host.stop().catch(() => process.exit(1));
}

main().catch((error: unknown) => leave({ outcome: 'failed', message: messageOf(error) }, 1));

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
