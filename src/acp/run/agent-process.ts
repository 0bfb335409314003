/**
 * Manages the agent's program: starts it in its own session, so that Ctrl-C does not reach it directly, connects it
 * through stdin and stdout, and ends it together with all processes that it has started.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import type { Stream } from '@agentclientprotocol/sdk';
import type { TerminalExit } from '../display.js';
import { endTree, exitOf } from '../agent-end.js';
import { sanitizeLine } from '../sanitize.js';
import { describeStartFailure } from '../start-failure.js';
import { messagesOf } from './agent-messages.js';
import type { MessageListener } from './agent-messages.js';
import { RUN_EXIT, RunFailure } from './stop.js';

export interface AgentCommand {
  /** A program and its arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface AgentListener extends MessageListener {
  /** Called for each line of the agent's stderr, sanitized for display. */
  onStderr(line: string): void;
}

/** Number of stderr lines that are reported if the agent fails. */
const LAST_WORDS_LINES = 10;
const MAX_LINE_CHARS = 500;
/** Time that the agent has to end on its own after its stdin is closed. */
const LEAVE_MS = 1000;

export class AgentProcess {
  readonly #child: ChildProcess;
  readonly #lastWords: string[] = [];
  /** The start of an unfinished stderr line, up to the length that is reported. */
  #begun = '';
  readonly stream: Stream;
  /** Resolves when the program has ended. */
  readonly ended: Promise<TerminalExit>;
  #end: Promise<void> | null = null;

  /**
   * Starts the program.
   *
   * @throws {RunFailure} If the program or the directory does not exist, or the program is not executable.
   */
  static async start(command: AgentCommand, listener: AgentListener): Promise<AgentProcess> {
    const [file = '', ...args] = command.argv;
    const { cwd, env } = command;
    const child = spawn(file, args, { cwd, env, detached: true, stdio: 'pipe' });
    try {
      await once(child, 'spawn');
    } catch (error) {
      const words = describeStartFailure(file, cwd, error as NodeJS.ErrnoException);
      throw new RunFailure(RUN_EXIT.notStarted, words);
    }
    return new AgentProcess(child, listener);
  }

  private constructor(child: ChildProcess, listener: AgentListener) {
    this.#child = child;
    this.ended = exitOf(child);
    // A write error means that the agent has ended, which writers learn from `ended`.
    child.stdin!.on('error', () => {});
    child.stderr!.setEncoding('utf8').on('data', (text: string) => this.#onStderr(text, listener));
    child.stderr!.on('end', () => this.#onStderr('\n', listener));
    this.stream = messagesOf({ stdin: child.stdin!, stdout: child.stdout! }, listener);
  }

  /** The agent's last stderr lines, sanitized for display. */
  get lastWords(): readonly string[] {
    return this.#lastWords;
  }

  /**
   * Lets the agent end on its own, then ends it and all processes that it has started. Can be called more than once.
   */
  end(): Promise<void> {
    this.#end ??= this.#endNow();
    return this.#end;
  }

  async #endNow(): Promise<void> {
    this.#child.stdin!.end();
    await Promise.race([this.ended, after(LEAVE_MS, null, { ref: false })]);
    await endTree(this.#child.pid!);
    for (const pipe of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) pipe!.destroy();
  }

  #onStderr(text: string, listener: AgentListener): void {
    const lines = (this.#begun + text).split('\n');
    this.#begun = lines.pop()!.slice(0, MAX_LINE_CHARS);
    for (const line of lines) this.#notify(sanitizeLine(line, MAX_LINE_CHARS), listener);
  }

  #notify(line: string, listener: AgentListener): void {
    if (line.trim() === '') return;
    this.#lastWords.push(line);
    if (this.#lastWords.length > LAST_WORDS_LINES) this.#lastWords.shift();
    listener.onStderr(line);
  }
}
