/**
 * What all terminals have in common, whether their program runs or ended long ago: identity, history and screen. Does
 * not depend on pseudo-terminals, other terminals or API layers.
 */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { monotonicMs } from '../clock.js';
import type { LastCommand } from '../contract/command-state.js';
import type { WaitRequest, WaitResult } from '../contract/command.js';
import type { EndedBy } from '../contract/ending.js';
import type { OutputPage, ReadRequest, TerminalScreen, TerminalSnapshot, TerminalStats } from '../contract/output.js';
import type { SearchRequest, SearchResult } from '../contract/search.js';
import type {
  ListTerminals,
  SignalName,
  TerminalDetail,
  TerminalSize,
  TerminalStatus,
  TerminalSummary,
  UpdateTerminal,
} from '../contract/terminal.js';
import { hasNews, readPage, readPageInTurns } from '../history/page.js';
import { behindLost } from '../history/spans.js';
import type { HistoryPage, HistoryView } from '../history/view.js';
import type { CommandLog } from '../shell/command-log.js';
import type { HistoryFiles } from '../store/history-files.js';
import { Commands } from '../shell/commands.js';
import type { CommandTerminal } from '../shell/command-terminal.js';
import { endedByOf } from './ending.js';
import type { Ending, Exit } from './ending.js';
import type { ForegroundProcess } from '../processes/foreground.js';
import { Hold } from './hold.js';
import { changed, fits } from './identity.js';
import type { Identity } from './identity.js';
import type { IntegratedShell } from '../shell/integrated-shell.js';
import { killTree } from '../processes/kill.js';
import type { EngineOptions } from '../contract/options.js';
import { inTurns } from '../transcript/page-turns.js';
import type { TerminalProcesses } from '../processes/process-tree.js';
import { TerminalError } from '../errors.js';
import { Marks } from '../transcript/marks.js';
import type { ReadableTranscript } from '../transcript/readable-transcript.js';
import type { Notice } from './notices.js';
import { statsOf } from './terminal-stats.js';
import { withTimeLimit } from '../wait/time-limit.js';
import { waitedFor } from './wait-for-terminal.js';
import { Waiters } from '../wait/waiters.js';

/** In milliseconds; 0 and null mean no limit. */
export type Timeouts = Pick<
  EngineOptions,
  'sessionTimeoutMs' | 'runningTimeoutMs' | 'connectionTimeoutMs' | 'connectionEnds'
> &
  Pick<Identity, 'timeLimitMs'>;

/** Minimum time between two checks of a waiting reader. */
const LOOK_INTERVAL_MS = 10;
/** Maximum number of attempts at a long read whose lines are dropped meanwhile. */
const MAX_LOOKS = 4;

export abstract class HeldTerminal implements CommandTerminal {
  #identity: Identity;
  protected readonly options: EngineOptions;
  protected readonly waiters = new Waiters();
  readonly resizes = new Marks<TerminalSize>();
  /** Commands that began or ended, and holders. */
  readonly notices = new Marks<Notice>();
  readonly hold = new Hold((holder) => this.notice(this.outputEnd, { type: 'control', holder }));
  /** The commands that run in it. */
  readonly commands = new Commands(this);
  /** Number of open subscriptions. */
  viewers = 0;
  /** Whether another process has taken the terminal over: nothing follows here, but the terminal has not ended. */
  isElsewhere = false;
  /** Why it is being ended or was ended, if not by its program. */
  ending: Ending | null = null;
  #lastActivity: number;
  #touchedAt: number;
  #askedAt = monotonicMs();
  #waitingReads = 0;

  /** @param touchedAt - When it was last active, on the monotonic clock. */
  constructor(identity: Identity, options: EngineOptions, lastActivity: number, touchedAt = monotonicMs()) {
    this.#identity = identity;
    this.options = options;
    this.#lastActivity = lastActivity;
    this.#touchedAt = touchedAt;
  }

  abstract get pid(): number;
  abstract get status(): TerminalStatus;
  /** How the program ended; null while it runs. Exit code and signal are null if unknown. */
  abstract get exit(): Exit | null;
  /** When the program ended or was last known to run, in milliseconds since the epoch; null while it runs. */
  abstract get endedAt(): number | null;
  /** Whether no output can follow any more. */
  abstract get isOver(): boolean;
  /** Files of the history; null if it is not saved. */
  abstract get files(): HistoryFiles | null;
  /** Whether such files exist; does not require opening them. */
  get isStored(): boolean {
    return this.files !== null;
  }

  /** Size on disk in bytes. */
  get diskBytes(): number {
    return this.files?.bytes ?? 0;
  }

  /** When the oldest data on disk was written, in milliseconds since the epoch; null if there is none. */
  get oldestSegmentTime(): number | null {
    return this.files?.oldestSegmentTime ?? null;
  }

  /** Why the history is currently not saved; null if it is. */
  abstract get problem(): string | null;
  abstract get log(): CommandLog;
  /** The integrated shell, or null. */
  abstract get shell(): IntegratedShell | null;
  /** Returns the error that says that the terminal takes no more input. */
  abstract inactive(): TerminalError;
  protected abstract get transcript(): ReadableTranscript;
  protected abstract get foreground(): ForegroundProcess | null;
  /** Directory of the program, or the one last seen; null if the system does not report it. */
  protected abstract get cwd(): string | null;
  protected abstract get inputCount(): number;
  protected abstract get recentInputs(): TerminalDetail['recentInputs'];
  /** Identifies its processes, even if the program's pid has been reused. */
  abstract get processes(): TerminalProcesses;

  /** Releases everything except the files on disk. Waiting readers get what there is. */
  abstract close(): Promise<void>;
  /** Releases everything and deletes the files on disk. */
  abstract remove(): void;
  /** Resolves when all known state is on disk; resolves soon even if the disk does not accept it. */
  abstract saved(): Promise<void>;
  /** Clears the history so far. */
  abstract clear(): void;

  protected get identity(): Identity {
    return this.#identity;
  }

  get name(): string | null {
    return this.#identity.name;
  }

  get id(): string {
    return this.#identity.id;
  }

  get created(): number {
    return this.#identity.created;
  }

  get isActive(): boolean {
    return this.status === 'active';
  }

  /** When it last took input, produced output, was read or resized: milliseconds since the epoch. */
  get lastActivity(): number {
    return this.#lastActivity;
  }

  /** On the monotonic clock. */
  get touchedAt(): number {
    return this.#touchedAt;
  }

  /** When a caller last made a request for it, on the monotonic clock. */
  get askedAt(): number {
    return this.#askedAt;
  }

  /** How long it may be quiet, and how long it may run. */
  get timeouts(): Timeouts {
    return { ...this.options, timeLimitMs: this.#identity.timeLimitMs };
  }

  get endedBy(): EndedBy | null {
    return this.endedAt === null ? null : endedByOf(this.exit!, this.endedAt, this.ending);
  }

  /** What lists show of it; reads nothing from disk. */
  protected get lastCommand(): LastCommand | null {
    return this.commands.last;
  }

  get heldBytes(): number {
    return this.transcript.heldBytes;
  }

  get waitingReads(): number {
    return this.#waitingReads + this.commands.waiting;
  }

  /** Offset after the newest byte of output. */
  get outputEnd(): number {
    return this.transcript.end;
  }

  get outputStart(): number {
    return this.transcript.start;
  }

  /** Returns the offset of the first readable byte at or after `offset`; the end if there is none. */
  readableFrom(offset: number): number {
    return behindLost(this.files?.lostOutput ?? [], Math.max(offset, this.outputStart));
  }

  get size(): { cols: number; rows: number } {
    return this.transcript.size;
  }

  get isFullScreen(): boolean {
    return this.transcript.screen('text').alternate;
  }

  summary(): TerminalSummary {
    const { id, file, startCwd, created, name, labels } = this.#identity;
    const times = { created: isoTime(created), lastActivity: isoTime(this.#lastActivity) };
    const { exitCode = null, signal = null } = this.exit ?? {};
    const end = { exitCode, signal, endedBy: this.endedBy };
    const first = { id, pid: this.pid, shell: file, cwd: this.cwd, ...times, status: this.status };
    return { ...first, startCwd, ...end, name, labels: { ...labels }, lastCommand: this.lastCommand };
  }

  /** Whether it has the requested name and labels. */
  fits(request: ListTerminals): boolean {
    return fits(this.#identity, request);
  }

  /** @throws `INVALID_INPUT` if it would have too many labels. */
  async update(change: UpdateTerminal): Promise<void> {
    this.#identity = changed(this.#identity, change);
    await this.saved();
  }

  detail(): TerminalDetail {
    const { total, outputEnd } = this.transcript.view();
    return {
      ...this.summary(),
      args: [...this.#identity.args],
      ...this.transcript.size,
      title: this.transcript.title,
      ended: this.endedAt === null ? null : isoTime(this.endedAt),
      timeLimitMs: this.#identity.timeLimitMs,
      history: this.isStored ? 'disk' : 'memory',
      integrated: this.shell !== null,
      viewers: this.viewers,
      holder: this.hold.holder,
      foreground: this.foreground,
      totalLines: total,
      totalBytes: outputEnd,
      inputCount: this.inputCount,
      recentInputs: this.recentInputs,
    };
  }

  /** Reads a page; first waits for news if requested. If the terminal is removed, readers get what there is. */
  async read(request: ReadRequest, signal?: AbortSignal): Promise<OutputPage> {
    this.touch();
    if (request.timeoutMs > 0) {
      this.#waitingReads++;
      const wait = (end: AbortSignal): Promise<void> => this.#waitForNews(request, end);
      await withTimeLimit(request.timeoutMs, signal, wait).finally(() => this.#waitingReads--);
    }
    const { page, isActive, exit } = await this.#lookAt(request);
    const { exitCode = null, signal: endSignal = null } = exit ?? {};
    return { ...page, isActive, exitCode, signal: endSignal };
  }

  /**
   * Returns a page with the state at the time it was made. A long page is assembled in steps, with other work in
   * between.
   */
  async #lookAt(request: ReadRequest): Promise<{ page: HistoryPage; isActive: boolean; exit: HeldTerminal['exit'] }> {
    for (let attempt = 1; ; attempt++) {
      const { isActive, exit } = this;
      const view = this.transcript.view();
      // If lines are dropped as fast as they are read, the last attempt assembles the page in one step, and other work
      // waits.
      const page =
        attempt === MAX_LOOKS ? readPage(view, request) : await inTurns((turn) => readPageInTurns(view, request, turn));
      if (page !== null) return { page, isActive, exit };
    }
  }

  /**
   * Waits for an event; see `TerminalManager.wait`.
   *
   * @throws `HOST_LOST` if another process takes the terminal over meanwhile.
   */
  async wait(request: WaitRequest, signal?: AbortSignal): Promise<WaitResult> {
    this.touch();
    this.#waitingReads++;
    const asked = { ...request, fromOffset: request.fromOffset ?? this.outputEnd };
    // Imported on demand: loads a regular expression engine, which takes time.
    const waited = await import('../wait/wait-for.js')
      .then(({ waitFor }) => waitFor(waitedFor(this, this.processes), asked, signal))
      .finally(() => this.#waitingReads--);
    if (!this.isElsewhere) return waited;
    throw this.#handedOver();
  }

  /**
   * Searches the history or the output of a command; see `TerminalManager.search`.
   *
   * @throws `HOST_LOST` if another process takes the terminal over meanwhile.
   */
  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchResult> {
    this.touch();
    this.#waitingReads++;
    const { commandId } = request;
    const look = (): HistoryView | Promise<HistoryView> =>
      commandId === undefined ? this.transcript.view() : this.commands.view(commandId);
    const found = await import('../wait/search.js')
      .then(({ search }) => search(look, request, signal))
      .finally(() => this.#waitingReads--);
    if (this.isElsewhere) throw this.#handedOver();
    return found;
  }

  #handedOver(): TerminalError {
    return new TerminalError('HOST_LOST', `Terminal ${this.id} was handed to another host process`, {
      terminalId: this.id,
    });
  }

  stats(): TerminalStats {
    return statsOf(this, this.transcript.view(), this.options);
  }

  screen(format: 'text' | 'ansi'): TerminalScreen {
    this.touch();
    return this.transcript.screen(format);
  }

  /** Tells subscribers. */
  protected notice(offset: number, notice: Notice): void {
    this.notices.add(offset, notice);
    this.waiters.wake();
  }

  /** For new subscribers: the screen, and the output offset that it reflects. */
  snapshot(): TerminalSnapshot {
    this.touch();
    return this.transcript.snapshot();
  }

  /** Returns a copy of the held output starting at `from`, at most `maxBytes`. */
  bytesFrom(from: number, maxBytes: number): Uint8Array {
    return this.transcript.copy(from, from + maxBytes);
  }

  /** Resolves when something has happened, or when `signal` aborts. */
  nextChange(signal?: AbortSignal): Promise<void> {
    return this.waiters.next(signal);
  }

  /** Ends every process of the terminal and waits until they are gone. Returns the pids that did not end. */
  async kill(signal: SignalName, graceMs: number, ending: Ending): Promise<number[]> {
    // Reads the directory once more while it is possible: a terminal created like this one starts in that directory.
    void this.cwd;
    if (this.isActive) this.ending ??= ending;
    const left = await killTree(this.processes, { signal, graceMs });
    // The processes are gone; the exit of the program is reported a moment later.
    while (left.length === 0 && this.isActive) await this.waiters.next();
    if (this.isActive) this.ending = null;
    return left;
  }

  protected touch(isAsked = true): void {
    this.#lastActivity = Date.now();
    this.#touchedAt = monotonicMs();
    if (isAsked) this.#askedAt = this.#touchedAt;
  }

  /** Returns when a read would return something new, when the program ends, or when time is up. */
  async #waitForNews(request: ReadRequest, end: AbortSignal): Promise<void> {
    const wasActive = this.isActive;
    const from = this.outputEnd;
    const isDone = (): boolean =>
      this.isOver ||
      end.aborted ||
      wasActive !== this.isActive ||
      hasNews(this.transcript.view(), request, this.outputEnd > from);
    // A caller that reads in a loop must not block the event loop, however much there is to read.
    await nextTurn();
    while (!isDone()) {
      await this.waiters.next(end);
      if (isDone()) return;
      // When much output arrives that is no news, checking at every chunk would cost more than taking it in.
      await delay(LOOK_INTERVAL_MS, undefined, { signal: end }).catch(() => undefined);
    }
  }
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
