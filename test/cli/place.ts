/**
 * The command line as it is installed, each time in a place of its own: a home, data and sockets that nothing else
 * uses, as real processes, with a pipe or a terminal of their own.
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

/** What hints call it where PATH has no tenacitty, made short again. */
export function shortlyNamed(text: string): string {
  return text.replaceAll(commandName({}, MAIN), 'tenacitty');
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin gives before it ends; null leaves it open. Default: nothing. */
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
  readonly #running: Command[] = [];
  readonly #programs: Program[] = [];
  #manager: TerminalManager | undefined;

  start(args: readonly string[], options: StartOptions = {}): Command {
    if (!existsSync(MAIN)) throw new Error(`${MAIN} is not there: npm run build`);
    const command = new Command([process.execPath, MAIN, ...args], this.directory, { ...this.env, ...options.env });
    if (options.stdin !== null) command.child.stdin!.end(options.stdin ?? '');
    this.#running.push(command);
    return command;
  }

  /** Runs a script of bash, in which `"$@"` and `"$node" "$main"` stand for tenacitty. */
  runInShell(script: string): Promise<Ended> {
    const env = { ...this.env, node: process.execPath, main: MAIN };
    const command = new Command(['bash', '-c', script, 'bash', process.execPath, MAIN], this.directory, env);
    command.child.stdin!.end();
    this.#running.push(command);
    return command.ended();
  }

  /** Runs a command to its end. */
  run(...args: string[]): Promise<Ended> {
    return this.start(args).ended();
  }

  /** What it prints, when all must be well. */
  async stdout(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    if (code !== 0) throw new Error(`tenacitty ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  /** Opens a terminal as `tenacitty new` does, without a process for it; gives its id. */
  async create(request: CreateTerminal): Promise<string> {
    return (await this.manager.create({ cwd: this.directory, sessionTimeoutMs: 0, ...request })).id;
  }

  /** Opens a terminal that says `ready` when its program has begun; gives its id. */
  async open(script: string, request: CreateTerminal = {}): Promise<string> {
    const id = await this.create({ command: 'sh', args: ['-c', `echo ready; ${script}`], ...request });
    await this.until(id, /ready/);
    return id;
  }

  /** Runs a script in a terminal of its own until its program has ended; gives its id. */
  async ended(script: string, request: CreateTerminal = {}): Promise<string> {
    const id = await this.create({ command: 'sh', args: ['-c', script], ...request });
    await this.manager.wait(id);
    return id;
  }

  /** Resolves when the output, from now or before, matches. */
  async until(id: string, pattern: RegExp): Promise<string> {
    let page = await this.manager.read(id);
    while (!pattern.test(page.output)) {
      if (!page.isActive) throw new Error(`the program ended without ${pattern}: ${page.output}`);
      await this.manager.read(id, { cursor: page.cursor, timeoutMs: 30_000 });
      page = await this.manager.read(id);
    }
    return page.output;
  }

  /** The same terminals, not by way of the command line. */
  get manager(): TerminalManager {
    if (this.#manager === undefined) throw new Error('call ready() first');
    return this.#manager;
  }

  /** To be called before all else. The built engine: hosts run without any loader. */
  async ready(): Promise<this> {
    const { openEngine } = (await import(join(BUILD, 'engine.js'))) as typeof engine;
    this.#manager = await openEngine(resolveOptions({ argv: [], env: this.env, cwd: this.directory }).options);
    return this;
  }

  /** A command in a terminal of a person's own. */
  inTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
    return this.#keep(new Program([process.execPath, MAIN, ...args], { env: { ...this.env, ...env } }));
  }

  /** A program in a terminal of a person's own; it is given, behind its arguments, what to call for tenacitty. */
  inTerminalOf(file: string, args: readonly string[]): Program {
    return this.#keep(new Program([file, ...args, process.execPath, MAIN], { env: this.env }));
  }

  #keep(program: Program): Program {
    this.#programs.push(program);
    return program;
  }

  /** Makes it as new for the next test, but for its hosts: no process, no terminal and no file of the last one is left. */
  async clear(): Promise<void> {
    await this.#endProcesses();
    const { manager } = this;
    await Promise.all((await manager.list()).map(({ id }) => manager.remove(id, { graceMs: 0 })));
    const kept = [this.env['TENACITTY_DATA_DIR'], this.env['TENACITTY_RUNTIME_DIR']];
    const files = readdirSync(this.directory).map((name) => join(this.directory, name));
    for (const file of files) if (!kept.includes(file)) rmSync(file, { recursive: true, force: true });
  }

  async #endProcesses(): Promise<void> {
    const [programs, commands] = [this.#programs.splice(0), this.#running.splice(0)];
    for (const program of programs) end(program);
    for (const command of commands) command.child.kill('SIGKILL');
    await Promise.all([...programs.map(({ exited }) => exited), ...commands.map((command) => command.ended())]);
  }

  /** Leaves nothing behind, whatever a test has left in a bad state. */
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

/** The one place of this file, for tests that leave its hosts well; `clear` it after each. A host takes half a second to start. */
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

export class Command {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly #ended: Promise<Ended>;

  constructor([file, ...args]: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    this.child = spawn(file!, args, { cwd, env });
    this.child.stdout!.on('data', (bytes: Buffer) => (this.stdout += bytes.toString()));
    this.child.stderr!.on('data', (bytes: Buffer) => (this.stderr += bytes.toString()));
    // Whether it still reads is no matter of the tests that write to it.
    this.child.stdin!.on('error', () => {});
    this.#ended = once(this.child, 'close').then(([code]) => {
      return { code: code as number | null, stdout: this.stdout, stderr: this.stderr };
    });
  }

  ended(): Promise<Ended> {
    return this.#ended;
  }

  /** Resolves once stdout or stderr has it; rejects if the process ends without it. */
  async says(pattern: RegExp, where: 'stdout' | 'stderr' = 'stdout'): Promise<void> {
    while (!pattern.test(this[where])) {
      const more = once(this.child[where]!, 'data').then(() => 'more');
      const next = await Promise.race([more, this.#ended.then(() => 'ended')]);
      if (next === 'ended' && !pattern.test(this[where]))
        throw new Error(`it ended without ${pattern}: ${this[where]}`);
    }
  }
}
