/**
 * The agent as a process: started with our stderr, ended with all that it has started. It knows no protocol.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { invalidInput, TerminalError } from '../../errors.js';
import type { TerminalExit } from '../display.js';
import { endTree, exitOf } from '../agent-end.js';
import { notStartedInWords } from '../not-started.js';

/** How long it may take to end by the signal that we were told to end by. */
const SIGNAL_GRACE_MS = 2000;

const NO_PROGRAM = ['ENOENT', 'EACCES', 'ENOTDIR'];

export class AgentProcess {
  readonly #child: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when it has ended; others that it started may still run. */
  readonly exited: Promise<TerminalExit>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.stdin = child.stdin!;
    this.stdout = child.stdout!;
    // Node throws away what a program has said at its end if nobody listens yet.
    this.stdout.on('readable', () => {});
    this.exited = exitOf(child);
    // Where there is no program `start` says so.
    this.exited.catch(() => {});
  }

  /** @throws `INVALID_INPUT` with the field `program` if there is none of this name; `SPAWN_FAILED`. */
  static async start([file = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<AgentProcess> {
    // A session of its own, by which all of it can be found.
    const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    const agent = new AgentProcess(child);
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw startFailure(file, error as NodeJS.ErrnoException);
    }
    return agent;
  }

  /** Passes a signal on, and ends whoever does not end by it in time. */
  async endBy(signal: NodeJS.Signals): Promise<void> {
    try {
      process.kill(-this.#child.pid!, signal);
    } catch {
      // Nobody is left.
    }
    await Promise.race([this.exited, after(SIGNAL_GRACE_MS)]);
    await this.end();
  }

  /** Ends it, and all that it left running. */
  async end(): Promise<void> {
    await endTree(this.#child.pid!);
  }
}

function startFailure(file: string, error: NodeJS.ErrnoException): Error {
  const message = notStartedInWords(file, process.cwd(), error);
  if (!NO_PROGRAM.includes(error.code ?? '')) return new TerminalError('SPAWN_FAILED', message, {}, { cause: error });
  return invalidInput({ field: 'program', message, given: file, expected: 'a program in PATH, or the path of one' });
}
