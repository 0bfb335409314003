/**
 * Handles one terminal's command requests: runs a command and waits for its end, reports its state, and reads its
 * output. Learns about the shell only through its marks; does not depend on other terminals.
 */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type {
  CollectRequest,
  CommandListRequest,
  CommandRecord,
  CommandResult,
  CommandState,
  ExecRequest,
  InputWait,
  IntegrateRequest,
  NestedShell,
} from '../contract/command.js';
import { listedText, type LastCommand } from '../contract/command-state.js';
import type { OutputPage, ReadRequest } from '../contract/output.js';
import type { OverviewTerminal } from '../contract/overview.js';
import { commandPartOf } from '../contract/output-part.js';
import type { ExecOptions } from '../contract/manager.js';
import { TerminalError } from '../errors.js';
import { hasNewOutput } from '../history/page.js';
import type { HistoryView } from '../history/view.js';
import { recordOf } from './command-log.js';
import type { LoggedCommand } from './command-log.js';
import { withQueriedKind } from '../processes/input-kind.js';
import type { InputProbe } from '../processes/input-probe.js';
import { waitForInput } from '../processes/input-watch.js';
import { isNested } from './nested/find.js';
import type { CommandRefusal } from './session/effects.js';
import { BUSY_REASONS, silentShellHint } from './busy-reasons.js';
import { textOfSpans } from '../transcript/command-output.js';
import { pageInTurns } from '../transcript/page-turns.js';
import type { CommandTerminal } from './command-terminal.js';
import { CommandOutputs } from './command-outputs.js';
import { handedOffError, integrateWithin, nestedShellOf } from './nested/integrate.js';
import type { ShellStack } from './shell-stack.js';
import { OVER, withTimeLimit } from '../wait/time-limit.js';

/** How long a caller that does not wait for the command's end waits for the prompt, in case it is about to appear. */
const BEGIN_TIMEOUT_MS = 2000;
/** Minimum time between two checks of a waiting reader. */
const LOOK_INTERVAL_MS = 10;

export class Commands {
  readonly #terminal: CommandTerminal;
  /** Command outputs as their readers see them. */
  readonly outputs: CommandOutputs;
  #waiting = 0;
  #starting = 0;

  constructor(terminal: CommandTerminal) {
    this.#terminal = terminal;
    this.outputs = new CommandOutputs(terminal, (commandId) => this.#find(commandId));
  }

  /** Number of callers that are waiting for a command to end. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether a requested command has not begun yet. */
  get isStarting(): boolean {
    return this.#starting > 0;
  }

  /** See `TerminalManager.exec`. @param options - A command requested twice with the same key runs only once. */
  async exec(request: ExecRequest, options: ExecOptions = {}): Promise<CommandResult> {
    const deadline = performance.now() + request.timeoutMs;
    this.#starting++;
    const commandId = await this.#start(request, options).finally(() => this.#starting--);
    const timeoutMs = request.detach ? 0 : Math.max(0, deadline - performance.now());
    return this.collect(commandId, { ...request, timeoutMs }, options.signal);
  }

  /** See `TerminalManager.collect`. */
  async collect(commandId: number, request: CollectRequest, signal?: AbortSignal): Promise<CommandResult> {
    this.#find(commandId);
    this.#waiting++;
    const waiting = await this.#untilDone(commandId, request, signal).finally(() => this.#waiting--);
    if (this.#terminal.isHandedOff) throw handedOffError(this.#terminal.id);
    return this.#result(this.#find(commandId), waiting, request);
  }

  /** See `TerminalManager.integrate`. */
  async integrate(request: IntegrateRequest, signal?: AbortSignal): Promise<NestedShell> {
    const shell = this.#shell();
    shell.dropGone();
    const { inner, running } = shell;
    if (running !== null) return integrateWithin(this.#terminal, shell, running, request, signal);
    // A repeated request gets the same response.
    if (inner !== null) return nestedShellOf(this.#terminal.id, inner);
    const { id } = this.#terminal;
    const message =
      `No command is running in terminal ${id}, so there is no nested shell; ` +
      'use exec to run commands in its own shell';
    throw new TerminalError('NOT_INTEGRATED', message, { terminalId: id, commandId: null, waiting: null });
  }

  /** See `TerminalManager.interrupt`. */
  interrupt(commandId: number): boolean {
    return this.#isRunning(this.#find(commandId)) && this.#terminal.shell?.interrupt(commandId) === true;
  }

  /** See `TerminalManager.commands`. */
  async list(request: CommandListRequest): Promise<CommandRecord[]> {
    const { log } = this.#terminal;
    const isFiltered = request.text !== undefined || request.regex !== undefined;
    // Imported on demand, because the regular expression engine takes time to load.
    const found = isFiltered ? await (await import('../wait/search.js')).matching(log.all, request) : log.all;
    return log.list(request, found).map((command) => this.#record(command));
  }

  /** What lists show about the most recently started command. */
  get last(): LastCommand | null {
    const newest = this.#terminal.log.newest;
    if (newest === undefined) return null;
    const { commandId, text, exitCode } = newest;
    return { commandId, text: listedText(text), state: this.#stateUnwatched(newest), exitCode };
  }

  /** What an overview shows about the most recently started command. */
  get newest(): OverviewTerminal['lastCommand'] {
    const newest = this.#terminal.log.newest;
    if (newest === undefined) return null;
    const { commandId, text, state, exitCode, started, ended } = this.#record(newest);
    return { commandId, text, state, exitCode, started, ended };
  }

  record(commandId: number): CommandRecord {
    return this.#record(this.#find(commandId));
  }

  /** See `TerminalManager.readCommand`. */
  async read(commandId: number, request: ReadRequest, signal?: AbortSignal): Promise<OutputPage> {
    if (request.timeoutMs > 0) {
      await withTimeLimit(request.timeoutMs, signal, (end) => this.#untilNews(commandId, request, end));
    }
    // Its state is taken before its output, so that a command that is over has all of it in this page.
    const command = this.#find(commandId);
    const { exitCode, signal: endSignal } = command;
    const isActive = this.#isRunning(command);
    const output = await this.outputs.current(commandId);
    const page = await pageInTurns(() => output.view(), request);
    return { ...page, truncated: page.truncated || output.isCut, isActive, exitCode, signal: endSignal };
  }

  /** What a command has printed so far. @throws `COMMAND_NOT_FOUND` if the terminal has no such command. */
  async view(commandId: number): Promise<HistoryView> {
    return (await this.outputs.current(commandId)).view();
  }

  // --- starting ---------------------------------------------------------------------------------------

  async #start({ command, timeoutMs }: ExecRequest, { signal, ...options }: ExecOptions): Promise<number> {
    const { key } = options;
    const known = this.#numberOf(key);
    if (known !== undefined && this.#terminal.log.find(known) !== undefined) return known;
    const shell = this.#shell();
    shell.dropGone();
    // A command may be over although its end was not reported.
    if (known === undefined && shell.running !== null) await checkForPrompt(shell, shell.probe());
    const commandId = known ?? this.#numberOf(key) ?? this.#request(shell, command, options);
    const watch = new AbortController();
    try {
      void this.#watchForPrompt(shell, commandId, watch.signal);
      const waitMs = timeoutMs === 0 ? BEGIN_TIMEOUT_MS : timeoutMs;
      await withTimeLimit(waitMs, signal, (end) => this.#untilBegun(shell, commandId, end));
    } finally {
      watch.abort(OVER);
    }
    return commandId;
  }

  #numberOf(key: string | undefined): number | undefined {
    if (key === undefined) return undefined;
    return this.#terminal.shell?.numberOf(key) ?? this.#terminal.log.numberOf(key);
  }

  #request(shell: ShellStack, text: string, options: ExecOptions): number {
    if (!shell.isFree) throw this.#busy(shell);
    return shell.request(text, options);
  }

  #shell(): ShellStack {
    const { shell, isActive, id } = this.#terminal;
    if (!isActive) throw this.#terminal.inactive();
    if (shell !== null) return shell;
    const message =
      `There is no shell integration in terminal ${id}: it runs another program, or a shell with custom ` +
      'arguments or without integration. Type into it and read its output, or create a terminal with a shell.';
    throw new TerminalError('NOT_INTEGRATED', message, { terminalId: id });
  }

  async #untilBegun(shell: ShellStack, id: number, end: AbortSignal): Promise<void> {
    while (this.#terminal.log.find(id) === undefined) {
      const refusal = shell.refusalOf(id);
      if (refusal !== undefined) throw this.#refused(shell, refusal);
      if (this.#terminal.isHandedOff) throw handedOffError(this.#terminal.id);
      if (end.aborted && shell.cancelRequest(id)) throw this.#busy(shell);
      // What was sent begins or is given up within the session's own time limit.
      await this.#terminal.nextChange(end.aborted ? undefined : end);
    }
  }

  /**
   * Watches for the prompt of a shell that has lost the integration: it reports nothing, but the kernel still shows
   * that it is waiting for a line.
   */
  async #watchForPrompt(shell: ShellStack, commandId: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#terminal.log.find(commandId) === undefined) {
      const probe = await waitForInput(this.#watched(shell), signal);
      if (probe !== null) await checkForPrompt(shell, probe);
    }
  }

  #refused(shell: ShellStack, why: CommandRefusal): TerminalError {
    if (why === 'busy') return this.#busy(shell);
    if (why === 'moved') return this.#busy(shell, MOVED_REASON);
    const { id, isActive } = this.#terminal;
    if (why === 'over' && !isActive) return this.#terminal.inactive();
    if (why === 'over') {
      const ended = `The nested shell in terminal ${id} ended before it started this command, which was not run`;
      return new TerminalError('NOT_INTEGRATED', ended, { terminalId: id, state: shell.state });
    }
    const message =
      `The program in terminal ${id} reads lines but does not reply as its shell would: it is another program, ` +
      'a shell that shows no prompt (`exec 2>&-`), a shell with a function named `builtin` or `command` or an alias ' +
      'named `{`, or a shell in a terminal whose modes change what is typed (`stty sane` resets them). If it is a ' +
      'nested shell or REPL, use integrate; otherwise type into it and read its output.';
    return new TerminalError('NOT_INTEGRATED', message, { terminalId: id, state: shell.state });
  }

  #busy(shell: ShellStack, why?: string): TerminalError {
    const { id, log } = this.#terminal;
    const commandId = shell.running;
    const text = commandId === null ? null : (log.find(commandId)?.text ?? null);
    const what =
      commandId === null
        ? BUSY_REASONS[shell.state]
        : `command ${commandId} is running; collect it, interrupt it, or wait${silentShellHint(shell)}`;
    const message = `Terminal ${id} cannot take a command now: ${why ?? what ?? 'another command is about to start'}.`;
    return new TerminalError('TERMINAL_BUSY', message, { terminalId: id, commandId, state: shell.state, text });
  }

  // --- waiting ----------------------------------------------------------------------------------------

  /**
   * Resolves when the command has ended, when it is waiting for input (if that counts), or when time is up. Returns the
   * input wait, if any.
   */
  async #untilDone(commandId: number, request: CollectRequest, signal?: AbortSignal): Promise<InputWait | null> {
    const isDone = (): boolean =>
      !this.#isRunning(this.#find(commandId)) ||
      this.#terminal.isHandedOff ||
      (request.untilInput && this.#promptWithin(commandId) !== null);
    if (isDone()) return this.#promptWithin(commandId);
    const watch = (end: AbortSignal): Promise<InputWait | null> => this.#watch(isDone, request.untilInput, end);
    const waiting = await withTimeLimit(request.timeoutMs, signal, watch);
    if (isDone()) return this.#promptWithin(commandId);
    return waiting ?? (await this.#blockedReader());
  }

  /** Returns the nested shell that is waiting for commands within this command; null if there is none. */
  #promptWithin(commandId: number): InputWait | null {
    const { shell } = this.#terminal;
    const isThere = shell?.containsShell(commandId) === true && (shell.state === 'prompt' || shell.state === 'typing');
    return isThere ? { kind: 'program', by: shell.inner!.kind, pid: shell.pid, certain: true } : null;
  }

  async #watch(isDone: () => boolean, untilInput: boolean, timeUp: AbortSignal): Promise<InputWait | null> {
    const ended = new AbortController();
    const end = (): void => ended.abort(OVER);
    timeUp.addEventListener('abort', end);
    if (timeUp.aborted) end();
    const watching = this.#watchForInput(untilInput, ended.signal).finally(end);
    while (!isDone() && !ended.signal.aborted) await this.#terminal.nextChange(ended.signal);
    end();
    return watching;
  }

  async #watchForInput(untilSomebodyWaits: boolean, end: AbortSignal): Promise<InputWait | null> {
    while (!end.aborted) {
      const { shell } = this.#terminal;
      const probe = shell === null ? null : await waitForInput(this.#watched(shell), end);
      if (probe === null || shell === null) return null;
      const waiting = await checkForPrompt(shell, probe);
      if (waiting !== null && untilSomebodyWaits) return waiting;
    }
    return null;
  }

  /** Returns the process that is waiting for input. Probes once, and therefore returns it only if it is certain. */
  async #blockedReader(): Promise<InputWait | null> {
    const probe = this.#terminal.shell?.probe();
    return probe?.waiting?.certain === true ? (await withQueriedKind(probe)).waiting : null;
  }

  #watched(shell: ShellStack): { outputEnd(): number; probe(): InputProbe } {
    return { outputEnd: () => this.#terminal.outputEnd, probe: () => shell.probe() };
  }

  async #untilNews(id: number, request: ReadRequest, end: AbortSignal): Promise<void> {
    const from = (await this.outputs.current(id)).view().outputEnd;
    await nextTurn();
    while (!end.aborted && this.#isRunning(this.#find(id)) && !this.#terminal.isHandedOff) {
      const view = (await this.outputs.current(id)).view();
      if (hasNewOutput(view, request, view.outputEnd > from)) return;
      await this.#terminal.nextChange(end);
      await delay(LOOK_INTERVAL_MS, undefined, { signal: end }).catch(() => undefined);
    }
  }

  // --- answering --------------------------------------------------------------------------------------

  async #result(command: LoggedCommand, waiting: InputWait | null, request: CollectRequest): Promise<CommandResult> {
    const { commandId, exitCode, signal, via, fromOffset, toOffset, started, ended } = command;
    const output = await this.outputs.current(commandId);
    const wanted = { ...request, ...commandPartOf(request), entries: false, timeoutMs: 0 };
    const page = await pageInTurns(() => output.view(), wanted);
    const { totalLines, nextReadFrom, cursor, hasMore, cutBy, stats } = page;
    const completed = isCompleted(command);
    return {
      ...{ terminalId: this.#terminal.id, commandId, output: page.output, exitCode, signal },
      cwd: completed ? command.cwd : (this.#terminal.shell?.systemDirectory(commandId) ?? null),
      durationMs: (ended ?? Date.now()) - started,
      ...{ completed, state: this.#stateOf(command, waiting), within: command.within, waiting, via },
      shellExited: via === 'exit' && command.within === null,
      fullScreen: !completed && this.#terminal.isFullScreen,
      ...{ truncated: page.truncated || output.isCut, linesOmitted: stats.linesOmitted, cutBy },
      ...{ totalLines, totalBytes: (toOffset ?? this.#terminal.outputEnd) - fromOffset, nextReadFrom, cursor, hasMore },
      between: await textOfSpans(command.between, this.#terminal),
    };
  }

  #record(command: LoggedCommand): CommandRecord {
    return recordOf(command, this.#terminal.id, this.#stateOf(command, null));
  }

  #stateUnwatched({ commandId, ended, via }: LoggedCommand): LastCommand['state'] {
    if (ended !== null) return isCompleted({ ended, via }) ? 'completed' : 'lost';
    return this.#terminal.shell?.containsShell(commandId) ? 'nested' : 'running';
  }

  #stateOf(command: LoggedCommand, waiting: InputWait | null): CommandState {
    const state = this.#stateUnwatched(command);
    if (state !== 'running' || waiting === null) return state;
    // A `read` in the shell itself may look like a shell at its prompt, and a shell inside an editor belongs to the
    // editor.
    const { shell, isFullScreen } = this.#terminal;
    return waiting.pid !== shell?.pid && !isFullScreen && isNested(waiting) ? 'nested' : 'waiting';
  }

  #find(commandId: number): LoggedCommand {
    const command = this.#terminal.log.find(commandId);
    if (command !== undefined) return command;
    const { id } = this.#terminal;
    const message = `Terminal ${id} has no command ${commandId}: it never existed, or its record is no longer kept`;
    throw new TerminalError('COMMAND_NOT_FOUND', message, { terminalId: id, commandId });
  }

  #isRunning({ ended }: LoggedCommand): boolean {
    return ended === null && this.#terminal.isActive;
  }
}

/** Returns whether a command has completed. If it is unknown how the command ended, it is lost instead. */
function isCompleted({ ended, via }: Pick<LoggedCommand, 'ended' | 'via'>): boolean {
  return ended !== null && via !== null;
}

/**
 * If the integrated shell itself is reading a line at its prompt, tells the session and returns null. If the shell is
 * reading for its command, or another process is reading, returns that input wait.
 */
async function checkForPrompt(shell: ShellStack, { waiting }: InputProbe): Promise<InputWait | null> {
  if (waiting === null || waiting.pid === null || waiting.pid !== shell.pid) return waiting;
  const as = await shell.readsAs();
  if (as === 'prompt') shell.shellReads();
  if (as === 'input') return waiting;
  return as === 'prompt' ? null : { ...waiting, kind: 'line' };
}

/** Why a command that was checked against the policy was not run. */
const MOVED_REASON =
  'its shell ran another command or changed its directory during the policy check; this command was not run';
