/**
 * Hands a host's terminals to a new process, possibly of another version, without disturbing the programs. The hand-off
 * is rolled back if the new process cannot continue. Afterwards this process is only the parent of its programs and
 * reports how they end.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { TerminalError } from '../errors.js';
import type { LocalTerminalManager } from '../terminal/terminal-manager.js';
import { HAND_OFF_VERSION, HandOffChannel } from './hand-off.js';
import type { HandOffMessage } from './hand-off.js';
import type { HostOptions } from './options.js';

/** Time that a new process has to load, and then to take over. */
const STEP_TIMEOUT_MS = 15_000;

export interface HandOffTask {
  readonly manager: LocalTerminalManager;
  readonly options: HostOptions;
  /** The command that starts the new process. */
  readonly command: readonly string[];
  /** Where the new process writes its stderr. */
  readonly logFd: number;
  /** Gives the slot to this process, which handles all requests from now on. */
  giveSlot(pid: number): void;
  /** Takes the slot back from a process that has died. */
  takeSlotBack(): Promise<void>;
}

export interface HandOffResult {
  readonly pid: number;
  /** Number of terminals handed over. */
  readonly terminals: number;
  /** Resolves when none of this process's children is a program. */
  readonly childless: Promise<void>;
}

/** @throws `HOST_FAILED` if the new process cannot continue with the terminals. In that case, nothing has changed. */
export async function handOff(task: HandOffTask): Promise<HandOffResult> {
  const { manager } = task;
  const reporter = new ExitReporter();
  const { terminals: handed, events } = await manager.handOver((id, exit) => {
    reporter.report({ type: 'ended', id, exit });
  });
  const successor = new Successor(
    task,
    handed.map(({ pty }) => pty.fd),
  );
  let isSlotGiven = false;
  try {
    handed.forEach((terminal, index) => successor.channel.sendTerminal(terminal, index));
    reporter.reportTo(successor.channel);
    successor.channel.send({ type: 'all', version: HAND_OFF_VERSION, count: handed.length, events });
    await successor.waitFor('prepared');
    isSlotGiven = true;
    task.giveSlot(successor.pid);
    successor.channel.send({ type: 'go' });
    await successor.waitFor('serving');
  } catch (error) {
    await successor.kill();
    if (isSlotGiven) await task.takeSlotBack();
    manager.takeBack();
    throw error;
  }
  successor.detach();
  reporter.expect(await manager.letGo());
  return { pid: successor.pid, terminals: handed.length, childless: reporter.childless };
}

/** Reports how programs end, and detects when the last one has ended. */
class ExitReporter {
  #channel: HandOffChannel | null = null;
  readonly #waiting: HandOffMessage[] = [];
  #reported = 0;
  #reportedBefore = 0;
  #expected = Infinity;
  readonly childless: Promise<void>;
  #resolve: () => void = () => {};

  constructor() {
    this.childless = new Promise((resolve) => (this.#resolve = resolve));
  }

  report(message: HandOffMessage): void {
    this.#reported++;
    if (this.#channel === null) this.#waiting.push(message);
    else this.#channel.send(message);
    this.#checkChildless();
  }

  reportTo(channel: HandOffChannel): void {
    this.#channel = channel;
    for (const message of this.#waiting.splice(0)) channel.send(message);
  }

  /** @param programs - Number of programs still running at the time of this call. */
  expect(programs: number): void {
    this.#reportedBefore = this.#reported;
    this.#expected = programs;
    this.#checkChildless();
  }

  #checkChildless(): void {
    if (this.#reported - this.#reportedBefore >= this.#expected) this.#resolve();
  }
}

/** Represents the new process in the old one. */
class Successor {
  readonly pid: number;
  readonly channel: HandOffChannel;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #received: HandOffMessage[] = [];
  #problem: string | null = null;
  #onNews: () => void = () => {};

  constructor({ command, options, logFd }: HandOffTask, descriptors: readonly number[]) {
    const [program = process.execPath, ...args] = command;
    this.#child = spawn(program, args, {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', logFd, 'pipe', ...descriptors],
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('exit', () => resolve());
      this.#child.once('error', (error) => {
        this.#fail(error.message);
        resolve();
      });
    });
    this.pid = this.#child.pid ?? 0;
    this.channel = new HandOffChannel(this.#child.stdio[3] as Socket, {
      onMessage: (message) => this.#onMessage(message),
      onEnd: (reason) => this.#fail(reason),
    });
    const stdin = this.#child.stdin as Writable;
    // It may exit before it has read anything; the end of the channel reports that.
    stdin.on('error', () => {});
    stdin.end(JSON.stringify({ ...options, isSuccessor: true, handedTerminals: descriptors.length }));
  }

  /** Resolves when the new process has sent this message. */
  async waitFor(type: HandOffMessage['type']): Promise<void> {
    const timer = setTimeout(() => this.#fail(`it did not send "${type}" in time`), STEP_TIMEOUT_MS);
    try {
      while (!this.#received.some((message) => message.type === type)) {
        if (this.#problem !== null) {
          throw new TerminalError('HOST_FAILED', `The new host process could not take over: ${this.#problem}`);
        }
        await new Promise<void>((resolve) => (this.#onNews = resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
    this.channel.close();
  }

  /** Lets the new process continue by itself; this process may exit first. */
  detach(): void {
    this.#child.unref();
    this.#received = [];
  }

  #onMessage(message: HandOffMessage): void {
    this.#received.push(message);
    if (message.type === 'refused') this.#fail(message.message);
    this.#onNews();
  }

  #fail(problem: string): void {
    this.#problem ??= problem;
    this.#onNews();
  }
}
