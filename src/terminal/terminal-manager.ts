/** Creates, finds, limits, expires and ends the terminals of this process. */
import { randomUUID } from 'node:crypto';
import { check, checkedOptions } from '../check.js';
import { caller, callerOf, type Caller } from '../contract/caller.js';
import { commandNumber } from '../contract/command.js';
import type { TerminalManager } from '../contract/manager.js';
import { CallDispatchingManager, METHODS } from '../contract/methods.js';
import type { MethodCall, CheckedCall, ManagerMethod, MethodName, MethodResult } from '../contract/methods.js';
import { currentOf } from '../contract/name.js';
import { MAX_SEARCH_MS } from '../contract/search.js';
import { DEFAULT_COLS, DEFAULT_ROWS, terminalId } from '../contract/terminal.js';
import type { TerminalLabels } from '../contract/labels.js';
import type { CreateTerminal, EndRequest, TerminalDetail, TerminalSummary } from '../contract/terminal.js';
import { makeDirectory } from '../directory.js';
import { createsNoTerminals } from '../errors.js';
import type { ManagerHandOff } from './terminal-hand-off.js';
import { userName } from '../user-name.js';
import type { BaseTerminal } from './base-terminal.js';
import { enforceDiskLimits } from './disk-limits.js';
import { SHUTDOWN, type EndCause } from './ending.js';
import { Expiry } from './expiry.js';
import { resolveLaunch } from '../launch/launch.js';
import { checkNameFree } from './identity.js';
import { checkGone } from '../processes/kill.js';
import type { RequestingProcess } from '../launch/launch.js';
import { likeTerminal } from '../launch/like-terminal.js';
import { checkTerminalLimit, checkWaitingReads } from './manager-limits.js';
import { summaryOf } from './manager-summary.js';
import { bufferBytesFor, DEFAULT_ENGINE_OPTIONS, ownSettings } from '../contract/options.js';
import type { EngineOptions } from '../contract/options.js';
import { integrate } from '../shell/launch.js';
import { PortsByTerminal } from '../processes/listening-ports.js';
import { notFound } from './not-found.js';
import { overviewOf } from './overview.js';
import { subscribe } from './subscription.js';
import { EventLog } from './watch/event-log.js';
import { LogWatch } from './watch/log-watch.js';
import type { PtyExit } from '../pty/pty.js';
import type { Terminal } from './terminal.js';
import type { TerminalChange } from './terminal-changes.js';
import type { TerminalEvents } from './terminal-start.js';
import { trackOf } from './track-of.js';
import type { PastTerminal } from './past-terminal.js';

/** Interval between checks of the limits on total size and age on disk. */
const SWEEP_EVERY_MS = 30_000;

type Held = Terminal | PastTerminal;

/** The process on whose behalf a request is made, whose environment and directory apply; default: this process. */
interface OnBehalf {
  readonly asker?: RequestingProcess | undefined;
}

/** The caller, which is always known here. */
interface Made {
  readonly by: Caller;
}

type Answers = {
  readonly [Name in MethodName]: (
    terminal: (typeof METHODS)[Name]['of'] extends 'manager' ? null : Held,
    call: CheckedCall<Name> & OnBehalf & Made,
  ) => MethodResult<Name> | Promise<MethodResult<Name>>;
};

/** Holds terminals in this process. Their programs end with it; their history remains if there is a `historyDir`. */
export class LocalTerminalManager extends CallDispatchingManager implements TerminalManager {
  readonly #options: EngineOptions;
  readonly #terminals = new Map<string, Held>();
  readonly #expiry = new Expiry({
    terminals: () => this.#all(),
    end: (terminal, ending) => this.#expire(terminal, ending),
    forget: (terminal) => this.#forget(terminal),
  });
  #sweepTimer: NodeJS.Timeout | undefined;
  /** Set during and after a hand-off. */
  #onProgramEnded: ((id: string, exit: PtyExit) => void) | null = null;
  readonly #ports = new PortsByTerminal(() => this.#all().map(({ processes }) => processes));
  readonly #totals = { createdTotal: 0, outputBytesTotal: 0, inputBytesTotal: 0 };
  #shutdown: Promise<void> | undefined;
  readonly #events = new EventLog();

  /**
   * @param given - Limits and other settings; missing ones have their defaults.
   * @throws `INVALID_INPUT` for an unknown option, or one of the wrong type.
   */
  constructor(given: Partial<EngineOptions> = {}) {
    super();
    const options = checkedOptions(given, DEFAULT_ENGINE_OPTIONS);
    const maxBufferLines = options.maxBufferLines ?? DEFAULT_ENGINE_OPTIONS.maxBufferLines;
    this.#options = { ...DEFAULT_ENGINE_OPTIONS, maxBufferBytes: bufferBytesFor(maxBufferLines), ...options };
  }

  /**
   * Finds the terminals that an earlier process left in `historyDir`. Call before any other method; does nothing
   * without a `historyDir`.
   */
  async recover(): Promise<void> {
    const { historyDir } = this.#options;
    if (historyDir === null) return;
    makeDirectory(historyDir);
    const { readPastTerminals } = await import('./past-terminal.js');
    for (const terminal of readPastTerminals(historyDir, this.#options)) this.#terminals.set(terminal.id, terminal);
    this.#dropOldestExited();
    this.#sweepTimer = setInterval(() => void this.#enforceDiskLimits(), SWEEP_EVERY_MS).unref();
  }

  async #create(
    requested: CreateTerminal,
    { asker, key, by: createdBy }: OnBehalf & Made & { key?: string | undefined },
  ): Promise<TerminalDetail> {
    const { cols = DEFAULT_COLS, rows = DEFAULT_ROWS, ...request } = this.#likeModel(requested);
    // Loading the emulator takes longer than everything else; a server without terminals starts without it.
    const { Terminal } = await import('./terminal.js');
    const id = key === undefined ? randomUUID() : check('', terminalId, key);
    const known = this.#terminals.get(id);
    if (known !== undefined) return known.detail();
    this.#checkNameFree(request.name);
    this.#checkTerminalLimit();
    const settings: EngineOptions = { ...this.#options, ...asker?.settings, ...ownSettings(request) };
    const { defaultShell, maxEnvBytes, withheldEnv, placeEnv } = settings;
    const launch = resolveLaunch(request, { defaultShell, maxEnvBytes, withheldEnv, placeEnv, terminalId: id, asker });
    const shellIntegration = request.integration ?? settings.shellIntegration;
    const integration = integrate(launch, id, { ...settings, shellIntegration });
    const { name = null, labels = {}, timeLimitMs = null, endsWithCommand = false } = request;
    const start = { launch, integration, name, labels, timeLimitMs, endsWithCommand, createdBy };
    const terminal = Terminal.start(id, start, { cols, rows }, settings, this.#eventsOf(id));
    this.#terminals.set(id, terminal);
    this.#onChange({ type: 'created', terminalId: id, terminal: terminal.summary() });
    this.#expiry.watch(terminal);
    await terminal.saved();
    this.#totals.createdTotal++;
    const { pid } = terminal;
    this.#options.log('info', 'Terminal created', { terminalId: id, pid, shell: launch.file, cwd: launch.cwd });
    return terminal.detail();
  }

  #eventsOf(id: string): TerminalEvents {
    return {
      onOutput: (bytes) => (this.#totals.outputBytesTotal += bytes),
      onChange: (change) => this.#onChange(change),
      onExit: (exit) => {
        const { reason, setting } = this.#terminals.get(id)?.endedBy ?? {};
        this.#options.log('info', 'Program ended', { terminalId: id, ...exit, reason, setting });
        this.#expiry.onEnded(id);
        this.#onProgramEnded?.(id, exit);
        this.#dropOldestExited();
      },
    };
  }

  /**
   * Whether anything would be lost if this process ended: a running program, or history that exists only in memory.
   *
   * @internal
   */
  get isNeeded(): boolean {
    return this.#all().some(({ isActive, isStored }) => isActive || !isStored);
  }

  async call({ method, id = '', argument, ...options }: MethodCall & OnBehalf): Promise<unknown> {
    const { of, argument: schema, needsHold = false }: ManagerMethod = METHODS[method];
    const terminal = of === 'manager' ? null : this.#find(id, method);
    const commandId = of === 'command' ? check('', commandNumber, { commandId: options.commandId }).commandId : 0;
    const checked = schema === undefined ? argument : check('', schema, argument);
    this.#checkWaitingReads(method, checked);
    terminal?.hold.check(options.hold, needsHold);
    const by = options.by === undefined ? callerOf('library', userName()) : check('', caller, options.by);
    const answer = this.#answers[method] as (terminal: Held | null, call: unknown) => unknown;
    return answer(terminal, { ...options, by, commandId, argument: checked });
  }

  /** Handlers by method; handlers of methods for all terminals do not use the first argument. */
  readonly #answers: Answers = {
    create: (_all, { argument, ...options }) => this.#create(argument, options),
    list: (_all, { argument }) =>
      this.#all()
        .filter((one) => one.fits(argument))
        .map((one) => one.summary()),
    summary: () => summaryOf(this.#all(), this.#totals),
    get: (terminal) => terminal.detail(),
    update: async (terminal, { argument }) => {
      if (terminal.isActive) this.#checkNameFree(argument.name, terminal.id);
      const { id: terminalId, labels } = terminal;
      await terminal.update(argument);
      this.#onChange({ type: 'changed', terminalId, terminal: terminal.summary() }, labels);
      return terminal.detail();
    },
    write: (terminal, { argument, ...options }) => this.#typed(terminal, terminal.write(argument, options)),
    answer: async (terminal, { argument, by }) => this.#typed(terminal, await terminal.answer(argument, by)),
    read: (terminal, { argument, signal }) => terminal.read(argument, signal),
    wait: (terminal, { argument, signal }) => terminal.wait(argument, signal),
    search: (terminal, { argument, signal }) => terminal.search(argument, signal),
    stats: (terminal) => terminal.stats(),
    track: (terminal, { argument }) => trackOf(terminal, argument),
    screen: (terminal, { argument }) => terminal.screen(argument),
    snapshot: (terminal) => terminal.snapshot(),
    subscribe: (terminal, { argument, viewer }) => subscribe(terminal, argument as number | undefined, viewer),
    resize: (terminal, { argument }) => terminal.resize(argument),
    control: (terminal, { argument, hold, by }) => {
      if (!terminal.isActive) throw terminal.inactive();
      const { name = by.name } = argument;
      return terminal.hold.control({ ...argument, name }, hold);
    },
    drawn: (terminal, { argument }) => terminal.hold.drawn(argument, terminal.outputEnd),
    signal: async (terminal, { argument: { signal, target } }) => {
      await terminal.signal(signal, target);
      this.#options.log('info', 'Signal sent', { terminalId: terminal.id, signal, target });
    },
    clear: (terminal) => terminal.clear(),
    kill: (terminal, { argument }) => this.#kill(terminal, argument),
    remove: async (terminal, { argument }) => {
      await this.#kill(terminal, argument);
      this.#forget(terminal);
      this.#options.log('info', 'Terminal removed', { terminalId: terminal.id });
    },
    exec: ({ commands }, { argument, ...options }) => commands.exec(argument, options),
    integrate: ({ commands }, { argument, signal }) => commands.integrate(argument, signal),
    commands: ({ commands }, { argument }) => commands.list(argument),
    command: ({ commands }, { commandId }) => commands.record(commandId),
    collect: ({ commands }, { commandId, argument, signal }) => commands.collect(commandId, argument, signal),
    readCommand: ({ commands }, { commandId, argument, signal }) => commands.read(commandId, argument, signal),
    interrupt: ({ commands }, { commandId }) => commands.interrupt(commandId),
    watch: (_all, { argument }) => new LogWatch(this.#events, (id) => this.#terminals.get(id), argument),
    overview: (_all, { argument }) => overviewOf(this.#all(), argument, this.#ports),
  };

  /** Logs that something has been typed, but not what. */
  #typed({ id: terminalId }: Held, bytes: number): void {
    this.#totals.inputBytesTotal += bytes;
    this.#options.log('debug', 'Input sent', { terminalId, bytes });
  }

  #onChange(change: TerminalChange, ...before: readonly TerminalLabels[]): void {
    const terminal = this.#terminals.get(change.terminalId);
    if (terminal === undefined) return;
    this.#events.add(change, { status: terminal.status, labels: [terminal.labels, ...before] });
  }

  #all(): Held[] {
    return [...this.#terminals.values()];
  }

  async #kill(terminal: Held, { signal, graceMs = this.#options.killGraceMs, reason }: EndRequest): Promise<void> {
    checkGone(terminal.id, await terminal.kill(signal, graceMs, { reason }));
  }

  /**
   * Suspends all terminals with a running program and returns what another process needs to take them over; the other
   * process must inherit the descriptors. Afterwards, call either `takeBack`, or `letGo` once the other process has
   * them.
   *
   * @param onProgramEnded - Called from now on for each program that ends: this process stays their parent.
   * @internal
   */
  async handOver(onProgramEnded: (id: string, exit: PtyExit) => void): Promise<ManagerHandOff> {
    this.#onProgramEnded = onProgramEnded;
    const terminals = this.#open().map((terminal) => terminal.handOver());
    // All programs have been suspended by now.
    this.#events.holdBack();
    return { terminals: await Promise.all(terminals), events: this.#events.state };
  }

  /** Undoes `handOver`. @internal */
  takeBack(): void {
    this.#onProgramEnded = null;
    this.#events.release();
    for (const terminal of this.#open()) terminal.takeBack();
  }

  /** Releases everything, but stays the parent of the running programs; returns how many there are. @internal */
  async letGo(): Promise<number> {
    this.#expiry.close();
    clearInterval(this.#sweepTimer);
    const open = this.#open();
    for (const terminal of open) terminal.letGo();
    const rest = this.#all().filter((terminal) => !open.includes(terminal as Terminal));
    await Promise.all(rest.map((terminal) => terminal.close()));
    this.#terminals.clear();
    return open.filter((terminal) => terminal.exit === null).length;
  }

  /** Takes over what another process has handed over. Call after `recover`. @internal */
  async takeOver({ terminals, events }: ManagerHandOff): Promise<void> {
    const { Terminal } = await import('./terminal.js');
    if (events !== undefined) this.#events.resume(events);
    for (const one of terminals) {
      const { id } = one.identity;
      const terminal = Terminal.resume(one, this.#options, this.#eventsOf(id));
      this.#terminals.set(id, terminal);
      this.#expiry.watch(terminal);
    }
  }

  /** Reports how the program of a terminal that was taken over has ended. @internal */
  programEnded(id: string, exit: PtyExit): void {
    const terminal = this.#terminals.get(id);
    if (terminal !== undefined && 'programEnded' in terminal) terminal.programEnded(exit);
    else if (terminal === undefined) this.#onProgramEnded?.(id, exit);
  }

  /** Returns the terminals that have a descriptor. */
  #open(): Terminal[] {
    return this.#all().filter((terminal): terminal is Terminal => 'handOver' in terminal && !terminal.isOver);
  }

  close(): Promise<void> {
    return this.shutdown();
  }

  shutdown(graceMs = this.#options.killGraceMs): Promise<void> {
    if (this.#shutdown === undefined || graceMs === 0) this.#shutdown = this.#endAll(graceMs);
    return this.#shutdown;
  }

  async #endAll(graceMs: number): Promise<void> {
    this.#expiry.close();
    clearInterval(this.#sweepTimer);
    const terminals = this.#all();
    const left = await Promise.all(terminals.map((terminal) => terminal.kill('SIGTERM', graceMs, SHUTDOWN)));
    await Promise.all(terminals.map((terminal) => terminal.close()));
    this.#terminals.clear();
    this.#events.close();
    if (left.flat().length > 0) this.#options.log('warn', 'Some processes did not end', { pids: left.flat() });
  }

  /** Fills the missing fields of a request from the terminal named in `like`. */
  #likeModel({ like, ...request }: CreateTerminal): Omit<CreateTerminal, 'like'> {
    if (like === undefined) return request;
    return likeTerminal(request, this.#find(like, 'get').detail());
  }

  #named(name: string): TerminalSummary[] {
    return this.#all()
      .filter((one) => one.name === name)
      .map((one) => one.summary());
  }

  #checkNameFree(name: string | null | undefined, id?: string): void {
    if (typeof name === 'string') checkNameFree(name, this.#named(name), id);
  }

  /** Returns a terminal by its id; only `get` also accepts a name. */
  #find(id: string, method: MethodName): Held {
    const isName = method === 'get' && !this.#terminals.has(id);
    const terminal = this.#terminals.get(isName ? (currentOf(this.#named(id))?.id ?? id) : id);
    if (terminal !== undefined) return terminal;
    throw notFound(id, this.#named(id).length > 0);
  }

  #checkTerminalLimit(): void {
    if (this.#shutdown !== undefined) throw createsNoTerminals();
    checkTerminalLimit(this.#all(), this.#options);
  }

  #forget(terminal: BaseTerminal): void {
    terminal.remove();
    this.#onChange({ type: 'removed', terminalId: terminal.id });
    this.#terminals.delete(terminal.id);
  }

  #enforceDiskLimits(): Promise<void> {
    return enforceDiskLimits(this.#all(), this.#options, (terminal) => this.#forget(terminal));
  }

  /** Drops the oldest ended terminals: they stay readable, but only a limited number of them. */
  #dropOldestExited(): void {
    const exited = this.#all().filter((terminal) => !terminal.isActive);
    exited.sort((a, b) => a.endedAt! - b.endedAt!);
    for (const terminal of exited.slice(0, Math.max(0, exited.length - this.#options.maxExitedTerminals))) {
      this.#options.log('info', 'Ended terminal removed: too many', { terminalId: terminal.id });
      this.#forget(terminal);
    }
  }

  #expire(terminal: Terminal, ending: EndCause): void {
    const { id } = terminal;
    this.#options.log('info', 'Terminal expired', { terminalId: id, ...ending });
    const ended = terminal.kill('SIGTERM', this.#options.killGraceMs, ending).then((left) => checkGone(id, left));
    ended.catch((error: unknown) => {
      this.#options.log('error', 'Expired terminal could not be ended', { terminalId: id, error });
    });
  }

  #checkWaitingReads(method: MethodName, checked: unknown): void {
    if (waitMsOf(method, checked) > 0) checkWaitingReads(this.#all(), this.#options);
  }
}

/** Returns how long a call may wait. */
function waitMsOf(method: MethodName, argument: unknown): number {
  if (method === 'search') return MAX_SEARCH_MS;
  if (!('waitMs' in METHODS[method])) return 0;
  const { timeoutMs, detach = false } = argument as { readonly timeoutMs: number; readonly detach?: boolean };
  return detach ? 0 : timeoutMs;
}
