/**
 * The entry of a host process: reads what it is told from stdin, says on stdout whether it serves, and then lives on
 * its own. Ended by SIGTERM it ends all its terminals first; SIGHUP and SIGINT mean
 * somebody else, and a limit on file sizes (SIGXFSZ) is to be an error of the write.
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
/** Of the terminal, the service manager or the package manager that the starter was started in. */
const NOT_OURS = /^(?:TENACITTY_.*|INVOCATION_ID|NOTIFY_SOCKET|LISTEN_.*|JOURNAL_STREAM|WATCHDOG_.*|npm_.*)$/;

async function main(): Promise<void> {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGXFSZ'] as const) process.on(signal, () => {});
  for (const name of Object.keys(process.env)) if (NOT_OURS.test(name)) delete process.env[name];
  const options = readOptions();
  closeInherited(firstUnwanted(options));
  // It holds no directory, so that what it is in can be removed or unmounted.
  process.chdir('/');
  const host = await startHost(options, () => process.exit(0));
  if (host === null) return leave({ outcome: 'taken' }, 0);
  process.on('SIGTERM', () => stop(host));
  tell({ outcome: 'serving' });
}

/** A successor is given its predecessor's terminals; but it inherits them a second time by their old numbers. */
function firstUnwanted({ isSuccessor, handedTerminals }: HostOptions): number {
  if (isSuccessor !== true) return AFTER_STDIO;
  return handedTerminals === undefined ? Infinity : FIRST_TERMINAL_FD + handedTerminals;
}

function readOptions(): HostOptions {
  const options = hostOptions.parse(JSON.parse(readFileSync(STDIN, 'utf8')));
  replaceByNothing(STDIN, 'r');
  return options;
}

/** Says it and lets go of the pipe: whoever reads it learns of the end in any case. */
function tell(outcome: HostOutcome): void {
  try {
    writeSync(STDOUT, JSON.stringify(outcome));
  } catch {
    // Whoever started this is gone; others will come.
  }
  replaceByNothing(STDOUT, 'w');
}

/** The lowest free number is the one just closed. */
function replaceByNothing(fd: number, flags: 'r' | 'w'): void {
  closeSync(fd);
  openSync('/dev/null', flags);
}

function leave(outcome: HostOutcome, code: number): void {
  tell(outcome);
  process.exit(code);
}

function stop(host: HostProcess): void {
  host.stop().catch(() => process.exit(1));
}

main().catch((error: unknown) => leave({ outcome: 'failed', message: messageOf(error) }, 1));

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
