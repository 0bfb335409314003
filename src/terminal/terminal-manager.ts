/**
 * Who exists: creates, finds, limits, expires and ends the terminals of this process. It knows no door and
 * nothing of what goes on inside a terminal.
 */
import { randomUUID } from 'node:crypto';
import { check } from '../check.js';
import {
  collectCommand,
  commandNumber,
  execCommand,
  integrateShell,
  listCommands,
  waitFor,
} from '../contract/command.js';
import type {
  CollectCommand,
  CommandRecord,
  CommandResult,
  ExecCommand,
  IntegrateShell,
  ListCommands,
  ShellWithin,
  WaitFor,
  WaitResult,
} from '../contract/command.js';
import type { ExecOptions } from '../contract/manager.js';
import type { ManagerSummary, OnceOptions, Subscription, TerminalManager, WaitOptions } from '../contract/manager.js';
import { currentOf } from '../contract/name.js';
import { readOutput, screenFormat } from '../contract/output.js';
import type { OutputPage, ReadOutput, TerminalScreen, TerminalSnapshot, TerminalStats } from '../contract/output.js';
import { MAX_SEARCH_MS, searchOutput } from '../contract/search.js';
import type { SearchOutput, SearchResult } from '../contract/search.js';
import {
  createTerminal,
  DEFAULT_COLS,
  DEFAULT_ROWS,
  endTerminal,
  listTerminals,
  sendSignal,
  terminalId,
  terminalInput,
  terminalSize,
  updateTerminal,
} from '../contract/terminal.js';
import type {
  CreateTerminal,
  KillTerminal,
  ListTerminals,
  SendSignal,
  TerminalDetail,
  TerminalInput,
  TerminalSize,
  TerminalSummary,
  UpdateTerminal,
} from '../contract/terminal.js';
import { makeDirectory } from '../directory.js';
import { TerminalError } from '../errors.js';
import type { HandedTerminal } from './handed-terminal.js';
import type { HeldTerminal } from './held-terminal.js';
import { holdToBounds } from './disk-bounds.js';
import { SHUTDOWN, type Ending } from './ending.js';
import { Expiry } from './expiry.js';
import { resolveLaunch } from './launch.js';
import { checkNameFree } from './identity.js';
import { checkGone } from './kill.js';
import type { Asker } from './launch.js';
import { asModel } from './like.js';
import { checkRoom, checkWaitingReads } from './manager-limits.js';
import { summaryOf } from './manager-summary.js';
import { bufferBytesFor, DEFAULT_ENGINE_OPTIONS, ownSettings } from './options.js';
import type { EngineOptions } from './options.js';
import { integrate } from './shell-launch.js';
import { subscribe } from './subscription.js';
import type { PtyExit } from './pty.js';
import type { Terminal, TerminalEvents } from './terminal.js';
import type { PastTerminal } from './past-terminal.js';

/** The bounds of what is on disk, in all and by age, are looked after this often. */
const SWEEP_EVERY_MS = 30_000;

/** Keeps terminals in this process. Their programs end with it; their history stays where there is a `historyDir`. */
export class LocalTerminalManager implements TerminalManager {
  readonly #options: EngineOptions;
  readonly #terminals = new Map<string, Terminal | PastTerminal>();
  readonly #expiry = new Expiry({
    terminals: () => [...this.#terminals.values()],
    end: (terminal, ending) => this.#expire(terminal, ending),
    forget: (terminal) => this.#forget(terminal),
  });
  #sweepTimer: NodeJS.Timeout | undefined;
  /** While terminals are being handed over, and after. */
  #onProgramEnded: ((id: string, exit: PtyExit) => void) | null = null;
  #createdTotal = 0;
  #outputBytesTotal = 0;
  #inputBytesTotal = 0;
  #shutdown: Promise<void> | undefined;

  /** @param options - Limits and the like; what is left out has the default. */
  constructor(options: Partial<EngineOptions> = {}) {
    const maxBufferLines = options.maxBufferLines ?? DEFAULT_ENGINE_OPTIONS.maxBufferLines;
    this.#options = { ...DEFAULT_ENGINE_OPTIONS, maxBufferBytes: bufferBytesFor(maxBufferLines), ...options };
  }

  /**
   * Finds the terminals that an earlier process left in `historyDir`. To be called before anything else is asked;
   * does nothing without a `historyDir`.
   */
  async recover(): Promise<void> {
    const { historyDir } = this.#options;
    if (historyDir === null) return;
    makeDirectory(historyDir);
    const { readPastTerminals } = await import('./past-terminal.js');
    for (const terminal of readPastTerminals(historyDir, this.#options)) this.#terminals.set(terminal.id, terminal);
    this.#dropOldestExited();
    this.#sweepTimer = setInterval(() => void this.#holdToBounds(), SWEEP_EVERY_MS).unref();
  }

  /**
   * @param options - As `TerminalManager.create`.
   * @param asker - The process on whose behalf, whose environment and directory count; default: this one.
   */
  async create(
    options: CreateTerminal = {},
    { asker, key }: OnceOptions & { readonly asker?: Asker | undefined } = {},
  ): Promise<TerminalDetail> {
    const checked = check('', createTerminal, options);
    const { cols = DEFAULT_COLS, rows = DEFAULT_ROWS, ...request } = this.#asModel(checked);
    // The emulator takes longer to load than all else; a server without terminals starts without it.
    const { Terminal } = await import('./terminal.js');
    const id = key === undefined ? randomUUID() : check('', terminalId, key);
    if (this.#terminals.has(id)) return this.get(id);
    this.#checkNameFree(request.name);
    this.#checkRoom();
    const settings: EngineOptions = { ...this.#options, ...asker?.settings, ...ownSettings(request) };
    const { defaultShell, maxEnvBytes, withheldEnv, placeEnv } = settings;
    const launch = resolveLaunch(request, { defaultShell, maxEnvBytes, withheldEnv, placeEnv, terminalId: id, asker });
    const shellIntegration = request.integration ?? settings.shellIntegration;
    const integration = integrate(launch, id, { ...settings, shellIntegration });
    const { name = null, labels = {}, timeLimitMs = null, endsWithCommand = false } = request;
    const start = { launch, integration, name, labels, timeLimitMs, endsWithCommand };
    const terminal = Terminal.start(id, start, { cols, rows }, settings, this.#eventsOf(id));
    this.#terminals.set(id, terminal);
    this.#expiry.watch(terminal);
    await terminal.saved();
    this.#createdTotal++;
    const { pid } = terminal;
    this.#options.log('info', 'Terminal created', { terminalId: id, pid, shell: launch.file, cwd: launch.cwd });
    return terminal.detail();
  }

  #eventsOf(id: string): TerminalEvents {
    return {
      onOutput: (bytes) => (this.#outputBytesTotal += bytes),
      onExit: (exit) => {
        const { reason, setting } = this.#terminals.get(id)?.endedBy ?? {};
        this.#options.log('info', 'Program ended', { terminalId: id, ...exit, reason, setting });
        this.#expiry.over(id);
        this.#onProgramEnded?.(id, exit);
        this.#dropOldestExited();
      },
    };
  }

  /** Whether something would be gone with this process: a program that runs, or history that is nowhere else. */
  get isNeeded(): boolean {
    return [...this.#terminals.values()].some(({ isActive, isStored }) => isActive || !isStored);
  }

  async list(request: ListTerminals = {}): Promise<TerminalSummary[]> {
    const checked = check('', listTerminals, request);
    return [...this.#terminals.values()].filter((one) => one.fits(checked)).map((one) => one.summary());
  }

  async get(idOrName: string): Promise<TerminalDetail> {
    return this.#findNamed(idOrName).detail();
  }

  async update(id: string, change: UpdateTerminal): Promise<TerminalDetail> {
    const terminal = this.#find(id);
    const checked = check('', updateTerminal, change);
    if (terminal.isActive) this.#checkNameFree(checked.name, id);
    await terminal.update(checked);
    return terminal.detail();
  }

  async write(id: string, input: TerminalInput, { key }: OnceOptions = {}): Promise<void> {
    const bytes = this.#find(id).write(check('', terminalInput, input), key);
    this.#inputBytesTotal += bytes;
    this.#options.log('debug', 'Input sent', { terminalId: id, bytes });
  }

  async read(id: string, request: ReadOutput = {}, { signal }: WaitOptions = {}): Promise<OutputPage> {
    const terminal = this.#find(id);
    const checked = check('', readOutput, request);
    this.#checkWaitingReads(checked.timeoutMs);
    return terminal.read(checked, signal);
  }

  async wait(id: string, request: WaitFor = {}, { signal }: WaitOptions = {}): Promise<WaitResult> {
    const terminal = this.#find(id);
    const checked = check('', waitFor, request);
    this.#checkWaitingReads(checked.timeoutMs);
    return terminal.wait(checked, signal);
  }

  async search(id: string, request: SearchOutput, { signal }: WaitOptions = {}): Promise<SearchResult> {
    const terminal = this.#find(id);
    const checked = check('', searchOutput, request);
    this.#checkWaitingReads(MAX_SEARCH_MS);
    return terminal.search(checked, signal);
  }

  async stats(id: string): Promise<TerminalStats> {
    return this.#find(id).stats();
  }

  async screen(id: string, format: 'text' | 'ansi' = 'text'): Promise<TerminalScreen> {
    return this.#find(id).screen(check('', screenFormat, format));
  }

  async snapshot(id: string): Promise<TerminalSnapshot> {
    return this.#find(id).snapshot();
  }

  async resize(id: string, size: TerminalSize): Promise<void> {
    const terminal = this.#find(id);
    const { cols, rows } = check('', terminalSize, size);
    terminal.resize(cols, rows);
  }

  async signal(id: string, request: SendSignal): Promise<void> {
    const terminal = this.#find(id);
    const { signal, target } = check('', sendSignal, request);
    await terminal.signal(signal, target);
    this.#options.log('info', 'Signal sent', { terminalId: id, signal, target });
  }

  async clear(id: string): Promise<void> {
    this.#find(id).clear();
  }

  async kill(id: string, request: KillTerminal = {}): Promise<void> {
    const terminal = this.#find(id);
    const { signal, graceMs = this.#options.killGraceMs, reason } = check('', endTerminal, request);
    checkGone(id, await terminal.kill(signal, graceMs, { reason }));
  }

  async remove(id: string, request: KillTerminal = {}): Promise<void> {
    const terminal = this.#find(id);
    await this.kill(id, request);
    this.#forget(terminal);
    this.#options.log('info', 'Terminal removed', { terminalId: id });
  }

  async subscribe(id: string, fromOffset?: number): Promise<Subscription> {
    return subscribe(this.#find(id), fromOffset);
  }

  async exec(id: string, request: ExecCommand, options: ExecOptions = {}): Promise<CommandResult> {
    const [{ commands }, checked] = [this.#find(id), check('', execCommand, request)];
    this.#checkWaitingReads(checked.detach ? 0 : checked.timeoutMs);
    return commands.exec(checked, options);
  }

  async collect(
    id: string,
    commandId: number,
    request: CollectCommand = {},
    { signal }: WaitOptions = {},
  ): Promise<CommandResult> {
    const { commands } = this.#find(id);
    const [number, checked] = [numbered(commandId), check('', collectCommand, request)];
    this.#checkWaitingReads(checked.timeoutMs);
    return commands.collect(number, checked, signal);
  }

  async integrate(id: string, request: IntegrateShell = {}, { signal }: WaitOptions = {}): Promise<ShellWithin> {
    const terminal = this.#find(id);
    const checked = check('', integrateShell, request);
    this.#checkWaitingReads(checked.timeoutMs);
    return terminal.commands.integrate(checked, signal);
  }

  async interrupt(id: string, commandId: number): Promise<boolean> {
    return this.#find(id).commands.interrupt(numbered(commandId));
  }

  async commands(id: string, request: ListCommands = {}): Promise<CommandRecord[]> {
    return this.#find(id).commands.list(check('', listCommands, request));
  }

  async command(id: string, commandId: number): Promise<CommandRecord> {
    return this.#find(id).commands.record(numbered(commandId));
  }

  async readCommand(
    id: string,
    commandId: number,
    request: ReadOutput = {},
    { signal }: WaitOptions = {},
  ): Promise<OutputPage> {
    const { commands } = this.#find(id);
    return commands.read(numbered(commandId), check('', readOutput, request), signal);
  }

  async summary(): Promise<ManagerSummary> {
    return summaryOf([...this.#terminals.values()], {
      createdTotal: this.#createdTotal,
      outputBytesTotal: this.#outputBytesTotal,
      inputBytesTotal: this.#inputBytesTotal,
    });
  }

  /**
   * Stops all terminals whose program runs and gives what another process needs to go on with them; descriptors are
   * to be inherited. Then either `takeBack`, or `letGo` when the other process has them.
   *
   * @param onProgramEnded - Called from now on for each program that ends: this process stays their parent.
   */
  async handOver(onProgramEnded: (id: string, exit: PtyExit) => void): Promise<HandedTerminal[]> {
    this.#onProgramEnded = onProgramEnded;
    return Promise.all(this.#open().map((terminal) => terminal.handOver()));
  }

  /** Undoes `handOver`. */
  takeBack(): void {
    this.#onProgramEnded = null;
    for (const terminal of this.#open()) terminal.takeBack();
  }

  /** Gives up everything but being the parent of programs that run; returns how many there are. */
  async letGo(): Promise<number> {
    this.#expiry.close();
    clearInterval(this.#sweepTimer);
    const open = this.#open();
    for (const terminal of open) terminal.letGo();
    const rest = [...this.#terminals.values()].filter((terminal) => !open.includes(terminal as Terminal));
    await Promise.all(rest.map((terminal) => terminal.close()));
    this.#terminals.clear();
    return open.filter((terminal) => terminal.exit === null).length;
  }

  /** Goes on with what another process has handed over. To be called after `recover`. */
  async takeOver(handed: readonly HandedTerminal[]): Promise<void> {
    const { Terminal } = await import('./terminal.js');
    for (const one of handed) {
      const { id } = one.identity;
      const terminal = Terminal.resume(one, this.#options, this.#eventsOf(id));
      this.#terminals.set(id, terminal);
      this.#expiry.watch(terminal);
    }
  }

  /** Tells how the program of a terminal that was taken over has ended. */
  programEnded(id: string, exit: PtyExit): void {
    const terminal = this.#terminals.get(id);
    if (terminal !== undefined && 'programEnded' in terminal) terminal.programEnded(exit);
    else if (terminal === undefined) this.#onProgramEnded?.(id, exit);
  }

  /** Terminals that have a descriptor. */
  #open(): Terminal[] {
    return [...this.#terminals.values()].filter(
      (terminal): terminal is Terminal => 'handOver' in terminal && !terminal.isOver,
    );
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
    const terminals = [...this.#terminals.values()];
    const left = await Promise.all(terminals.map((terminal) => terminal.kill('SIGTERM', graceMs, SHUTDOWN)));
    await Promise.all(terminals.map((terminal) => terminal.close()));
    this.#terminals.clear();
    if (left.flat().length > 0) this.#options.log('warn', 'Some processes would not end', { pids: left.flat() });
  }

  /** Fills in what a request leaves to the terminal it names as its model. */
  #asModel({ like, ...request }: CreateTerminal): Omit<CreateTerminal, 'like'> {
    if (like === undefined) return request;
    return asModel(request, this.#findNamed(like).detail());
  }

  #findNamed(idOrName: string): Terminal | PastTerminal {
    const isId = this.#terminals.has(idOrName);
    return this.#find(isId ? idOrName : (currentOf(this.#named(idOrName))?.id ?? idOrName));
  }

  #named(name: string): TerminalSummary[] {
    return [...this.#terminals.values()].filter((one) => one.name === name).map((one) => one.summary());
  }

  #checkNameFree(name: string | null | undefined, id?: string): void {
    if (typeof name === 'string') checkNameFree(name, this.#named(name), id);
  }

  #find(id: string): Terminal | PastTerminal {
    const terminal = this.#terminals.get(id);
    if (terminal !== undefined) return terminal;
    const message = `Terminal ${id} not found; it never existed, was removed, or expired`;
    throw new TerminalError('TERMINAL_NOT_FOUND', message, { terminalId: id });
  }

  #checkRoom(): void {
    if (this.#shutdown !== undefined) {
      throw new TerminalError('SHUTTING_DOWN', 'The server is stopping and takes no new terminals');
    }
    checkRoom([...this.#terminals.values()], this.#options);
  }

  #forget(terminal: HeldTerminal): void {
    terminal.remove();
    this.#terminals.delete(terminal.id);
  }

  #holdToBounds(): Promise<void> {
    return holdToBounds([...this.#terminals.values()], this.#options, (terminal) => this.#forget(terminal));
  }

  /** Ended terminals stay readable, but not without end. */
  #dropOldestExited(): void {
    const exited = [...this.#terminals.values()].filter((terminal) => !terminal.isActive);
    exited.sort((a, b) => a.endedAt! - b.endedAt!);
    for (const terminal of exited.slice(0, Math.max(0, exited.length - this.#options.maxExitedTerminals))) {
      this.#options.log('info', 'Ended terminal forgotten: too many', { terminalId: terminal.id });
      this.#forget(terminal);
    }
  }

  #expire(terminal: Terminal, ending: Ending): void {
    const { id } = terminal;
    this.#options.log('info', 'Terminal expired', { terminalId: id, ...ending });
    const ended = terminal.kill('SIGTERM', this.#options.killGraceMs, ending).then((left) => checkGone(id, left));
    ended.catch((error: unknown) => {
      this.#options.log('error', 'Expired terminal could not be ended', { terminalId: id, error });
    });
  }

  #checkWaitingReads(timeoutMs: number): void {
    if (timeoutMs > 0) checkWaitingReads([...this.#terminals.values()], this.#options);
  }
}

/** @throws `INVALID_INPUT` */
function numbered(commandId: number): number {
  return check('', commandNumber, { commandId }).commandId;
}
