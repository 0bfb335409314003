/**
 * Manages the integrated shells of one terminal: the terminal's own shell, a nested shell within one of its commands,
 * and so on. The innermost shell has the terminal; when a command ends, all shells within it end too. Filters marks out
 * of the output and keeps user input out of injected lines.
 */
import { monotonicMs } from '../clock.js';
import type { CommandLog } from './command-log.js';
import { NOTHING_KNOWN, probeInput, type InputProbe } from '../processes/input-probe.js';
import { DelayedInput } from './delayed-input.js';
import { MarkFilter } from './mark-filter.js';
import type { Mark } from './marker.js';
import { ScriptFiles } from './script-files.js';
import type { CommandRefusal } from './session/effects.js';
import type { SessionState } from './session/session.js';
import type { ShellKind } from './shells.js';
import { FileTransport } from './command-transport.js';
import { TrackedShell } from './tracked-shell.js';
import type { ShellStackHandOff } from './shell-stack-hand-off.js';
import { readProcess } from '../processes/process-table.js';
import { PendingShell, type IntegrationTarget } from './nested/pending-shell.js';
import { interruptEvaluation, interruptCommand } from '../processes/interruption.js';
import { ShellDisplay, type ShellTerminal } from './display.js';
import type { ShellContext } from './shell-context.js';

/** Extra time for a busy shell to reply. */
const MAX_LATE_MS = 10_000;
const RECHECK_MS = 50;
/** A shell must be seen reading its terminal this many times in a row, because one probe may fall between two keys. */
const AGREEING_PROBES = 3;
/** Time limit for integrating a nested shell that another process began, in case no caller asks for it again. */
const MAX_INTEGRATION_MS = 10_000;

const INTERRUPT_BYTE = 0x03;
/** Ctrl-C, Ctrl-Z and Ctrl-\\: the terminal driver handles these no matter which program reads. */
const SIGNAL_BYTES = [INTERRUPT_BYTE, 0x1a, 0x1c];

export class ShellStack implements ShellContext {
  readonly terminal: ShellTerminal;
  readonly log: CommandLog;
  readonly display: ShellDisplay;
  readonly #files: ScriptFiles;
  readonly #filter: MarkFilter;
  readonly #delayedInput = new DelayedInput();
  /** Outermost first. */
  readonly #shells: TrackedShell[];
  /** A nested shell that is being integrated. */
  #pendingShell: PendingShell | null = null;
  /** Whether another process is about to take over, so that nothing may be typed here. */
  isAway = false;
  readonly #refused = new Map<number, CommandRefusal>();
  /** Number of consecutive probes that found a shell reading although it owes a reply. */
  #idleProbes = 0;
  /** Whether, since the last mark, the shell was seen reading or the reader could not be determined. */
  #isSilent = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param pid - Process id of the shell. */
  static start(kind: ShellKind, files: ScriptFiles, pid: number, terminal: ShellTerminal, log: CommandLog) {
    return new ShellStack(files, terminal, log, (context) => [
      new TrackedShell({ kind, version: '', instance: pid, pid, within: null }, new FileTransport(files), context),
    ]);
  }

  static resume(handed: ShellStackHandOff, terminal: ShellTerminal, log: CommandLog): ShellStack {
    const { directory, nonce, isInMemory } = handed.shells[0]!.way;
    const files = new ScriptFiles(directory!, nonce, isInMemory);
    const resumed = (context: ShellContext) => handed.shells.map((shell) => TrackedShell.resume(shell, context));
    return new ShellStack(files, terminal, log, resumed, handed);
  }

  private constructor(
    files: ScriptFiles,
    terminal: ShellTerminal,
    log: CommandLog,
    shellsIn: (context: ShellContext) => TrackedShell[],
    handed?: ShellStackHandOff,
  ) {
    this.terminal = terminal;
    this.log = log;
    this.#files = files;
    this.display = new ShellDisplay(terminal, handed?.display);
    const output = {
      onText: (bytes: Buffer) => this.#innermost.output(bytes),
      onMark: (mark: Mark, nonce: string) => this.#onMark(mark, nonce),
    };
    this.#filter = new MarkFilter(files.nonce, output, handed && Buffer.from(handed.pending, 'base64'));
    this.#shells = shellsIn(this);
    for (const { nonce } of this.#shells) this.#filter.expect(nonce);
    if (handed === undefined) return;
    this.#delayedInput.add(Buffer.from(handed.kept, 'base64'));
    if (handed.arrival) this.#resumePending(PendingShell.resume(handed.arrival, this));
    // The output was withheld for a query of the previous process, which this process cannot continue.
    if (this.display.isHeld && !this.#isInjecting) this.display.release('output');
    this.#arm();
  }

  #resumePending(pending: PendingShell): void {
    this.#pendingShell = pending;
    this.#filter.expect(pending.nonce);
    setTimeout(() => this.#pendingShell === pending && this.abandonIntegration(), MAX_INTEGRATION_MS).unref();
  }

  /** Call when no more output will be handled. */
  handOver(): ShellStackHandOff {
    this.isAway = true;
    clearTimeout(this.#timer);
    return {
      shells: this.#shells.map((shell) => shell.handOffState),
      pending: this.#filter.pending.toString('base64'),
      kept: this.#delayedInput.peek().toString('base64'),
      display: this.display.handOffState,
      arrival: this.#pendingShell?.handOffState ?? null,
    };
  }

  takeBack(): void {
    this.isAway = false;
    this.#arm();
    this.terminal.changed();
  }

  get #innermost(): TrackedShell {
    return this.#shells.at(-1)!;
  }

  /** The nested shell that has the terminal; null if the terminal's own shell has it. */
  get inner(): TrackedShell | null {
    return this.#shells.length > 1 ? this.#innermost : null;
  }

  /** Process id of the innermost shell; null if unknown, for example on another machine. */
  get pid(): number | null {
    return this.#innermost.pid;
  }

  get state(): SessionState {
    return this.#innermost.state;
  }

  /** The running command of the innermost shell, typed ones included. */
  get running(): number | null {
    return this.#innermost.running;
  }

  get isFree(): boolean {
    return this.#innermost.session.isFree;
  }

  /** Returns whether an integrated shell runs within this command, so that the command only leads to that shell. */
  containsShell(commandId: number): boolean {
    return this.#shells.some(({ within }) => within === commandId);
  }

  /** Returns the directory that the system reports for the shell of this command; null if it reports none. */
  systemDirectory(commandId: number): string | null {
    return this.#shells.find(({ running }) => running === commandId)?.systemDirectory() ?? null;
  }

  /** See `TrackedShell.readsAs`; for the innermost shell. */
  readsAs(): Promise<'prompt' | 'editor' | 'input'> {
    return this.#innermost.readsAs();
  }

  /** Returns which process is waiting for input, according to the kernel; unknown while marks may be unread. */
  probe(): InputProbe {
    return this.terminal.isPaused() ? NOTHING_KNOWN : probeInput({ pid: this.#shells[0]!.pid! });
  }

  /** Types the interrupt key (Ctrl-C) if this command has the terminal; returns whether it does. */
  interrupt(commandId: number): boolean {
    if (this.running !== commandId) return false;
    const type = (key: string): void => this.terminal.type(key);
    const target = { pid: this.pid, tty: this.probe().tty, type, isOver: () => this.running !== commandId };
    void (this.#innermost.kind === 'node' ? interruptEvaluation(target) : interruptCommand(target));
    return true;
  }

  /** Returns the number of the command with this key that is pending or has begun. */
  numberOf(key: string): number | undefined {
    return this.#innermost.requestedBy(key) ?? this.log.numberOf(key);
  }

  /** See `TrackedShell.request`. Call only if `isFree`. */
  request(...wanted: Parameters<TrackedShell['request']>): number {
    const commandId = this.#innermost.request(...wanted);
    this.#arm();
    return commandId;
  }

  cancelRequest(commandId: number): boolean {
    return this.#innermost.cancelRequest(commandId);
  }

  /** Returns why a requested command was not run; reported once. */
  refusalOf(commandId: number): CommandRefusal | undefined {
    const refusal = this.#refused.get(commandId);
    this.#refused.delete(commandId);
    return refusal;
  }

  shellReads(): void {
    this.#innermost.shellReads();
    this.#arm();
  }

  /** Whether a nested shell is being integrated. */
  get isIntegrating(): boolean {
    return this.#pendingShell !== null;
  }

  /**
   * Types the text that integrates a shell or REPL within the running command. It becomes `inner` when it reaches a
   * prompt; if it does not, call `abandonIntegration`. Call only if a command is running and not `isIntegrating`.
   *
   * @throws file system errors.
   */
  integrate(target: IntegrationTarget): void {
    this.#pendingShell = PendingShell.start(target, this.running!, this.#files, this);
    this.#filter.expect(this.#pendingShell.nonce);
    this.#pendingShell.begin();
  }

  /** Call if the program understood nothing of what was typed, or takes too long. */
  abandonIntegration(isThere = true): void {
    const pending = this.#pendingShell;
    if (pending === null) return;
    this.#pendingShell = null;
    this.#filter.forget(pending.nonce);
    pending.giveUp(isThere);
    this.#arm();
  }

  /** Ends everything that runs within a command of this shell, nested shells included. */
  beforeEnd(shell: TrackedShell): void {
    this.abandonIntegration(false);
    while (this.#innermost !== shell && this.#shells.includes(shell)) this.#drop();
  }

  /** Drops nested shells that have exited although the command around them is still running. */
  dropGone(): void {
    while (this.inner !== null && this.inner.pid !== null && readProcess(this.inner.pid)?.isGone !== false)
      this.#drop();
  }

  /** Drops the innermost shell; how its command ended is unknown. */
  #drop(): void {
    const shell = this.#innermost;
    shell.exited(null, null);
    this.#filter.forget(shell.nonce);
    if (this.display.isHeld) this.display.release('output');
    this.#shells.pop();
  }

  refused(command: number, why: CommandRefusal, shell: TrackedShell): void {
    this.#refused.set(command, why);
    this.terminal.changed();
    // Any program may have taken its place; a caller that knows which can request integration again.
    if (why === 'lost' && shell === this.inner) this.#drop();
  }

  /** Handles the output of the shells and their programs. */
  take(bytes: Uint8Array): void {
    this.#filter.take(bytes);
    this.#arm();
  }

  #onMark(mark: Mark, nonce: string): void {
    this.#isSilent = false;
    if (nonce === this.#pendingShell?.nonce) return this.#onPendingMark(this.#pendingShell, mark);
    const shell = this.#shells.find((one) => one.nonce === nonce);
    const isInFront = shell === this.#innermost;
    // The shells within it may be gone, but that is certain only once it is reading at this prompt.
    if ((isInFront || (shell?.session.pendingEnd ?? null) !== null) && mark.verb === 'promptEnd')
      this.display.promptEnded(mark.history);
    shell?.take(mark);
    if (shell === this.#innermost) this.#show(shell, mark);
  }

  /** The new shell handles its first prompt like any other. */
  #onPendingMark(pending: PendingShell, mark: Mark): void {
    const shell = pending.take(mark);
    if (shell === null) return;
    this.#shells.push(shell);
    this.#pendingShell = null;
    this.display.release('echo');
    this.#onMark(mark, shell.nonce);
    this.terminal.changed();
  }

  #show(shell: TrackedShell, { verb }: Mark): void {
    // For a shell on another machine, our host name would be wrong.
    if (shell.state !== 'running' && shell.pid !== null) this.display.directory(shell.directory);
    if (verb === 'promptStart') this.display.promptBegan();
    if (verb === 'rightStart') this.display.isBetween = false;
    if (verb === 'promptEnd' || verb === 'rightEnd') this.display.isBetween = shell.state === 'prompt';
  }

  /** Types user input as soon as it cannot get into an injected line. */
  type(bytes: Uint8Array): void {
    this.#delayedInput.add(bytes);
    if (bytes.some((byte) => SIGNAL_BYTES.includes(byte)) || this.#delayedInput.isTooMuch) this.typeDelayed();
    this.#arm();
  }

  typeDelayed(): void {
    for (const bytes of this.#delayedInput.take()) {
      this.#noteTyped(bytes);
      this.terminal.type(bytes);
    }
  }

  get #isInjecting(): boolean {
    return this.isIntegrating || this.#innermost.session.isInjecting;
  }

  /** Types delayed input if it is being read: a running command must get its input, even if a line is parked. */
  #onDelayOver(): void {
    if (this.isAway) return;
    if (!this.#isInjecting && this.#isInputRead()) this.typeDelayed();
    this.#arm();
  }

  /**
   * Returns whether a program is reading what is typed. A shell at its prompt must first park or restore what was typed
   * before, so a reading shell is trusted only after two probes without a mark in between: it may be at its prompt with
   * the mark still on its way. The same applies if the reader cannot be determined, as happens for a moment when a
   * command ends.
   */
  #isInputRead(): boolean {
    if (!this.#innermost.session.hasParkedInput) return true;
    const { waiting, isKnown } = this.probe();
    if (waiting !== null && waiting.pid !== this.pid) return true;
    const wasSilent = this.#isSilent;
    this.#isSilent = (waiting !== null || !isKnown) && !wasSilent;
    if (wasSilent && waiting !== null) this.#innermost.session.parkKeysLost();
    return wasSilent && (waiting !== null || !isKnown);
  }

  /** Call when the terminal has typed a reply to a program's query. */
  replied(bytes: Uint8Array): void {
    this.#innermost.replied(bytes);
  }

  #noteTyped(bytes: Uint8Array): void {
    const submits = bytes.includes(0x0d) || bytes.includes(0x0a);
    const isControl = bytes.every((byte) => byte < 0x20 && byte !== 0x1b && byte !== 0x09);
    if (bytes.includes(INTERRUPT_BYTE)) this.#innermost.typedInterrupt();
    if (submits || !isControl) this.#innermost.typed(bytes, submits);
  }

  /** Call when the shell of the terminal has ended and all its output has been taken. */
  exited({ exitCode, signal }: { readonly exitCode: number | null; readonly signal: string | null }): void {
    this.#filter.end();
    const [own] = this.#shells;
    this.beforeEnd(own!);
    own!.exited(exitCode, signal);
    if (this.display.isHeld) this.display.release('output');
    this.close();
  }

  /** Releases all resources; the log stays. */
  close(): void {
    clearTimeout(this.#timer);
    this.#delayedInput.take();
    for (const shell of this.#shells) shell.close();
    this.#files.remove();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (!this.isIntegrating && this.#innermost.session.acceptsInput) this.typeDelayed();
    else this.#delayedInput.whenDue(() => this.#onDelayOver());
    const leftMs = Math.min(...this.#shells.map(({ session }) => session.dueAt ?? Infinity)) - monotonicMs();
    if (leftMs === Infinity) return;
    // Checks a late shell again at fixed intervals, no matter how often this is called in the meantime.
    const waitMs = leftMs >= 0 ? leftMs : RECHECK_MS + (leftMs % RECHECK_MS);
    this.#timer = setTimeout(() => this.#tick(), waitMs + 1);
  }

  /** Returns whether a shell that owes a reply is busy and has not continued reading, which takes time under load. */
  #isLate({ session: { dueAt, isInjecting }, pid }: TrackedShell, now: number): boolean {
    if (dueAt === null || now < dueAt || !isInjecting || pid === null || now - dueAt > MAX_LATE_MS) return false;
    if (this.terminal.isPaused()) return true;
    const { isKnown, waiting, foreground } = this.probe();
    if (!isKnown || foreground?.group !== readProcess(pid)?.group) return false;
    this.#idleProbes = waiting === null ? 0 : this.#idleProbes + 1;
    if (this.#idleProbes < AGREEING_PROBES) return true;
    this.#idleProbes = 0;
    return false;
  }

  #tick(): void {
    const now = monotonicMs();
    // A shell that ends a command removes the shells within it.
    for (const shell of [...this.#shells])
      if (this.#shells.includes(shell) && !this.#isLate(shell, now)) shell.session.tick(now);
    this.#arm();
    this.terminal.changed();
  }
}
