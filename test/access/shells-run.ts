/**
 * What real shells run: a directory with programs that write down that they were called, and nothing else on PATH. It
 * knows nothing of how lines are read.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Programs that only say that they were called: the first two succeed, the third fails. */
export const PROGRAMS = ['pa', 'pb', 'pc'] as const;
/** Real ones that start the program they are given. */
const STARTERS = ['env', 'nohup', 'nice', 'timeout', 'xargs', 'setsid', 'stdbuf', 'find', 'sh', 'bash', 'cat'];
const LONGEST_RUN_MS = 5000;
const WORD_END = '\x1f';
const CALL_END = '\x1e';

export class ShellsRun {
  readonly #directory = mkdtempSync(join(tmpdir(), 'tenacitty-lines-'));
  readonly #programs = join(this.#directory, 'bin');
  readonly #work = join(this.#directory, 'work');
  #runs = 0;

  constructor() {
    mkdirSync(this.#programs);
    for (const name of PROGRAMS) {
      const path = join(this.#programs, name);
      const note = `printf '%s${WORD_END}' ${name} "$@" '${CALL_END}' >> "$CALLED"`;
      writeFileSync(path, `#!/bin/sh\n${note}\nexit ${name === 'pc' ? 1 : 0}\n`);
      chmodSync(path, 0o755);
    }
    for (const name of STARTERS) symlinkSync(whereIs(name), join(this.#programs, name));
  }

  /** Returns the names of the programs that a shell runs for a line. */
  run(shell: readonly [string, ...string[]], line: string): string[] {
    return [...new Set(this.calls(shell, line).map(([name]) => name!))];
  }

  /** Returns the programs with their arguments. The line runs in its own directory, with one file, and a variable `v`. */
  calls(shell: readonly [string, ...string[]], line: string): string[][] {
    // A separate file for each line, because programs left behind by an earlier line still write to theirs.
    const called = join(this.#directory, `called-${this.#runs++}`);
    writeFileSync(called, '');
    rmSync(this.#work, { recursive: true, force: true });
    mkdirSync(this.#work);
    writeFileSync(join(this.#work, 'f'), '');
    const [file, ...options] = shell;
    spawnSync(whereIs(file), [...options, '-c', line], {
      cwd: this.#work,
      env: { PATH: this.#programs, HOME: this.#work, LC_ALL: 'C.UTF-8', CALLED: called, v: '-x *' },
      input: '',
      timeout: LONGEST_RUN_MS,
      killSignal: 'SIGKILL',
    });
    const calls = readFileSync(called, 'utf8').split(`${CALL_END}${WORD_END}`).slice(0, -1);
    return calls.map((call) => call.split(WORD_END).slice(0, -1));
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

const DIRECTORIES = ['/usr/bin', '/bin', '/usr/local/bin'];

/** The path of a program of the system. */
export function whereIs(name: string): string {
  const found = DIRECTORIES.map((directory) => join(directory, name)).find(
    (path) => spawnSync(path, ['--version']).error === undefined,
  );
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}
