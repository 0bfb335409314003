/**
 * Manages the agent's process: starts it with the proxy's stderr, and ends it together with all processes that it has
 * started.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { invalidInput, TerminalError } from '../../errors.js';
import type { TerminalExit } from '../display.js';
import { endTree, exitOf } from '../agent-end.js';
import { describeStartFailure } from '../start-failure.js';

/** Time that the agent has to end after it receives the signal that ended the proxy. */
const SIGNAL_GRACE_MS = 2000;

const NO_PROGRAM = ['ENOENT', 'EACCES', 'ENOTDIR'];

export class ProxiedAgent {
  readonly #child: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the agent has ended, even if processes that it started are still running. */
  readonly exited: Promise<TerminalExit>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.stdin = child.stdin!;
    this.stdout = child.stdout!;
    // Without a listener, Node discards output that a program wrote before it ended.
    this.stdout.on('readable', () => {});
    this.exited = exitOf(child);
    // `start` reports that a program does not exist.
    this.exited.catch(() => {});
  }

  /**
   * Starts the agent.
   *
   * @throws `INVALID_INPUT` for the field `program` if the program does not exist, or `SPAWN_FAILED` if it cannot be
   * started.
   */
  static async start([file = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<ProxiedAgent> {
    // The agent has its own session, so that all its processes can be found.
    const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    const agent = new ProxiedAgent(child);
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw startFailure(file, error as NodeJS.ErrnoException);
    }
    return agent;
  }

  /** Passes a signal on, then ends processes that have not ended in time. */
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
