/**
 * Implements what all terminals have in common, whether their program is running or ended long ago: identity, history
 * and screen.
 */
import { monotonicMs } from '../clock.js';
import type { LastCommand } from '../contract/command-state.js';
import type { WaitRequest, WaitResult } from '../contract/command.js';
import type { EndedBy } from '../contract/ending.js';
import type { TerminalLabels } from '../contract/labels.js';
import type {
  OutputPage,
  ReadRequest,
  ScreenFormat,
  TerminalScreen,
  TerminalSnapshot,
  TerminalStats,
} from '../contract/output.js';
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
import type { Question } from '../contract/waiting.js';
import { skipLost } from '../history/spans.js';
import type { HistoryView } from '../history/view.js';
import type { CommandLog } from '../shell/command-log.js';
import type { HistoryFiles } from '../store/history-files.js';
import { Commands } from '../shell/commands.js';
import type { CommandTerminal } from '../shell/command-terminal.js';
import { endedByOf, type EndCause, type ProgramExit } from './ending.js';
import type { ForegroundProcess } from '../processes/foreground.js';
import { Hold } from './hold.js';
import { withChanges, matchesFilter, type Identity } from './identity.js';
import type { ShellStack } from '../shell/shell-stack.js';
import { killTree } from '../processes/kill.js';
import type { EngineOptions } from '../contract/options.js';
import type { TerminalProcesses } from '../processes/process-tree.js';
import { TerminalError } from '../errors.js';
import { OffsetMarks } from '../transcript/marks.js';
import type { ReadableTranscript } from '../transcript/readable-transcript.js';
import { lastLinesOf, type LastLines } from './last-lines.js';
import type { Notice } from './notices.js';
import { Presence } from './presence.js';
import { lineAtCursor } from './questions/prompt.js';
import { Questions } from './questions/questions.js';
import { statsOf } from './terminal-stats.js';
import { withTimeLimit } from '../wait/time-limit.js';
import { waitTarget } from './wait-for-terminal.js';
import { readNow, untilNews } from './waiting-read.js';
import { Waiters } from '../wait/waiters.js';

/** In milliseconds; 0 and null mean no limit. */
export type Timeouts = Pick<
  EngineOptions,
  'sessionTimeoutMs' | 'runningTimeoutMs' | 'connectionTimeoutMs' | 'connectionEnds'
> &
  Pick<Identity, 'timeLimitMs'>;

export abstract class BaseTerminal implements CommandTerminal {
  #identity: Identity;
  protected readonly options: EngineOptions;
  protected readonly waiters = new Waiters();
  readonly resizes = new OffsetMarks<TerminalSize>();
  /** What subscribers receive besides output and size changes. */
  readonly notices = new OffsetMarks<Notice>();
  readonly hold = new Hold((holder) => this.notice(this.outputEnd, { type: 'control', holder }));
  /** The viewers that are watching it through live connections. */
  readonly presence = new Presence((shown) => this.notice(this.outputEnd, { type: 'presence', ...shown }));
  /** The questions that its program asks. */
  protected readonly questions = new Questions(this, (notice) => this.notice(this.outputEnd, notice));
  /** Runs its commands and reports their state. */
  readonly commands = new Commands(this);
  /** Number of open subscriptions. */
  viewers = 0;
  /** Whether another process has taken over the terminal. Nothing more happens here, but the terminal has not ended. */
  isHandedOff = false;
  /** Why it is being or has been ended, if not by its program. */
  ending: EndCause | null = null;
  #lastActivity: number;
  #touchedAt: number;
  #lastRequestAt = monotonicMs();
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
  /** How the program ended; null while it is running. Exit code and signal are null if unknown. */
  abstract get exit(): ProgramExit | null;
  /** When the program ended or was last known to be running, in milliseconds since the epoch; null if it still is. */
  abstract get endedAt(): number | null;
  /** Whether all output has arrived. */
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
  abstract get shell(): ShellStack | null;
  /** Returns the error for a terminal that no longer accepts input. */
  abstract inactive(): TerminalError;
  abstract get transcript(): ReadableTranscript;
  abstract get foreground(): ForegroundProcess | null;
  /** Directory of the program, or the one last seen; null if the system does not report it. */
  protected abstract get cwd(): string | null;
  /** What callers see about typed input: never the text. */
  protected abstract get inputs(): Pick<TerminalDetail, 'inputCount' | 'recentInputs' | 'lastTypedBy'>;
  /** Identifies its processes, even if the program's pid has been reused. */
  abstract get processes(): TerminalProcesses;

  /** Releases everything except the files on disk. Waiting readers get what is available. */
  abstract close(): Promise<void>;
  /** Releases everything and deletes the files on disk. */
  abstract remove(): void;
  /** Resolves when all state so far is on disk; if the disk does not accept it, resolves soon anyway. */
  abstract saved(): Promise<void>;
  /** Clears the history so far. */
  abstract clear(): void;

  /** The question that its program is asking, or null. */
  get waiting(): Question | null {
    return this.questions.current;
  }

  protected get identity(): Identity {
    return this.#identity;
  }

  get name(): string | null {
    return this.#identity.name;
  }

  get labels(): TerminalLabels {
    return this.#identity.labels;
  }

  get id(): string {
    return this.#identity.id;
  }

  get created(): number {
    return this.#identity.created;
  }

  get endsWithCommand(): boolean {
    return this.#identity.endsWithCommand === true;
  }

  get isActive(): boolean {
    return this.status === 'active';
  }

  /** When it last received input, produced output, was read or was resized, in milliseconds since the epoch. */
  get lastActivity(): number {
    return this.#lastActivity;
  }

  /** The time of its last activity on the monotonic clock. */
  get touchedAt(): number {
    return this.#touchedAt;
  }

  /** When a caller last made a request for it, on the monotonic clock. */
  get lastRequestAt(): number {
    return this.#lastRequestAt;
  }

  /** How long it may be quiet, and how long it may run. */
  get timeouts(): Timeouts {
    return { ...this.options, timeLimitMs: this.#identity.timeLimitMs };
  }

  get endedBy(): EndedBy | null {
    return this.endedAt === null ? null : endedByOf(this.exit!, this.endedAt, this.ending);
  }

  /** The last command as lists show it; reads nothing from disk. */
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

  /** Returns the offset of the first readable byte at or after `offset`, or the end of the output if there is none. */
  readableFrom(offset: number): number {
    return skipLost(this.files?.lostOutput ?? [], Math.max(offset, this.outputStart));
  }

  get size(): { cols: number; rows: number } {
    return this.transcript.size;
  }

  get title(): string {
    return this.transcript.title;
  }

  /** Returns the last lines, or the screen of a full-screen program, for pages about many terminals. */
  lastLines(): LastLines {
    return lastLinesOf(this.transcript);
  }

  /** Returns the line at the cursor, as shown. */
  cursorLine(): string {
    return lineAtCursor(this.transcript.screen('text'));
  }

  get isFullScreen(): boolean {
    return this.transcript.screen('text').alternate;
  }

  summary(): TerminalSummary {
    const { id, file, startCwd, created, name, labels, createdBy = null } = this.#identity;
    const times = { created: isoTime(created), lastActivity: isoTime(this.#lastActivity) };
    const { exitCode = null, signal = null } = this.exit ?? {};
    const end = { exitCode, signal, endedBy: this.endedBy };
    const first = { id, pid: this.pid, shell: file, cwd: this.cwd, ...times, status: this.status };
    return { ...first, startCwd, ...end, name, labels: { ...labels }, lastCommand: this.lastCommand, createdBy };
  }

  /** Returns whether it has the requested name and labels. */
  fits(request: ListTerminals): boolean {
    return matchesFilter(this.#identity, request);
  }

  /** @throws `INVALID_INPUT` if it would have too many labels. */
  async update(change: UpdateTerminal): Promise<void> {
    this.#identity = withChanges(this.#identity, change);
    await this.saved();
  }

  detail(): TerminalDetail {
    const { total, outputEnd } = this.transcript.view();
    return {
      ...this.summary(),
      args: [...this.#identity.args],
      ...this.size,
      title: this.title,
      ended: this.endedAt === null ? null : isoTime(this.endedAt),
      timeLimitMs: this.#identity.timeLimitMs,
      history: this.isStored ? 'disk' : 'memory',
      integrated: this.shell !== null,
      viewers: this.viewers,
      holder: this.hold.holder,
      foreground: this.foreground,
      totalLines: total,
      totalBytes: outputEnd,
      ...this.inputs,
    };
  }

  /**
   * Reads a page; first waits for new output if requested. If the terminal is removed, readers get what is available.
   */
  async read(request: ReadRequest, signal?: AbortSignal): Promise<OutputPage> {
    this.touch();
    const view = (): HistoryView => this.transcript.view();
    if (request.timeoutMs > 0) {
      this.#waitingReads++;
      const wait = (end: AbortSignal): Promise<void> => untilNews(this, view, request, end);
      await withTimeLimit(request.timeoutMs, signal, wait).finally(() => this.#waitingReads--);
    }
    const { page, isActive, exit } = await readNow(this, view, request);
    const { exitCode = null, signal: endSignal = null } = exit ?? {};
    return { ...page, isActive, exitCode, signal: endSignal };
  }

  /**
   * Waits for an event; see `TerminalManager.wait`.
   *
   * @throws `HOST_LOST` if another process takes over the terminal in the meantime.
   */
  wait(request: WaitRequest, signal?: AbortSignal): Promise<WaitResult> {
    const requested = { ...request, fromOffset: request.fromOffset ?? this.outputEnd };
    // Imported on demand: loads a regular expression engine, which takes time.
    return this.#waiting(async () => {
      const { waitFor } = await import('../wait/wait-for.js');
      return waitFor(waitTarget(this, this.processes), requested, signal);
    });
  }

  /**
   * Searches the history or the output of a command; see `TerminalManager.search`.
   *
   * @throws `HOST_LOST` if another process takes over the terminal in the meantime.
   */
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchResult> {
    const { commandId } = request;
    const look = (): HistoryView | Promise<HistoryView> =>
      commandId === undefined ? this.transcript.view() : this.commands.view(commandId);
    return this.#waiting(async () => (await import('../wait/search.js')).search(look, request, signal));
  }

  async #waiting<Result>(work: () => Promise<Result>): Promise<Result> {
    this.touch();
    this.#waitingReads++;
    const result = await work().finally(() => this.#waitingReads--);
    if (!this.isHandedOff) return result;
    const { id: terminalId } = this;
    throw new TerminalError('HOST_LOST', `Terminal ${terminalId} was handed to another host process`, { terminalId });
  }

  stats(): TerminalStats {
    return statsOf(this, this.transcript.view(), this.options);
  }

  screen(format: ScreenFormat): TerminalScreen {
    this.touch();
    return this.transcript.screen(format);
  }

  /** Notifies subscribers. */
  protected notice(offset: number, notice: Notice): void {
    this.notices.add(offset, notice);
    this.waiters.wake();
  }

  /** Returns the screen and the output offset that it reflects, for new subscribers. */
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

  /**
   * Ends every process of the terminal and waits until they have exited. Returns the pids of processes that did not
   * exit.
   */
  async kill(signal: SignalName, graceMs: number, ending: EndCause): Promise<number[]> {
    // Reads the directory one last time, because a terminal that is created with `like` starts in it.
    void this.cwd;
    if (this.isActive) this.ending ??= ending;
    const left = await killTree(this.processes, { signal, graceMs });
    // The processes have exited; the program's exit is reported a moment later.
    while (left.length === 0 && this.isActive) await this.waiters.next();
    if (this.isActive) this.ending = null;
    return left;
  }

  protected touch(isRequest = true): void {
    this.#lastActivity = Date.now();
    this.#touchedAt = monotonicMs();
    if (isRequest) this.#lastRequestAt = this.#touchedAt;
  }
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
