/**
 * Ends commands that exceed their time limit, step by step, and records which ones it ended. The engine enforces limits
 * on whole terminals. A command that outlives this process is not ended.
 */
import { monotonicMs } from '../../clock.js';
import type { CommandRecord, CommandResult } from '../../contract/command.js';
import type { TerminalManager } from '../../contract/manager.js';
import type { EngineLog } from '../../contract/options.js';

/** How long a command can take to end after Ctrl-C before SIGTERM follows, and after SIGTERM before SIGKILL follows. */
const STEP_MS = 2000;
const MAX_REMEMBERED = 1000;

/** A command that is ended when it has run for `ms`. */
interface CommandWatch {
  readonly id: string;
  readonly ms: number;
  /** Time of the request, by the monotonic clock. */
  readonly askedAt: number;
  /** Null while unknown. */
  commandId: number | null;
  timer: NodeJS.Timeout | null;
  isOver: boolean;
}

export class TimeLimits {
  readonly #manager: TerminalManager;
  readonly #log: EngineLog;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** The limits that ended commands, by terminal and command. */
  readonly #ended = new Map<string, number>();

  constructor(manager: TerminalManager, log: EngineLog) {
    this.#manager = manager;
    this.#log = log;
  }

  /** Runs a command with `exec`, and ends it when its time is up, even if no caller is waiting for it any more. */
  async limitCommand(id: string, ms: number, exec: () => Promise<CommandResult>): Promise<CommandResult> {
    const watch: CommandWatch = { id, ms, askedAt: monotonicMs(), commandId: null, timer: null, isOver: false };
    this.#scheduleCheck(watch, ms);
    try {
      const result = await exec();
      watch.commandId = result.commandId;
      if (result.completed) this.#end(watch);
      return result;
    } catch (error) {
      this.#end(watch);
      throw error;
    }
  }

  /** Adds the time limit to the result if the limit ended the command. */
  ofCommand(result: CommandResult): CommandResult {
    const timeLimitMs = this.#ended.get(keyOf(result.terminalId, result.commandId));
    return timeLimitMs === undefined ? result : { ...result, timeLimitMs };
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Checks a command after a delay, and again later if it has not started yet or has time left. */
  #scheduleCheck(watch: CommandWatch, afterMs: number): void {
    watch.timer = this.#after(afterMs, async () => {
      const record = await this.#recordOf(watch);
      if (watch.isOver) return;
      const restMs = record === null ? STEP_MS : watch.ms - runningMs(record, watch.askedAt);
      if (restMs > 0) this.#scheduleCheck(watch, restMs);
      else if (record?.state !== 'completed') await this.#endCommand(watch, record!.commandId);
    });
  }

  /**
   * Returns the record of the command. While its number is unknown, returns the terminal's last command if that has not
   * completed: at most one command runs at a time.
   */
  async #recordOf({ id, commandId }: CommandWatch): Promise<CommandRecord | null> {
    if (commandId !== null) return this.#manager.command(id, commandId);
    const last = (await this.#manager.commands(id, { limit: 1 })).at(-1);
    return last === undefined || last.state === 'completed' ? null : last;
  }

  async #endCommand({ id, ms }: CommandWatch, commandId: number): Promise<void> {
    this.#remember(keyOf(id, commandId), ms);
    await this.#manager.interrupt(id, commandId);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#hasEnded(id, commandId)) return;
      await this.#manager.signal(id, { signal });
    }
  }

  #end(watch: CommandWatch): void {
    watch.isOver = true;
    if (watch.timer === null) return;
    clearTimeout(watch.timer);
    this.#timers.delete(watch.timer);
  }

  async #hasEnded(id: string, commandId: number): Promise<boolean> {
    const request = { timeoutMs: STEP_MS, untilInput: false, maxLines: 1 };
    return (await this.#manager.collect(id, commandId, request)).completed;
  }

  #after(ms: number, end: () => Promise<void>): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      end().catch((error: unknown) =>
        this.#log('warn', 'A time limit could not be enforced', { problem: String(error) }),
      );
    }, ms);
    this.#timers.add(timer.unref());
    return timer;
  }

  #remember(key: string, ms: number): void {
    this.#log('warn', 'A program is ended by the time limit of the policy', { of: key, timeLimitMs: ms });
    this.#ended.set(key, ms);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MAX_REMEMBERED) this.#ended.delete(oldest!);
  }
}

/**
 * Returns how long a command has been running by the time of day, but never longer than since the request. If the clock
 * has been set back to before the command started, returns the time since the request.
 */
function runningMs({ started }: CommandRecord, askedAt: number): number {
  const [sinceStart, sinceAsked] = [Date.now() - Date.parse(started), monotonicMs() - askedAt];
  return sinceStart < 0 ? sinceAsked : Math.min(sinceStart, sinceAsked);
}

function keyOf(terminalId: string, commandId: number): string {
  return `${terminalId}, command ${commandId}`;
}
