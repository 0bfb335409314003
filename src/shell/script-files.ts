/**
 * The integration's scripts as one terminal has them: with its nonce, in a directory of its own that nobody else may
 * enter, together with the commands that its shell is to run. It starts nothing.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filledIn, innerScript } from './inner-script.js';
import { commandFile, quoted } from './shells.js';
import type { FollowedKind, ScriptPlaces, ShellKind, ShellStart } from './shells.js';

const SCRIPTS = join(import.meta.dirname, 'scripts');
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** Names of what a shell writes and reads there. */
const TYPED = 'typed';

const SCRIPT_OF: Readonly<Record<ShellKind, string>> = {
  bash: 'tenacitty.bash',
  zsh: 'tenacitty.zsh',
  fish: 'tenacitty.fish',
  sh: 'tenacitty.sh',
};

const INNER_SCRIPT_OF: Readonly<Record<FollowedKind, string>> = {
  ...SCRIPT_OF,
  python: 'tenacitty.py',
  node: 'tenacitty.node',
};

export class ScriptFiles {
  readonly directory: string;
  readonly nonce: string;

  /** @param directory - Of this terminal alone; made when something is written. */
  constructor(directory: string, nonce: string) {
    this.directory = directory;
    this.nonce = nonce;
  }

  /** With a directory of its own among those of `parent`; without a parent, in the system's place for such. */
  static create(parent: string | null, name: string, nonce: string): ScriptFiles {
    if (parent === null) return new ScriptFiles(mkdtempSync(join(tmpdir(), 'tenacitty-shell-')), nonce);
    return new ScriptFiles(join(parent, name), nonce);
  }

  /**
   * Writes what a shell is started with.
   *
   * @param env - What the shell will have: of what is taken for this purpose the scripts give back what was there.
   */
  prepare({ kind, isLogin }: ShellStart, env: Readonly<Record<string, string>>): ScriptPlaces {
    const script = this.script(kind);
    const { directory } = this;
    // Ours from the start, whatever the shell's umask.
    this.#put(TYPED, '');
    if (kind === 'fish') return { directory, script, start: script };
    if (kind === 'zsh') return { directory, script, start: this.#write('.zshenv', 'start.zsh', zshRestore(env)) };
    if (kind === 'sh') return { directory, script, start: this.#write('start', 'start.sh', envRestore(env)) };
    const name = isLogin ? 'start-login.bash' : 'start.bash';
    return { directory, script, start: this.#write('start', name, envRestore(env)) };
  }

  /** Writes the integration for a kind of shell; gives its path. */
  script(kind: ShellKind): string {
    return this.#write(SCRIPT_OF[kind], SCRIPT_OF[kind], '');
  }

  /** Writes the integration for a shell or REPL within another; gives its path. */
  innerScript(kind: FollowedKind): string {
    this.#put(TYPED, '');
    return this.#put(INNER_SCRIPT_OF[kind], innerScript(kind, this.nonce, this.directory));
  }

  /** Writes the text of a command for the shell to read. */
  writeCommand(command: number, kind: FollowedKind, text: string): void {
    this.#put(String(command), commandFile(kind, text));
  }

  /** The shell has read it; should it be read again, there is nothing. */
  removeCommand(command: number): void {
    rmSync(join(this.directory, String(command)), { force: true });
  }

  /** What the shell says that was typed last; null if it does not say. */
  typed(): string | null {
    try {
      return readFileSync(join(this.directory, TYPED), 'utf8');
    } catch {
      // Not every shell says so.
      return null;
    }
  }

  remove(): void {
    try {
      rmSync(this.directory, { recursive: true, force: true });
    } catch {
      // Somebody has put something there that may not be removed; nothing of ours is left to protect.
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
    const write = (): void => writeFileSync(path, text, { mode: FILE_MODE });
    try {
      write();
    } catch (error) {
      // Not made yet, or taken away by a tidy-up of the system's.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      mkdirSync(this.directory, { recursive: true, mode: DIRECTORY_MODE });
      write();
    }
    return path;
  }
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
