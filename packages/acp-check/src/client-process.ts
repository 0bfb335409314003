/** The client under test, as a process: started, listened to for its last words, and ended with all it has started. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from './usage-error.js';

/** Of what it has said, for whoever wonders why it never came. */
const LAST_WORDS_CHARACTERS = 2000;
/** Between asking it to end and ending it. */
const GRACE_MS = 5000;

export class ClientProcess {
  /** What it has said last, on stdout and stderr. */
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

  /** @throws `UsageError` if there is no such program, or it may not be run. */
  static async start(
    [program = '', ...args]: readonly string[],
    heard: (bytes: Buffer) => void,
  ): Promise<ClientProcess> {
    // A group of its own, so that what it has started can be ended with it.
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

  /** Resolves when it has ended, or after that time. */
  async ended(limitMs: number): Promise<void> {
    const limit = new AbortController();
    const late = pause(limitMs, null, { signal: limit.signal }).catch(() => null);
    await Promise.race([this.#exited, late]);
    limit.abort();
  }

  /** Asks it to end, and nothing that it has started: what it leaves is to be seen. Answers with whether it has. */
  async leave(): Promise<boolean> {
    if (this.isRunning) this.#child.kill('SIGTERM');
    await this.ended(GRACE_MS);
    return !this.isRunning;
  }

  /** Ends it, and what it has started. */
  end(): void {
    try {
      process.kill(-this.#child.pid!, 'SIGKILL');
    } catch {
      // They have ended.
    }
  }
}
