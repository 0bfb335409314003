/**
 * Writes messages and log lines to stderr without ever blocking or failing: neither a reader that has closed its end
 * nor a terminal that is paused with Ctrl-S must stop the server.
 */
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

const STDERR = 2;
/**
 * Size of the buffer for a slow reader, in addition to the system's own. When it is full, further writes are dropped as
 * a whole.
 */
const MAX_WAITING_BYTES = 256 << 10;
const RETRY_MS = 100;
const NOTHING = Buffer.alloc(0);

let fd: number | undefined;
let waiting: Buffer = NOTHING;
let retry: NodeJS.Timeout | undefined;

/** Writes text immediately if the reader keeps up, and otherwise later or never. Always preserves the order. */
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
    // Closed, hung up, or a full disk: the text can no longer be delivered.
    else waiting = NOTHING;
  }
}

/**
 * Reopens a terminal or pipe, because another process that shares the file description can make it blocking again, as
 * Node does for each child that it gives its own stderr. A socket cannot be reopened, but Node makes it non-blocking
 * when it opens its own stream on it.
 */
function openUnblocking(): number {
  // Node itself sometimes writes to stderr. If the reader has closed its end, that must not end the process.
  process.stderr.on('error', () => {});
  if (!isatty(STDERR) && !fstatSync(STDERR).isFIFO()) return STDERR;
  try {
    return openSync('/dev/fd/2', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // Another user's terminal, as after `su`, can be written to but not opened.
    return STDERR;
  }
}
