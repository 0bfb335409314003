/**
 * Writes a terminal's integration scripts, which contain its nonce, and the commands for its shell, into a private
 * directory that other users cannot enter. Starts nothing.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { statfsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownersProblem } from '../data-directory.js';
import { makeDirectory } from '../directory.js';
import { CODE } from '../package-paths.js';
import { filledIn, innerScript } from './nested/inner-script.js';
import { commandFile, quoted } from './shells.js';
import type { TrackedKind, ScriptPaths, ShellKind, ShellStart } from './shells.js';

const SCRIPTS = join(CODE, 'shell', 'scripts');
const FILE_MODE = 0o600;

const MEMORY = '/dev/shm';
/** `TMPFS_MAGIC`: the type of a tmpfs. */
const TMPFS = 0x01021994;
/**
 * `O_TMPFILE`: makes the kernel create an unnamed file; apart from `O_DIRECTORY`, the value is the same on all
 * architectures that Node.js supports.
 */
const WITHOUT_NAME = 0o20000000 | constants.O_DIRECTORY;

/** The name of the file that a shell records typed lines in. */
const TYPED = 'typed';

const SCRIPT_OF: Readonly<Record<ShellKind, string>> = {
  bash: 'tenacitty.bash',
  zsh: 'tenacitty.zsh',
  fish: 'tenacitty.fish',
  sh: 'tenacitty.sh',
};

const INNER_SCRIPT_OF: Readonly<Record<TrackedKind, string>> = {
  ...SCRIPT_OF,
  python: 'tenacitty.py',
  node: 'tenacitty.node',
};

const NONCE_BYTES = 12;

/** Returns a new nonce, which identifies the marks of one shell. */
export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64url');
}

export class ScriptFiles {
  readonly directory: string;
  readonly nonce: string;
  /** Whether commands and typed lines must not be stored on disk. */
  readonly isInMemory: boolean;
  /** Descriptors of the files in memory, by name. */
  readonly #memory = new Map<string, number>();

  /** @param directory - The terminal's private directory; created on the first write. */
  constructor(directory: string, nonce: string, isInMemory = false) {
    this.directory = directory;
    this.nonce = nonce;
    this.isInMemory = isInMemory;
  }

  /** Uses a new nonce and a new directory in `parent` or, if that is null, in the system's temporary directory. */
  static create(parent: string | null, name: string, isInMemory: boolean): ScriptFiles {
    const directory = parent === null ? mkdtempSync(join(tmpdir(), 'tenacitty-shell-')) : join(parent, name);
    return new ScriptFiles(directory, newNonce(), isInMemory);
  }

  /** Returns the files of a nested shell. */
  within(): ScriptFiles {
    const nonce = newNonce();
    return new ScriptFiles(join(this.directory, `within-${nonce}`), nonce, this.isInMemory);
  }

  /**
   * Writes the shell's startup files.
   *
   * @param env - The shell's environment. The startup scripts restore the variables that we override to launch the
   *   shell.
   */
  prepare({ kind, isLogin }: ShellStart, env: Readonly<Record<string, string>>): ScriptPaths {
    const script = this.script(kind);
    const { directory } = this;
    // Created by us before the shell starts, so that the shell's umask has no effect.
    this.#keep(TYPED, '');
    if (kind === 'fish') return { directory, script, start: script };
    if (kind === 'zsh') return { directory, script, start: this.#write('.zshenv', 'start.zsh', zshRestore(env)) };
    if (kind === 'sh') return { directory, script, start: this.#write('start', 'start.sh', envRestore(env)) };
    const name = isLogin ? 'start-login.bash' : 'start.bash';
    return { directory, script, start: this.#write('start', name, envRestore(env)) };
  }

  /** Writes the integration for a kind of shell and returns its path. */
  script(kind: ShellKind): string {
    return this.#write(SCRIPT_OF[kind], SCRIPT_OF[kind], '');
  }

  /** Writes the integration for a nested shell or REPL and returns its path. */
  innerScript(kind: TrackedKind): string {
    this.#keep(TYPED, '');
    return this.#put(INNER_SCRIPT_OF[kind], innerScript(kind, this.nonce, this.directory));
  }

  /** Writes the text of a command for the shell to read. */
  writeCommand(command: number, kind: TrackedKind, text: string): void {
    this.#keep(String(command), commandFile(kind, text));
  }

  /** Removes a command that the shell has read; a second read finds nothing. */
  removeCommand(command: number): void {
    rmSync(join(this.directory, String(command)), { force: true });
    this.#forget(String(command));
  }

  /** Returns the last line typed, as the shell recorded it; null if there is no record. */
  typed(): string | null {
    try {
      return readFileSync(join(this.directory, TYPED), 'utf8');
    } catch {
      // Not every shell records typed lines.
      return null;
    }
  }

  remove(): void {
    for (const name of this.#memory.keys()) this.#forget(name);
    try {
      rmSync(this.directory, { recursive: true, force: true });
    } catch {
      // The directory contains something that cannot be removed, but nothing of ours that needs protection.
    }
  }

  #write(name: string, source: string, restore: string): string {
    const text = filledIn(readFileSync(join(SCRIPTS, source), 'utf8'), this)
      .replaceAll('@SCRIPT@', () => quoted(join(this.directory, scriptBeside(source))))
      .replaceAll('@RESTORE@', () => restore);
    return this.#put(name, text);
  }

  #put(name: string, text: string): string {
    const path = join(this.directory, name);
    this.#inDirectory(() => writeFileSync(path, text, { mode: FILE_MODE }));
    return path;
  }

  /** Writes a command or a typed line; if these must not be stored on disk, writes only a link to memory. */
  #keep(name: string, text: string): void {
    const fd = this.isInMemory ? openMemoryFile() : null;
    if (fd === null) return void this.#put(name, text);
    this.#forget(name);
    this.#memory.set(name, fd);
    writeFileSync(fd, text);
    const path = join(this.directory, name);
    rmSync(path, { force: true });
    this.#inDirectory(() => symlinkSync(pathOf(fd), path));
  }

  #forget(name: string): void {
    const fd = this.#memory.get(name);
    if (fd !== undefined) closeSync(fd);
    this.#memory.delete(name);
  }

  /** Checks the directory on each write: after a system cleanup, another user may have created it. */
  #inDirectory(write: () => void): void {
    try {
      checkOwners(this.directory);
      write();
    } catch (error) {
      // Not created yet, or removed by a system cleanup.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      makeDirectory(this.directory);
      checkOwners(this.directory);
      write();
    }
  }
}

function checkOwners(directory: string): void {
  const problem = ownersProblem(directory);
  if (problem !== null) throw new Error(problem);
}

/** `start.zsh` → `tenacitty.zsh`. */
function scriptBeside(source: string): string {
  return `tenacitty${source.slice(source.lastIndexOf('.'))}`;
}

function envRestore({ ENV }: Readonly<Record<string, string>>): string {
  return ENV === undefined ? 'unset ENV' : `ENV=${quoted(ENV)}; export ENV`;
}

function zshRestore({ ZDOTDIR }: Readonly<Record<string, string>>): string {
  return ZDOTDIR === undefined ? `'builtin' 'unset' ZDOTDIR` : `'builtin' 'export' ZDOTDIR=${quoted(ZDOTDIR)}`;
}

/** Returns the path that gives other programs access to a file that this process has open. */
function pathOf(fd: number): string {
  return `/proc/${process.pid}/fd/${fd}`;
}

/**
 * Opens an empty file in memory, not on disk, that the same user's programs can read by a path: an unnamed file on a
 * tmpfs, accessed through this process. Returns null if that is not supported, as on macOS.
 */
function openMemoryFile(): number | null {
  return hasMemoryFiles() ? openSync(MEMORY, constants.O_RDWR | WITHOUT_NAME, FILE_MODE) : null;
}

/**
 * Returns whether other processes can access such files. They cannot if the kernel hides a process from its own user.
 */
function hasMemoryFiles(): boolean {
  try {
    return statfsSync(MEMORY).type === TMPFS && statSync(`/proc/${process.pid}`).uid === process.geteuid?.();
  } catch {
    return false;
  }
}
