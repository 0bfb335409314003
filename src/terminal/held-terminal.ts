/**
 * What any terminal that is held can be asked, whether its program runs or is long gone: who it is, and what its
 * history and screen say. It knows no pseudo-terminal, no other terminal and no door.
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
import { changed, fits } from './identity.js';
import type { Identity } from './identity.js';
import type { IntegratedShell } from '../shell/integrated-shell.js';
import { killTree } from '../processes/kill.js';
import type { EngineOptions } from '../contract/options.js';
import { inTurns } from '../transcript/page-turns.js';
import type { TerminalProcesses } from '../processes/process-tree.js';
import { TerminalError } from '../errors.js';
import type { Resize } from '../transcript/resizes.js';
import { Resizes } from '../transcript/resizes.js';
import type { ReadableTranscript } from '../transcript/readable-transcript.js';
import { statsOf } from './terminal-stats.js';
import { withTimeLimit } from '../wait/time-limit.js';
import { waitedFor } from './wait-for-terminal.js';
import { Waiters } from '../wait/waiters.js';

/** In milliseconds; 0 and null: for ever. */
export type Timeouts = Pick<
  EngineOptions,
  'sessionTimeoutMs' | 'runningTimeoutMs' | 'connectionTimeoutMs' | 'connectionEnds'
> &
  Pick<Identity, 'timeLimitMs'>;

/** A waiting reader looks again after this time at the earliest. */
const LOOK_INTERVAL_MS = 10;
/** A long read whose lines are dropped meanwhile is begun anew, so many times in all. */
const MAX_LOOKS = 4;

export abstract class HeldTerminal implements CommandTerminal {
  #identity: Identity;
  protected readonly options: EngineOptions;
  protected readonly waiters = new Waiters();
  protected readonly resizes = new Resizes();
  /** What is run in it. */
  readonly commands = new Commands(this);
  /** Open subscriptions. */
  viewers = 0;
  /** Whether another process goes on with it: nothing follows here, but that is no end. */
  isElsewhere = false;
  /** Who ends it, or has ended it, beside its program. */
  ending: Ending | null = null;
  #lastActivity: number;
  #touchedAt: number;
  #askedAt = monotonicMs();
  #waitingReads = 0;

  /** @param touchedAt - When it was active last, by the clock of durations. */
  constructor(identity: Identity, options: EngineOptions, lastActivity: number, touchedAt = monotonicMs()) {
    this.#identity = identity;
    this.options = options;
    this.#lastActivity = lastActivity;
    this.#touchedAt = touchedAt;
  }

  abstract get pid(): number;
  abstract get status(): TerminalStatus;
  /** How the program ended; null while it runs. Code and signal are null where that is not known. */
  abstract get exit(): Exit | null;
  /** When the program ended, or was last heard of: milliseconds since the epoch; null while it runs. */
  abstract get endedAt(): number | null;
  /** Whether nothing can ever follow. */
  abstract get isOver(): boolean;
  /** Where the history is saved, or null. */
  abstract get files(): HistoryFiles | null;
  /** Whether there are such files; they need not be opened for that. */
  get isStored(): boolean {
    return this.files !== null;
  }

  /** Bytes on disk. */
  get diskBytes(): number {
    return this.files?.bytes ?? 0;
  }

  /** When the oldest of what is on disk was written: milliseconds since the epoch, or null. */
  get oldestSegmentTime(): number | null {
    return this.files?.oldestSegmentTime ?? null;
  }

  /** Why it is not saved at present, or null. */
  abstract get problem(): string | null;
  abstract get log(): CommandLog;
  /** The shell that is followed, or null. */
  abstract get shell(): IntegratedShell | null;
  /** That it takes nothing any more, in words. */
  abstract inactive(): TerminalError;
  protected abstract get transcript(): ReadableTranscript;
  protected abstract get foreground(): ForegroundProcess | null;
  /** Where the program is, or was seen last; null where the system does not tell. */
  protected abstract get cwd(): string | null;
  protected abstract get inputCount(): number;
  protected abstract get recentInputs(): TerminalDetail['recentInputs'];
  /** By what its processes are known, even when the program's own number is another's by now. */
  abstract get processes(): TerminalProcesses;

  /** Gives everything up but what is on disk. Waiting readers get what there is. */
  abstract close(): Promise<void>;
  /** Gives everything up and forgets it, on disk as well. */
  abstract remove(): void;
  /** Resolves when what is known of it is on disk; soon, also where the disk does not take it. */
  abstract saved(): Promise<void>;
  /** Forgets the history so far. */
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

  /** When it last took input, gave output, was read or resized: milliseconds since the epoch. */
  get lastActivity(): number {
    return this.#lastActivity;
  }

  /** By the clock of durations. */
  get touchedAt(): number {
    return this.#touchedAt;
  }

  /** When somebody last wanted something of it, by the clock of durations. */
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

  /** What lists tell of it; nothing is read from disk for that. */
  protected get lastCommand(): LastCommand | null {
    return this.commands.last;
  }

  get heldBytes(): number {
    return this.transcript.heldBytes;
  }

  get waitingReads(): number {
    return this.#waitingReads + this.commands.waiting;
  }

  /** Offset behind the newest byte of output. */
  get outputEnd(): number {
    return this.transcript.end;
  }

  get outputStart(): number {
    return this.transcript.start;
  }

  /** The first byte from `offset` on that can be read; the end if none can. */
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

  /** Whether it has the name and the labels asked for. */
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
      foreground: this.foreground,
      totalLines: total,
      totalBytes: outputEnd,
      inputCount: this.inputCount,
      recentInputs: this.recentInputs,
    };
  }

  /** Reads a page; waits for something new first if asked to. A removed terminal's readers get what there is. */
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

  /** What was so when the page was looked at; a long one is put together in turns with everything else. */
  async #lookAt(request: ReadRequest): Promise<{ page: HistoryPage; isActive: boolean; exit: HeldTerminal['exit'] }> {
    for (let attempt = 1; ; attempt++) {
      const { isActive, exit } = this;
      const view = this.transcript.view();
      // Where lines go as fast as they are read, the others have to wait.
      const page =
        attempt === MAX_LOOKS ? readPage(view, request) : await inTurns((turn) => readPageInTurns(view, request, turn));
      if (page !== null) return { page, isActive, exit };
    }
  }

  /**
   * Waits for something to happen; see `TerminalManager.wait`.
   *
   * @throws `HOST_LOST` if another process goes on with the terminal meanwhile.
   */
  async wait(request: WaitRequest, signal?: AbortSignal): Promise<WaitResult> {
    this.touch();
    this.#waitingReads++;
    const asked = { ...request, fromOffset: request.fromOffset ?? this.outputEnd };
    // Brings an engine for expressions along, which takes its time to load.
    const waited = await import('../wait/wait-for.js')
      .then(({ waitFor }) => waitFor(waitedFor(this, this.processes), asked, signal))
      .finally(() => this.#waitingReads--);
    if (!this.isElsewhere) return waited;
    throw this.#handedOver();
  }

  /**
   * Looks through the history, or through what a command has printed; see `TerminalManager.search`.
   *
   * @throws `HOST_LOST` if another process goes on with the terminal meanwhile.
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
    return new TerminalError('HOST_LOST', `Terminal ${this.id} was handed to another host`, { terminalId: this.id });
  }

  stats(): TerminalStats {
    return statsOf(this, this.transcript.view(), this.options);
  }

  screen(format: 'text' | 'ansi'): TerminalScreen {
    this.touch();
    return this.transcript.screen(format);
  }

  /** For a newcomer: what was shown after so much of the output. */
  snapshot(): TerminalSnapshot {
    this.touch();
    return this.transcript.snapshot();
  }

  /** Number of the last resize before `offset`; of the last so far if that is undefined. */
  resizesBefore(offset: number | undefined): number {
    return this.resizes.before(offset);
  }

  resizeAfter(number: number): Resize | null {
    return this.resizes.after(number);
  }

  /** A copy of the output from `from` on, as much as is held, up to `maxBytes`. */
  bytesFrom(from: number, maxBytes: number): Uint8Array {
    return this.transcript.copy(from, from + maxBytes);
  }

  /** Resolves when something has happened, or when `signal` aborts. */
  nextChange(signal?: AbortSignal): Promise<void> {
    return this.waiters.next(signal);
  }

  /** Ends every process of the terminal and waits until they are gone; returns the pids that would not go. */
  async kill(signal: SignalName, graceMs: number, ending: Ending): Promise<number[]> {
    // Seen once more while it can be: where its program was is where one like it begins.
    void this.cwd;
    if (this.isActive) this.ending ??= ending;
    const left = await killTree(this.processes, { signal, graceMs });
    // The processes are gone; that the program was waited for is told a moment later.
    while (left.length === 0 && this.isActive) await this.waiters.next();
    if (this.isActive) this.ending = null;
    return left;
  }

  protected touch(isAsked = true): void {
    this.#lastActivity = Date.now();
    this.#touchedAt = monotonicMs();
    if (isAsked) this.#askedAt = this.#touchedAt;
  }

  /** Returns when a read would give something new, when the program ends, or when time is up. */
  async #waitForNews(request: ReadRequest, end: AbortSignal): Promise<void> {
    const wasActive = this.isActive;
    const from = this.outputEnd;
    const isDone = (): boolean =>
      this.isOver ||
      end.aborted ||
      wasActive !== this.isActive ||
      hasNews(this.transcript.view(), request, this.outputEnd > from);
    // A caller that reads in a loop must leave the loop of events its turn, however much there is to read.
    await nextTurn();
    while (!isDone()) {
      await this.waiters.next(end);
      if (isDone()) return;
      // Under a flood of what is no news, looking at every chunk would cost more than taking it in.
      await delay(LOOK_INTERVAL_MS, undefined, { signal: end }).catch(() => undefined);
    }
  }
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
