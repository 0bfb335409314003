/** A real program in a real pseudo-terminal, with its output collected, for tests. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Pty, type PtyExit } from '../../src/pty/pty.js';

const PROGRAMS = join(import.meta.dirname, '..', 'fixtures', 'programs');

/** Returns the path of a program in test/fixtures/programs. */
export function fixture(name: string): string {
  return join(PROGRAMS, name);
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly terminalId?: string;
  /** Pauses before anything is read. */
  readonly isPaused?: boolean;
}

/** An environment in which no file of the person who runs the tests is read or written. */
const BARE_ENVIRONMENT = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  TERM: 'xterm-256color',
  PS1: 'prompt$ ',
  HISTFILE: '',
  LANG: 'C.UTF-8',
};

/** Starts immediately; `exited` and `closed` resolve when `onExit` and `onClose` were called. */
export class Program {
  readonly terminalId: string;
  readonly pty: Pty;
  readonly exited: Promise<PtyExit>;
  readonly closed: Promise<void>;
  /** The callbacks in order, with consecutive output as one entry. */
  readonly events: string[] = [];
  byteCount = 0;
  readonly #chunks: Buffer[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(argv: readonly [string, ...string[]], options: ProgramOptions = {}) {
    let onExit!: (exit: PtyExit) => void;
    let onClose!: () => void;
    this.exited = new Promise((resolve) => (onExit = resolve));
    this.closed = new Promise((resolve) => (onClose = resolve));
    this.terminalId = options.terminalId ?? randomUUID();
    const [file, ...args] = argv;
    const env = { ...BARE_ENVIRONMENT, ...options.env, TENACITTY_TERMINAL_ID: this.terminalId };
    this.pty = Pty.spawn(
      { file, args, env, cwd: '/', cols: 80, rows: 24 },
      {
        onData: (bytes) => this.#onData(bytes),
        onExit: (exit) => {
          this.events.push('exit');
          onExit(exit);
        },
        onClose: () => {
          this.events.push('close');
          onClose();
        },
      },
    );
    if (options.isPaused) this.pty.pause();
  }

  get output(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  get target(): { pid: number; startTime: number | null; terminalId: string } {
    return { pid: this.pty.pid, startTime: this.pty.startTime, terminalId: this.terminalId };
  }

  /** Resolves with the match when the output, now or later, matches. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match;
      await this.nextOutput();
    }
  }

  nextOutput(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  type(text: string): void {
    this.pty.write(Buffer.from(text));
  }

  #onData(bytes: Uint8Array): void {
    if (this.events.at(-1) !== 'data') this.events.push('data');
    this.byteCount += bytes.length;
    this.#chunks.push(Buffer.from(bytes));
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** Runs `sh -c` with a script. */
export function shell(script: string, options: ProgramOptions = {}): Program {
  return new Program(['/bin/sh', '-c', script], options);
}
