/**
 * The command line as installed, in an environment of its own: a home directory, data and sockets that nothing else
 * uses. Commands are real processes with a pipe or a terminal of their own.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandName } from '../../src/command-name.js';
import { resolveOptions } from '../../src/config.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import type { CreateTerminal } from '../../src/contract/terminal.js';
import type * as engine from '../../src/engine.js';
import { BUILD } from '../build.js';
import { Program } from '../pty/program.js';

export const MAIN = join(BUILD, 'cli', 'main.js');

/** Shortens the full path that hints use if tenacitty is not on PATH. */
export function shortlyNamed(text: string): string {
  return text.replaceAll(commandName({}, MAIN), 'tenacitty');
}

export interface EndedCommand {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The content of stdin before it ends; null leaves it open. Default: empty. */
  readonly stdin?: string | null;
}

export class Place {
  readonly directory = mkdtempSync(join(tmpdir(), 'tenacitty-cli-'));
  readonly env: Readonly<Record<string, string>> = {
    PATH: process.env['PATH']!,
    HOME: this.directory,
    TENACITTY_DATA_DIR: join(this.directory, 'data'),
    TENACITTY_RUNTIME_DIR: join(this.directory, 'run'),
    TENACITTY_SHELL_PATH: '/bin/sh',
    TENACITTY_PORT: '0',
    LANG: 'C.UTF-8',
  };
  readonly #running: RunningCommand[] = [];
  readonly #programs: Program[] = [];
  #manager: TerminalManager | undefined;

  start(args: readonly string[], options: StartOptions = {}): RunningCommand {
    if (!existsSync(MAIN)) throw new Error(`${MAIN} is not there: npm run build`);
    const command = new RunningCommand([process.execPath, MAIN, ...args], this.directory, {
      ...this.env,
      ...options.env,
    });
    if (options.stdin !== null) command.child.stdin!.end(options.stdin ?? '');
    this.#running.push(command);
    return command;
  }

  /** Runs a bash script in which `"$@"` and `"$node" "$main"` run tenacitty. */
  runInShell(script: string): Promise<EndedCommand> {
    const env = { ...this.env, node: process.execPath, main: MAIN };
    const command = new RunningCommand(['bash', '-c', script, 'bash', process.execPath, MAIN], this.directory, env);
    command.child.stdin!.end();
    this.#running.push(command);
    return command.ended();
  }

  /** Runs a command to its end. */
  run(...args: string[]): Promise<EndedCommand> {
    return this.start(args).ended();
  }

  /** Returns the output of a command that must succeed. */
  async stdout(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    if (code !== 0) throw new Error(`tenacitty ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  /** Creates a terminal as `tenacitty new` does, but without starting a process; returns its id. */
  async create(request: CreateTerminal): Promise<string> {
    return (await this.manager.create({ cwd: this.directory, sessionTimeoutMs: 0, ...request })).id;
  }

  /** Creates a terminal that prints `ready` when its program has started; returns its id. */
  async open(script: string, request: CreateTerminal = {}): Promise<string> {
    const id = await this.create({ command: 'sh', args: ['-c', `echo ready; ${script}`], ...request });
    await this.until(id, /ready/);
    return id;
  }

  /** Runs a script in its own terminal to its end; returns the terminal's id. */
  async ended(script: string, request: CreateTerminal = {}): Promise<string> {
    const id = await this.create({ command: 'sh', args: ['-c', script], ...request });
    await this.manager.wait(id);
    return id;
  }

  /** Resolves when the output, past or future, matches. */
  async until(id: string, pattern: RegExp): Promise<string> {
    let page = await this.manager.read(id);
    while (!pattern.test(page.output)) {
      if (!page.isActive) throw new Error(`the program ended without ${pattern}: ${page.output}`);
      await this.manager.read(id, { cursor: page.cursor, timeoutMs: 30_000 });
      page = await this.manager.read(id);
    }
    return page.output;
  }

  /** Accesses the same terminals without the command line. */
  get manager(): TerminalManager {
    if (this.#manager === undefined) throw new Error('call ready() first');
    return this.#manager;
  }

  /** Call this first. Opens the compiled engine, because hosts run without a loader. */
  async ready(): Promise<this> {
    const { openEngine } = (await import(join(BUILD, 'engine.js'))) as typeof engine;
    this.#manager = await openEngine(resolveOptions({ argv: [], env: this.env, cwd: this.directory }).options);
    return this;
  }

  /** Runs a command in a person's own terminal. */
  inTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
    return this.#keep(new Program([process.execPath, MAIN, ...args], { env: { ...this.env, ...env } }));
  }

  /** Runs a program in a person's own terminal. The command that runs tenacitty is appended to its arguments. */
  inTerminalOf(file: string, args: readonly string[]): Program {
    return this.#keep(new Program([file, ...args, process.execPath, MAIN], { env: this.env }));
  }

  #keep(program: Program): Program {
    this.#programs.push(program);
    return program;
  }

  /** Resets it for the next test, except for its hosts: no process, terminal or file of the previous test is left. */
  async clear(): Promise<void> {
    await this.#endProcesses();
    const { manager } = this;
    await Promise.all((await manager.list()).map(({ id }) => manager.remove(id, { graceMs: 0 })));
    const kept = [this.env['TENACITTY_DATA_DIR'], this.env['TENACITTY_RUNTIME_DIR']];
    const files = readdirSync(this.directory).map((name) => join(this.directory, name));
    for (const file of files) if (!kept.includes(file)) rmSync(file, { recursive: true, force: true });
  }

  /** Kills all commands that are running. */
  kill(): Promise<void> {
    return this.#endProcesses();
  }

  async #endProcesses(): Promise<void> {
    const [programs, commands] = [this.#programs.splice(0), this.#running.splice(0)];
    for (const program of programs) end(program);
    for (const command of commands) command.child.kill('SIGKILL');
    await Promise.all([...programs.map(({ exited }) => exited), ...commands.map((command) => command.ended())]);
  }

  /** Removes everything, whatever bad state a test has left. */
  async close(): Promise<void> {
    await this.#endProcesses();
    try {
      await this.#manager?.shutdown(0);
    } finally {
      rmSync(this.directory, { recursive: true, force: true });
    }
  }
}

let shared: Place | undefined;
afterAll(() => shared?.close());

/**
 * A single place for a whole file, for tests that leave its hosts working; call `clear` after each. Saves the half
 * second that a host takes to start.
 */
export async function sharedPlace(): Promise<Place> {
  return (shared ??= await new Place().ready());
}

function end(program: Program): void {
  if (program.events.includes('exit')) return;
  try {
    process.kill(program.pty.pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}

export class RunningCommand {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly #ended: Promise<EndedCommand>;

  constructor([file, ...args]: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    this.child = spawn(file!, args, { cwd, env });
    this.child.stdout!.on('data', (bytes: Buffer) => (this.stdout += bytes.toString()));
    this.child.stderr!.on('data', (bytes: Buffer) => (this.stderr += bytes.toString()));
    // Tests that write to it do not depend on whether it still reads.
    this.child.stdin!.on('error', () => {});
    this.#ended = once(this.child, 'close').then(([code]) => {
      return { code: code as number | null, stdout: this.stdout, stderr: this.stderr };
    });
  }

  ended(): Promise<EndedCommand> {
    return this.#ended;
  }

  /** Resolves once stdout or stderr matches; rejects if the process ends before that. */
  async says(pattern: RegExp, where: 'stdout' | 'stderr' = 'stdout'): Promise<void> {
    while (!pattern.test(this[where])) {
      const more = once(this.child[where]!, 'data').then(() => 'more');
      const next = await Promise.race([more, this.#ended.then(() => 'ended')]);
      if (next === 'ended' && !pattern.test(this[where]))
        throw new Error(`it ended without ${pattern}: ${this[where]}`);
    }
  }
}
