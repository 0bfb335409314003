/**
 * Manages the process of the client under test: starts it, keeps the end of its output, and ends it together with all
 * processes that it has started.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from './usage-error.js';

/** Number of characters of output that are kept, to explain why a client never started the agent. */
const LAST_WORDS_CHARACTERS = 2000;
/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 5000;

export class ClientProcess {
  /** The end of the client's stdout and stderr. */
  lastWords = '';
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  private constructor(child: ChildProcess, heard: (bytes: Buffer) => void) {
    this.#child = child;
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (bytes: Buffer) => {
        heard(bytes);
        this.lastWords = `${this.lastWords}${bytes.toString()}`.slice(-LAST_WORDS_CHARACTERS);
      });
    }
    this.#exited = once(child, 'exit');
  }

  /** Starts the client. @throws `UsageError` if the program does not exist or is not executable. */
  static async start(
    [program = '', ...args]: readonly string[],
    heard: (bytes: Buffer) => void,
  ): Promise<ClientProcess> {
    // The client has its own process group, so that the processes that it starts can be ended with it.
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const client = new ClientProcess(child, heard);
    client.#exited.catch(() => {});
    try {
      await once(child, 'spawn');
    } catch (cause) {
      throw new UsageError(`the client ${program} cannot be started: ${(cause as Error).message}`);
    }
    return client;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when the client has ended, or after the given time at the latest. */
  async ended(limitMs: number): Promise<void> {
    const limit = new AbortController();
    const late = pause(limitMs, null, { signal: limit.signal }).catch(() => null);
    await Promise.race([this.#exited, late]);
    limit.abort();
  }

  /**
   * Asks only the client to end, so that processes that it leaves behind can be observed. Returns whether it has ended.
   */
  async leave(): Promise<boolean> {
    if (this.isRunning) this.#child.kill('SIGTERM');
    await this.ended(GRACE_MS);
    return !this.isRunning;
  }

  /** Kills the client and the processes that it has started. */
  end(): void {
    try {
      process.kill(-this.#child.pid!, 'SIGKILL');
    } catch {
      // They have ended.
    }
  }
}
