/**
 * Runs the built command line as a real process with its own files and settings. Its terminals end with it; test/cli/
 * tests those that outlive it.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BUILD } from '../build.js';

const MAIN = join(BUILD, 'cli', 'main.js');

export interface CommandLineResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class CommandLine {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly #ended: Promise<CommandLineResult>;

  /**
   * @param cwd - Its working directory, and where it keeps data unless `env` specifies another directory.
   * @param by - The command line of a program that starts it. Default: none.
   */
  constructor(
    cwd: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    by: readonly string[] = [],
  ) {
    const own = {
      TENACITTY_DATA_DIR: join(cwd, 'data'),
      TENACITTY_RUNTIME_DIR: join(cwd, 'run'),
      TENACITTY_PERSISTENT: 'false',
    };
    const settings = { PATH: process.env['PATH']!, HOME: cwd, ...own, ...env };
    const [file, ...words] = [...by, process.execPath, MAIN, ...args];
    this.child = spawn(file!, words, { cwd, env: settings });
    this.child.stdout!.on('data', (bytes: Buffer) => (this.stdout += bytes.toString()));
    this.child.stderr!.on('data', (bytes: Buffer) => (this.stderr += bytes.toString()));
    this.#ended = once(this.child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  ended(): Promise<CommandLineResult> {
    return this.#ended;
  }

  /** Resolves with the match once stderr matches; rejects if the process ends before that. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stderr);
      if (match) return match;
      const more = once(this.child.stderr!, 'data').then(() => 'more' as const);
      const next = await Promise.race([more, this.#ended.then(() => 'ended' as const)]);
      if (next === 'ended' && !pattern.test(this.stderr)) {
        throw new Error(`it ended without saying ${pattern}; it said:\n${this.stderr}`);
      }
    }
  }

  /** Returns the address in the banner. */
  async url(): Promise<string> {
    return (await this.says(/is at (https?:\S+)[\s\S]*Stop/))[1]!;
  }
}
