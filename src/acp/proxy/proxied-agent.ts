/** The agent's process: started with the proxy's stderr, and ended together with all processes it has started. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { invalidInput, TerminalError } from '../../errors.js';
import type { TerminalExit } from '../display.js';
import { endTree, exitOf } from '../agent-end.js';
import { describeStartFailure } from '../start-failure.js';

/** Grace period for the agent to end after it receives the signal that ended the proxy. */
const SIGNAL_GRACE_MS = 2000;

const NO_PROGRAM = ['ENOENT', 'EACCES', 'ENOTDIR'];

export class ProxiedAgent {
  readonly #child: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the agent has ended; processes it started may still run. */
  readonly exited: Promise<TerminalExit>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.stdin = child.stdin!;
    this.stdout = child.stdout!;
    // Without a listener, Node discards output that a program wrote before it ended.
    this.stdout.on('readable', () => {});
    this.exited = exitOf(child);
    // `start` reports a program that does not exist.
    this.exited.catch(() => {});
  }

  /**
   * Starts the agent.
   *
   * @throws `INVALID_INPUT` with the field `program` if the program does not exist; `SPAWN_FAILED`.
   */
  static async start([file = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<ProxiedAgent> {
    // In its own session, so that all its processes can be found.
    const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    const agent = new ProxiedAgent(child);
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw startFailure(file, error as NodeJS.ErrnoException);
    }
    return agent;
  }

  /** Passes a signal on, and ends processes that have not ended in time. */
  async endBy(signal: NodeJS.Signals): Promise<void> {
    try {
      process.kill(-this.#child.pid!, signal);
    } catch {
      // No process is left.
    }
    await Promise.race([this.exited, after(SIGNAL_GRACE_MS)]);
    await this.end();
  }

  /** Ends the agent and all processes that it left running. */
  async end(): Promise<void> {
    await endTree(this.#child.pid!);
  }
}

function startFailure(file: string, error: NodeJS.ErrnoException): Error {
  const message = describeStartFailure(file, process.cwd(), error);
  if (!NO_PROGRAM.includes(error.code ?? '')) return new TerminalError('SPAWN_FAILED', message, {}, { cause: error });
  return invalidInput({ field: 'program', message, given: file, expected: 'the name of a program on PATH, or a path' });
}
