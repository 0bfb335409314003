/**
 * Observes what real shells run: a directory with programs that record their calls, and nothing else on PATH.
 * Independent of the line reader.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Programs that only record their call: the first two succeed, the third fails. */
export const PROGRAMS = ['pa', 'pb', 'pc'] as const;
/** Real programs that start the program they are given. */
const STARTERS = ['env', 'nohup', 'nice', 'timeout', 'xargs', 'setsid', 'stdbuf', 'find', 'sh', 'bash', 'cat'];
const LONGEST_RUN_MS = 5000;

export class ShellsRun {
  readonly #directory = mkdtempSync(join(tmpdir(), 'tenacitty-lines-'));
  readonly #programs = join(this.#directory, 'bin');
  readonly #work = join(this.#directory, 'work');
  #runs = 0;

  constructor() {
    mkdirSync(this.#programs);
    for (const name of PROGRAMS) {
      const path = join(this.#programs, name);
      writeFileSync(path, `#!/bin/sh\necho ${name} >> "$CALLED"\nexit ${name === 'pc' ? 1 : 0}\n`);
      chmodSync(path, 0o755);
    }
    for (const name of STARTERS) symlinkSync(whereIs(name), join(this.#programs, name));
  }

  /** Returns the names of the programs that a shell runs for a line, in its own, empty directory. */
  run(shell: readonly [string, ...string[]], line: string): string[] {
    // A separate file for each line, because programs left behind by an earlier line still write to theirs.
    const called = join(this.#directory, `called-${this.#runs++}`);
    writeFileSync(called, '');
    rmSync(this.#work, { recursive: true, force: true });
    mkdirSync(this.#work);
    const [file, ...options] = shell;
    spawnSync(whereIs(file), [...options, '-c', line], {
      cwd: this.#work,
      env: { PATH: this.#programs, HOME: this.#work, LC_ALL: 'C.UTF-8', CALLED: called },
      input: '',
      timeout: LONGEST_RUN_MS,
      killSignal: 'SIGKILL',
    });
    return [...new Set(readFileSync(called, 'utf8').split('\n').filter(Boolean))];
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

const DIRECTORIES = ['/usr/bin', '/bin', '/usr/local/bin'];

/** Returns the path of a system program. */
export function whereIs(name: string): string {
  const found = DIRECTORIES.map((directory) => join(directory, name)).find(
    (path) => spawnSync(path, ['--version']).error === undefined,
  );
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}
