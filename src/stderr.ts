/**
 * What is said to people and logged on stderr. It never waits and never fails: a reader who is gone, or a
 * terminal that is held with Ctrl-S, must not stop the server. It knows nothing of what is said.
 */
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

const STDERR = 2;
/** What is kept for a reader who is slow, beyond what the system keeps. More is dropped, in whole writes. */
const MAX_WAITING_BYTES = 256 << 10;
const RETRY_MS = 100;
const NOTHING = Buffer.alloc(0);

let fd: number | undefined;
let waiting: Buffer = NOTHING;
let retry: NodeJS.Timeout | undefined;

/** Writes at once where the reader keeps up, later or never where he does not; whatever comes after is in order. */
export function writeStderr(text: string): void {
  const bytes = Buffer.from(text);
  if (waiting.length > 0 && waiting.length + bytes.length > MAX_WAITING_BYTES) return;
  waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
  if (retry === undefined) flush();
}

function flush(): void {
  retry = undefined;
  try {
    fd ??= openUnblocking();
    while (waiting.length > 0) waiting = waiting.subarray(writeSync(fd, waiting));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') retry = setTimeout(flush, RETRY_MS).unref();
    // Closed, hung up, or a full disk: nobody will ever read this.
    else waiting = NOTHING;
  }
}

/**
 * A terminal or a pipe is opened once more: whoever else has it may make it wait again, as Node does for each child that
 * it gives its own stderr. A socket cannot be opened; that Node makes non-blocking as it opens its own stream on it.
 */
function openUnblocking(): number {
  // Node writes there itself now and then; that its reader is gone is no reason to end.
  process.stderr.on('error', () => {});
  if (!isatty(STDERR) && !fstatSync(STDERR).isFIFO()) return STDERR;
  try {
    return openSync('/dev/fd/2', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // A terminal of another user, as after `su`: it can be written, but not opened.
    return STDERR;
  }
}
