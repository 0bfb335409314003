/**
 * Ends terminals whose time is up: idle shells, programs that have been quiet for too long (if configured), and
 * terminals that have reached their time limit. Also removes ended terminals that exist in memory only. Uses the
 * monotonic clock.
 */
import { monotonicMs } from '../clock.js';
import type { EndCause } from './ending.js';
import { HAS_PROCESS_TABLE, takeSnapshot } from '../processes/process-table.js';
import { membersOf } from '../processes/process-tree.js';
import { oneCommandIsOver } from '../shell/one-command.js';
import type { PastTerminal } from './past-terminal.js';
import type { Terminal } from './terminal.js';

/** Interval between checks for quiet terminals; at least four checks within the shortest timeout. */
const MAX_CHECK_MS = 5 * 60_000;
const MIN_CHECK_MS = 50;
/** The longest delay that a timer accepts. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface ExpiryActions {
  terminals(): readonly (Terminal | PastTerminal)[];
  /** Ends a running terminal. */
  end(terminal: Terminal, ending: EndCause): void;
  /** Removes an ended terminal. */
  forget(terminal: Terminal | PastTerminal): void;
}

export class Expiry {
  readonly #acts: ExpiryActions;
  readonly #limits = new Map<string, NodeJS.Timeout>();
  #timer: NodeJS.Timeout | undefined;
  #everyMs = Infinity;
  #isClosed = false;

  constructor(acts: ExpiryActions) {
    this.#acts = acts;
  }

  /** Watches a terminal from now on. */
  watch(terminal: Terminal): void {
    const { sessionTimeoutMs, runningTimeoutMs, connectionTimeoutMs, timeLimitMs } = terminal.timeouts;
    if (timeLimitMs !== null) this.#scheduleLimit(terminal, timeLimitMs);
    if (terminal.endsWithCommand) void this.#endAfterCommand(terminal);
    const times = [sessionTimeoutMs, runningTimeoutMs, connectionTimeoutMs];
    for (const timeoutMs of times) if (timeoutMs > 0) this.#checkWithin(timeoutMs / 4);
  }

  /** Call when a program has ended, for whatever reason. */
  onEnded(id: string): void {
    clearTimeout(this.#limits.get(id));
    this.#limits.delete(id);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const id of this.#limits.keys()) this.onEnded(id);
  }

  async #endAfterCommand(terminal: Terminal): Promise<void> {
    const isOver = await oneCommandIsOver(terminal);
    if (isOver && !this.#isClosed) this.#acts.end(terminal, { reason: 'command' });
  }

  #scheduleLimit(terminal: Terminal, timeLimitMs: number): void {
    const leftMs = terminal.startedAt + timeLimitMs - monotonicMs();
    const act = (): void => {
      if (leftMs > MAX_TIMER_MS) return this.#scheduleLimit(terminal, timeLimitMs);
      if (terminal.isActive) this.#acts.end(terminal, { reason: 'time_limit', setting: 'timeLimitMs' });
    };
    this.#limits.set(terminal.id, setTimeout(act, Math.min(Math.max(leftMs, 1), MAX_TIMER_MS)).unref());
  }

  /** Checks as often as the shortest timeout requires. */
  #checkWithin(wantedMs: number): void {
    const everyMs = Math.min(Math.max(wantedMs, MIN_CHECK_MS), MAX_CHECK_MS);
    if (everyMs >= this.#everyMs) return;
    this.#everyMs = everyMs;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => void this.#sweep(), everyMs).unref();
  }

  async #sweep(): Promise<void> {
    for (const terminal of this.#acts.terminals()) {
      if (!isQuiet(terminal)) continue;
      if (!('startedAt' in terminal) || !terminal.isActive) this.#acts.forget(terminal);
      else await this.#endIfQuiet(terminal);
    }
  }

  async #endIfQuiet(terminal: Terminal): Promise<void> {
    const isIdle = await isIdleShell(terminal);
    const ending = dueEnding(terminal, isIdle);
    if (!this.#isClosed && terminal.isActive && ending !== null) this.#acts.end(terminal, ending);
  }
}

/**
 * Returns whether a shell is at an empty prompt and no other process is running in its terminal. False if that is
 * unknown: without shell integration, or if the system does not list processes.
 */
async function isIdleShell(terminal: Terminal): Promise<boolean> {
  if (!HAS_PROCESS_TABLE || !isAtPrompt(terminal)) return false;
  const members = membersOf(await takeSnapshot(), terminal.processes);
  return members.length === 1 && members[0]!.pid === terminal.pid && isAtPrompt(terminal);
}

function isAtPrompt({ shell }: Terminal): boolean {
  return shell !== null && shell.inner === null && shell.state === 'prompt';
}

/** Returns the reason to end the terminal now; null if there is none. */
function dueEnding(terminal: Terminal, isIdle: boolean): EndCause | null {
  const { sessionTimeoutMs, runningTimeoutMs, connectionEnds } = terminal.timeouts;
  if ((isIdle || connectionEnds === 'all') && isLeft(terminal)) return { reason: 'connection_closed' };
  if (isIdle && isQuietFor(terminal, sessionTimeoutMs))
    return { reason: 'session_timeout', setting: 'TENACITTY_SESSION_TIMEOUT' };
  if (isIdle || !isQuietFor(terminal, runningTimeoutMs)) return null;
  return { reason: 'running_timeout', setting: 'TENACITTY_RUNNING_TIMEOUT' };
}

/**
 * Returns whether a terminal is quiet. This is cheap to check, and only a quiet terminal needs the expensive check.
 * Ended terminals on disk are never quiet, because they have an age limit of their own.
 */
function isQuiet(terminal: Terminal | PastTerminal): boolean {
  const { sessionTimeoutMs, runningTimeoutMs } = terminal.timeouts;
  if (!terminal.isActive) return !terminal.isStored && isQuietFor(terminal, sessionTimeoutMs);
  return isLeft(terminal) || isQuietFor(terminal, sessionTimeoutMs) || isQuietFor(terminal, runningTimeoutMs);
}

/** Returns whether its client has disconnected. Output does not count as client activity. */
function isLeft(terminal: Terminal | PastTerminal): boolean {
  return isUnwatchedSince(terminal, terminal.lastRequestAt, terminal.timeouts.connectionTimeoutMs);
}

function isQuietFor(terminal: Terminal | PastTerminal, timeoutMs: number): boolean {
  return isUnwatchedSince(terminal, terminal.touchedAt, timeoutMs);
}

/** @param timeoutMs - 0 means no timeout. */
function isUnwatchedSince(terminal: Terminal | PastTerminal, sinceMs: number, timeoutMs: number): boolean {
  const isWatched = terminal.viewers > 0 || terminal.waitingReads > 0;
  return timeoutMs > 0 && !isWatched && monotonicMs() - sinceMs >= timeoutMs;
}
