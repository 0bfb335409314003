/**
 * Ends programs and commands that run longer than they may, step by step, and remembers that it did. It lasts as long as
 * this process: what runs on without it is not ended any more. It knows no rule.
 */
import type { CommandResult } from '../contract/command.js';
import type { TerminalManager } from '../contract/manager.js';
import type { TerminalDetail } from '../contract/terminal.js';
import type { EngineLog } from '../terminal/options.js';

/** What a command may take to end, for each step: Ctrl-C, SIGTERM, SIGKILL. */
const STEP_MS = 2000;
const MAX_REMEMBERED = 1000;

export class TimeLimits {
  readonly #manager: TerminalManager;
  readonly #log: EngineLog;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** The limits that were run into, by terminal, or terminal and command. */
  readonly #ended = new Map<string, number>();

  constructor(manager: TerminalManager, log: EngineLog) {
    this.#manager = manager;
    this.#log = log;
  }

  /** Ends all of a terminal when it has run for so long. */
  limitTerminal(id: string, ms: number): void {
    this.#after(ms, async () => {
      if ((await this.#manager.get(id)).status !== 'active') return;
      this.#remember(id, ms);
      await this.#manager.kill(id);
    });
  }

  /** Runs a command by `exec` and ends it when it has run for so long, whoever waits for it then. */
  async limitCommand(id: string, ms: number, exec: () => Promise<CommandResult>): Promise<CommandResult> {
    let begun: number | undefined;
    const timer = this.#after(ms, () => this.#endCommand(id, begun, ms));
    try {
      const result = await exec();
      begun = result.commandId;
      if (result.completed) this.#forget(timer);
      return result;
    } catch (error) {
      this.#forget(timer);
      throw error;
    }
  }

  /** Adds to what is told of a terminal that it was ended. */
  ofTerminal(detail: TerminalDetail): TerminalDetail {
    const timeLimitMs = this.#ended.get(detail.id);
    return timeLimitMs === undefined ? detail : { ...detail, timeLimitMs };
  }

  /** Adds to what is told of a command that it was ended. */
  ofCommand(result: CommandResult): CommandResult {
    const timeLimitMs = this.#ended.get(keyOf(result.terminalId, result.commandId));
    return timeLimitMs === undefined ? result : { ...result, timeLimitMs };
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  async #endCommand(id: string, begun: number | undefined, ms: number): Promise<void> {
    const commandId = begun ?? (await this.#manager.commands(id, { limit: 1 })).at(-1)?.commandId;
    if (commandId === undefined || (await this.#manager.command(id, commandId)).state === 'completed') return;
    this.#remember(keyOf(id, commandId), ms);
    await this.#manager.interrupt(id, commandId);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#hasEnded(id, commandId)) return;
      await this.#manager.signal(id, { signal });
    }
  }

  async #hasEnded(id: string, commandId: number): Promise<boolean> {
    const request = { timeoutMs: STEP_MS, untilInput: false, maxLines: 1 };
    return (await this.#manager.collect(id, commandId, request)).completed;
  }

  #after(ms: number, end: () => Promise<void>): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      end().catch((error: unknown) => this.#log('warn', 'A time limit could not be kept', { problem: String(error) }));
    }, ms);
    this.#timers.add(timer.unref());
    return timer;
  }

  #forget(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#timers.delete(timer);
  }

  #remember(key: string, ms: number): void {
    this.#log('warn', 'The time limit of the policy ends it', { of: key, timeLimitMs: ms });
    this.#ended.set(key, ms);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MAX_REMEMBERED) this.#ended.delete(oldest!);
  }
}

function keyOf(terminalId: string, commandId: number): string {
  return `${terminalId}, command ${commandId}`;
}
