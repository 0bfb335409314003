/** A running command, and its output. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface EndedProcess {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Running {
  readonly child: ChildProcess;
  readonly ended: Promise<EndedProcess>;
  #stdout = '';
  #stderr = '';

  constructor([program, ...args]: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
    const own = { PATH: process.env['PATH']!, HOME: cwd, ...env };
    this.child = spawn(program!, args, { cwd, env: own, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout!.on('data', (bytes: Buffer) => (this.#stdout += bytes.toString()));
    this.child.stderr!.on('data', (bytes: Buffer) => (this.#stderr += bytes.toString()));
    this.ended = once(this.child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: this.#stdout,
      stderr: this.#stderr,
    }));
  }

  /** Resolves once stderr matches; rejects if the process ends without a match. */
  async says(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.#stderr)) {
      const more = once(this.child.stderr!, 'data').then(() => undefined);
      const end = await Promise.race([more, this.ended]);
      if (end && !pattern.test(end.stderr))
        throw new Error(`it ended without saying ${pattern}; it said:\n${end.stderr}`);
    }
  }
}
