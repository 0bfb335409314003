/**
 * Wraps the native code for pseudo-terminals. No other module imports the PTY library. Uses only its `fork` and
 * `resize`. Ensures that no program inherits another terminal's master descriptor. Does not read, write or end
 * terminals.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { TerminalError } from '../errors.js';

const LIBRARY = '@lydell/node-pty';

/**
 * The part that is used of the library's `native` export. The export is undocumented, so the library's version is
 * pinned.
 */
interface NativePty {
  fork(
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
  ): ForkedPty;
  resize(fd: number, cols: number, rows: number, widthPx: number, heightPx: number): void;
}

/** The master descriptor of a new pseudo-terminal, and the pid of its program. */
export interface ForkedPty {
  readonly fd: number;
  readonly pid: number;
}

/** What to start, and the size of its screen. `env` is the complete environment: nothing is added. */
export interface PtyOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
}

/** Tells the native code to leave the user or group id unchanged. */
const SAME_ID = -1;

/** The masters that are open in this process. The native code opens them without close-on-exec. */
const openMasters = new Set<number>();

let loaded: { native: NativePty; helperPath: string } | undefined;

/**
 * Starts a program in a new pseudo-terminal. `onExit` is called once, in a later turn, after the program has been
 * reaped.
 *
 * @throws `SPAWN_FAILED` if the system refuses; `UNSUPPORTED_PLATFORM` if there is no native code for this platform.
 */
export function forkPty(options: PtyOptions, onExit: (exitCode: number, signal: number) => void): ForkedPty {
  const { native, helperPath } = loadNative();
  const env = Object.entries(options.env).map(([name, value]) => `${name}=${value}`);
  const { cwd, cols, rows } = options;
  const fork = (file: string, args: readonly string[]): ForkedPty =>
    native.fork(file, args, env, cwd, cols, rows, SAME_ID, SAME_ID, true, helperPath, onExit);
  try {
    const forked = forkWithoutLeaks(fork, options);
    openMasters.add(forked.fd);
    return forked;
  } catch (cause) {
    throw new TerminalError(
      'SPAWN_FAILED',
      `The system refused to start ${options.file}: ${messageOf(cause)} ` +
        '(too many processes, open files or pseudo-terminals?)',
      { file: options.file },
      { cause },
    );
  }
}

/** Registers an inherited descriptor as a master, so that no program inherits it in turn. */
export function rememberMaster(fd: number): void {
  openMasters.add(fd);
}

/** Unregisters a master that is about to be closed, because its number may be reused. */
export function forgetMaster(fd: number): void {
  openMasters.delete(fd);
}

/** Sets the new size in the kernel; the program receives SIGWINCH. The descriptor must be open. */
export function resizePty(fd: number, cols: number, rows: number): void {
  loadNative().native.resize(fd, cols, rows, 0, 0);
}

/**
 * The highest descriptor that the native code always sets close-on-exec on. Above it, the code stops at the first
 * number that is not open, and programs inherit the rest.
 */
const LAST_SURE_DESCRIPTOR = 15;

/**
 * Maximum number of gaps that are filled before a fork, which takes a few milliseconds. A new master always has a
 * higher number than the old ones, so there are more and more gaps as long as terminals overlap. If there are more gaps
 * than this, a shell closes the descriptors instead.
 */
const MAX_GAP_FILLERS = 256;

const SWEEPING_SHELL = '/bin/bash';
/** Runs in the child: closes all inherited descriptors except stdin, stdout and stderr, then executes the program. */
const SWEEP = 'for fd in /proc/$$/fd/*; do fd=${fd##*/}; ((fd > 2)) && eval "exec $fd>&-"; done; exec "$@"';

type Fork = (file: string, args: readonly string[]) => ForkedPty;

function forkWithoutLeaks(fork: Fork, { file, args }: PtyOptions): ForkedPty {
  const fillers: number[] = [];
  const closeFillers = (): void => fillers.splice(0).forEach((fd) => closeSync(fd));
  try {
    if (process.platform !== 'linux' || fillGaps(fillers)) return fork(file, args);
    closeFillers();
    return fork(SWEEPING_SHELL, ['-p', '-c', SWEEP, 'bash', file, ...args]);
  } finally {
    closeFillers();
  }
}

/**
 * Opens /dev/null on every free descriptor number below the highest master, so that the native code finds no gap. The
 * new master, which is closed in the child, then gets a higher number. Returns false if there are too many gaps and a
 * shell that can close the descriptors instead is available.
 */
function fillGaps(fillers: number[]): boolean {
  const highest = Math.max(...openMasters);
  if (highest <= LAST_SURE_DESCRIPTOR) return true;
  while (fillers.length < MAX_GAP_FILLERS || !existsSync(SWEEPING_SHELL)) {
    const fd = openSync('/dev/null', 'r');
    if (fd > highest) {
      closeSync(fd);
      return true;
    }
    fillers.push(fd);
  }
  return false;
}

function loadNative(): { native: NativePty; helperPath: string } {
  loaded ??= load();
  return loaded;
}

function load(): { native: NativePty; helperPath: string } {
  refuseMusl();
  const require = createRequire(import.meta.url);
  try {
    const { native } = require(LIBRARY) as { native: NativePty };
    return { native, helperPath: helperPath(createRequire(require.resolve(LIBRARY))) };
  } catch (cause) {
    throw new TerminalError(
      'UNSUPPORTED_PLATFORM',
      `Pseudo-terminals are not available on ${process.platform}-${process.arch}: ${messageOf(cause)}`,
      { platform: process.platform, arch: process.arch },
      { cause },
    );
  }
}

/**
 * Rejects musl: with it, the prebuilt code loads, but crashes the process at the first fork.
 *
 * @throws `UNSUPPORTED_PLATFORM`
 */
export function refuseMusl(): void {
  if (process.platform !== 'linux') return;
  const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  if (header.glibcVersionRuntime !== undefined) return;
  throw new TerminalError(
    'UNSUPPORTED_PLATFORM',
    'This system uses musl libc (as Alpine does), but terminals need glibc 2.28 or later. In a container, use a ' +
      'Debian-based image, for example node:24-slim.',
    { libc: 'musl' },
  );
}

/** Returns the path of the helper that starts programs on macOS, which is next to the native code. Unused on Linux. */
function helperPath(libraryRequire: NodeJS.Require): string {
  const target = `${process.platform}-${process.arch}`;
  return join(dirname(libraryRequire.resolve(`${LIBRARY}-${target}`)), '..', 'prebuilds', target, 'spawn-helper');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
