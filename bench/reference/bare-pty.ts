/**
 * The minimum that Node can do with a pseudo-terminal: fork, one read per wake-up into one buffer, and a final drain.
 * No history, no screen, no pausing. Shares no code with the engine except the native fork.
 */
import { readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ReadStream } from 'node:tty';

type NativeFork = (
  file: string,
  args: readonly string[],
  env: readonly string[],
  cwd: string,
  cols: number,
  rows: number,
  uid: number,
  gid: number,
  utf8: boolean,
  helperPath: string,
  onExit: (exitCode: number, signal: number) => void,
) => { readonly fd: number; readonly pid: number };

const READ_BUFFER_BYTES = 64 * 1024;
const SAME_ID = -1;
export const COLS = 80;
export const ROWS = 24;
const readBuffer = new Uint8Array(READ_BUFFER_BYTES);

export interface BarePty {
  readonly pid: number;
  write(bytes: Uint8Array): void;
}

/**
 * Starts a program. The `bytes` passed to `onData` are valid only during the call. `onEnd` is called after the program
 * was waited for and all output was read.
 */
export function openBarePty(
  file: string,
  args: readonly string[],
  onData: (bytes: Uint8Array) => void,
  onEnd: () => void = () => {},
): BarePty {
  const { native } = createRequire(import.meta.url)('@lydell/node-pty') as { native: { fork: NativeFork } };
  const env = Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
  let left = 2;
  const oneDone = () => --left === 0 && onEnd();
  const { fd, pid } = native.fork(file, args, env, process.cwd(), COLS, ROWS, SAME_ID, SAME_ID, true, '', oneDone);
  readAll(fd, onData, oneDone);
  return { pid, write: (bytes) => void writeSync(fd, bytes) };
}

function readAll(fd: number, onData: (bytes: Uint8Array) => void, onEnd: () => void): void {
  const callback = (size: number) => {
    onData(readBuffer.subarray(0, size));
    return true;
  };
  const stream = new ReadStream(fd, { onread: { buffer: readBuffer, callback } } as object);
  // The error is EIO, which marks the end of a pseudo-terminal.
  stream.on('error', () => {});
  // Before libuv 1.52, the end is reported with up to 20 KB unread; the descriptor is still open.
  stream.on('end', () => drain(fd, onData));
  stream.on('close', onEnd);
  stream.read(0);
}

function drain(fd: number, onData: (bytes: Uint8Array) => void): void {
  try {
    for (let size = readSync(fd, readBuffer); size > 0; size = readSync(fd, readBuffer)) {
      onData(readBuffer.subarray(0, size));
    }
  } catch {
    // EIO or EAGAIN: the kernel holds no more output.
  }
}
