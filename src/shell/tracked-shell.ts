/** Represents one integrated shell or REPL: runs commands in it and keeps their log. */
import { monotonicMs } from '../clock.js';
import { UnfinishedLine } from './session/unfinished-line.js';
import type { Mark } from './marker.js';
import { newSession } from './session/data.js';
import { ShellSession, type SessionState } from './session/session.js';
import type { CommandEnd, CommandRefusal, SessionEffects } from './session/effects.js';
import {
  trustedEnd,
  commandLine,
  hasParkKey,
  isRepl,
  clearLineKey,
  reportsTypedLines,
  runnableText,
  shellKind,
  UNPARK_KEY,
} from './shells.js';
import type { TrackedKind } from './shells.js';
import type { CommandStart } from './command-log.js';
import { displayedCommand } from '../transcript/viewer-marks.js';
import { typedText } from './typed-text.js';
import { TerminalError } from '../errors.js';
import { resumeTransport, type CommandTransport } from './command-transport.js';
import { TypeAheadTracker } from './type-ahead-tracker.js';
import { directoryOf, nameOf } from '../processes/foreground.js';
import { isInteractiveShell } from './nested/find.js';
import { PromptConfirmation } from './prompt-confirmation.js';
import { PromptDetector } from './prompt-detector.js';
import type { ShellIdentity, ShellHandOff, RequestedCommand, CommandRequestOptions } from './shell-hand-off.js';
import { matchesSnapshot } from './shell-snapshot.js';
import type { ShellContext } from './shell-context.js';

const LF = 0x0a;
const CTRL_C = '\x03';

export class TrackedShell implements SessionEffects {
  #kind: TrackedKind;
  readonly version: string;
  readonly instance: number;
  readonly pid: number | null;
  readonly within: number | null;
  readonly session: ShellSession;
  readonly #transport: CommandTransport;
  readonly #context: ShellContext;
  #requested: RequestedCommand | null = null;
  #previousText: string | null = null;
  /** Number of the running command in the log. */
  #running: number | null = null;
  #endSignal: string | null = null;
  /** For shells that cannot park a line. */
  readonly #unfinishedLine: UnfinishedLine;
  /** A line entered before the prompt was shown: a shell without a line editor does not echo it after the prompt. */
  #earlyLine: string | null = null;
  readonly #typeAhead: TypeAheadTracker;
  readonly #promptDetector: PromptDetector;
  readonly #confirmation: PromptConfirmation;

  static resume({ way: transport, session, ...handed }: ShellHandOff, context: ShellContext): TrackedShell {
    const identity = { ...handed, instance: session.instance };
    return new TrackedShell(identity, resumeTransport(transport), context, { ...handed, session });
  }

  constructor(
    { kind, version, instance, pid, within }: ShellIdentity,
    transport: CommandTransport,
    context: ShellContext,
    handed?: Pick<ShellHandOff, 'session' | 'wanted' | 'running' | 'half'>,
  ) {
    this.#kind = kind;
    this.version = version;
    this.instance = instance;
    this.pid = pid;
    this.within = within;
    this.#transport = transport;
    this.#context = context;
    this.session = new ShellSession(handed?.session ?? newSession(instance), this);
    this.#promptDetector = new PromptDetector(pid, context.terminal, context.display, this.session.pendingEnd !== null);
    this.#confirmation = new PromptConfirmation(pid, context, this.#promptDetector);
    this.#typeAhead = new TypeAheadTracker(context);
    this.#requested = handed?.wanted ?? null;
    this.#running = handed?.running ?? null;
    this.#unfinishedLine = new UnfinishedLine(Buffer.from(handed?.half ?? '', 'base64'));
  }

  get handOffState(): ShellHandOff {
    const { version, pid, within } = this;
    return {
      ...{ kind: this.#kind, version, pid, within, way: this.#transport.handOffState },
      ...{ session: this.session.handOffState, wanted: this.#requested, running: this.#running },
      half: this.#unfinishedLine.bytes.toString('base64'),
    };
  }

  get kind(): TrackedKind {
    return this.#kind;
  }

  /** Identifies its marks. */
  get nonce(): string {
    return this.#transport.nonce;
  }

  get state(): SessionState {
    return this.session.state;
  }

  /** The running command, typed ones included. */
  get running(): number | null {
    return this.#running;
  }

  /** The directory that the shell last reported. */
  get directory(): string | null {
    return this.session.directory;
  }

  /** Returns the directory that the system reports; null if it reports none. */
  systemDirectory(): string | null {
    return this.pid === null ? null : directoryOf(this.pid);
  }

  /**
   * Returns what a shell that is reading the terminal is reading for. Not for REPLs, because a program that a REPL runs
   * may use the same line editor.
   */
  async readsAs(): Promise<'prompt' | 'editor' | 'input'> {
    if (this.#promptDetector.isOtherProgram) return isInteractiveShell(this.pid!) ? 'prompt' : 'input';
    if (this.#promptDetector.readsContinuation) return 'prompt';
    if (isRepl(this.#kind)) return this.state === 'settling' ? 'prompt' : 'input';
    const command = this.#running;
    const { tty } = this.#context.probe();
    // Ignores modes that output sets, because any program can set those. A hook of the prompt may ask a question.
    const isStill = (): boolean => this.#running === command && this.#context.probe().waiting?.pid === this.pid;
    if (command === null)
      return (await this.#promptDetector.isForPrompt(this.#kind, tty, isStill)) ? 'prompt' : 'input';
    const as = await this.#promptDetector.classify(this.#kind, tty, isStill);
    if (as !== 'editor') return as;
    if (await this.#promptDetector.isAtPrompt(this.#kind, isStill)) return 'prompt';
    return this.#running === command ? 'editor' : 'input';
  }

  /** Call when the user has typed; `submits`: the input contains an Enter. */
  typed(bytes: Uint8Array, submits: boolean): void {
    // Input for a running program belongs to no line of the shell.
    const entered = this.#running === null ? this.#unfinishedLine.add(bytes) : [];
    if (this.state === 'settling' && !reportsTypedLines(this.#kind)) this.#earlyLine ??= entered[0] ?? null;
    this.#promptDetector.typed(bytes);
    if (this.#running !== null) this.#typeAhead.typed(bytes);
    this.session.typed(submits);
  }

  /** Call when the terminal has replied to a program's query. */
  replied(bytes: Uint8Array): void {
    if (this.#running !== null) this.#typeAhead.replied(bytes);
    this.session.replyTyped();
  }

  typedInterrupt(): void {
    this.#unfinishedLine.clear();
    this.session.typedInterrupt();
  }

  /** Returns the command with this key that is pending or has just begun. */
  requestedBy(key: string): number | undefined {
    return this.#requested?.key === key ? this.#requested.commandId : undefined;
  }

  /** Requests a command and returns its number. Call only if `session.isFree`. @throws `WRITE_FAILED` */
  request(text: string, { key, place, by }: CommandRequestOptions = {}): number {
    const commandId = this.#context.log.nextId();
    this.#put(commandId, text);
    this.#requested = { commandId, text, key, place, by };
    this.session.request(commandId, monotonicMs());
    return commandId;
  }

  #put(commandId: number, text: string): void {
    try {
      this.#transport.put(commandId, this.#kind, runnableText(this.#kind, text, this.#previousText));
      this.#previousText = text;
    } catch (cause) {
      const message = `The command could not be passed to the shell: ${(cause as Error).message}`;
      throw new TerminalError('WRITE_FAILED', message, {}, { cause });
    }
  }

  /** See `ShellSession.cancelRequest`. */
  cancelRequest(commandId: number): boolean {
    if (!this.session.cancelRequest(commandId)) return false;
    this.#transport.drop(commandId);
    // Otherwise, the key would still find the command, and callers would wait for ever.
    this.#requested = null;
    return true;
  }

  /** Call when the shell has ended and all its output has been taken. `signal`: the signal that ended it, if known. */
  exited(exitCode: number | null, signal: string | null): void {
    this.#endSignal = signal;
    this.#promptDetector.markReceived();
    if (this.within !== null) this.#beginUnreported();
    this.session.exited(exitCode);
    this.#transport.close();
  }

  /** Begins a command whose mark may have been lost with the connection. Its output follows the echo of our line. */
  #beginUnreported(): void {
    const behind = this.#context.display.heldAfterFirstLine;
    if (this.session.mayHaveBegun()) this.#context.display.show(behind);
  }

  /** Releases all resources; the log stays. */
  close(): void {
    this.#transport.close();
  }

  take(mark: Mark): void {
    this.#promptDetector.markReceived();
    if (mark.verb === 'returned' || mark.verb === 'promptStart') this.#confirmation.take(mark.verb);
    if (mark.verb !== 'answers') this.session.take(mark, monotonicMs());
    this.#promptDetector.take(mark.verb, this.#kind, this.#running !== null);
    // Do not note it when a command begins: by the time the mark arrives, the process may have become another program.
    if (this.state === 'prompt' || mark.verb === 'loaded') this.#promptDetector.noteProgram();
    if (this.state === 'prompt') this.#earlyLine = null;
  }

  /** Call when the kernel shows that the shell itself is waiting for a line at its prompt. */
  shellReads(): void {
    if (this.session.pendingEnd !== null && !this.#promptDetector.isOtherProgram) this.confirmPrompt();
    else this.session.shellReads(monotonicMs());
  }

  get canConfirmPrompt(): boolean {
    return this.#promptDetector.canConfirm(this.#kind);
  }

  confirmPrompt(): void {
    const end = this.session.pendingEnd;
    const isStill = (): boolean => end !== null && this.session.pendingEnd === end;
    void this.#confirmation.look(this.#kind, isStill, () => {
      this.session.promptConfirmed(monotonicMs());
      this.#promptDetector.noteProgram();
      this.#context.display.directory(this.session.directory);
    });
  }

  /** Handles output while no nested shell has the terminal. */
  output(bytes: Buffer): void {
    const { display } = this.#context;
    const output = display.isHeld ? bytes : this.#afterTypedLine(bytes);
    display.output(output, this.#running === null && this.state !== 'typing' && this.state !== 'submitted');
  }

  /**
   * Shells without hooks do not report the start of a command: its output begins after the typed line, if there is one.
   */
  #afterTypedLine(bytes: Buffer): Buffer {
    const end = this.state === 'submitted' && !reportsTypedLines(this.#kind) ? bytes.indexOf(LF) + 1 : 0;
    if (end === 0) return bytes;
    const line = bytes.subarray(0, end);
    if (this.#earlyLine !== null && this.#typedText(line) !== this.#earlyLine) {
      this.session.lineTaken();
      return bytes;
    }
    this.#context.display.show(line);
    if (this.#typedText() !== '') this.session.lineTaken();
    return bytes.subarray(end);
  }

  get isInPlace(): boolean {
    return matchesSnapshot(this.#requested?.place, this.#context);
  }

  send(command: number): void {
    this.#promptDetector.noteProgram();
    this.#transport.begin();
    this.#context.display.hold();
    this.#context.terminal.type(commandLine(this.#kind, command));
  }

  typeNextLine(): void {
    const { display, terminal } = this.#context;
    // The terminal shows the echo of the previous line.
    display.release('echo');
    display.hold();
    const line = this.#transport.next();
    if (line !== null) terminal.type(line);
  }

  get hasParkKey(): boolean {
    return hasParkKey(this.#kind);
  }

  get restoresLine(): boolean {
    return this.hasParkKey || this.#unfinishedLine.bytes.length > 0;
  }

  park(isLitter: boolean): void {
    this.#context.terminal.type(clearLineKey(this.#kind, isLitter));
  }

  unpark(): void {
    this.#context.terminal.type(this.hasParkKey ? UNPARK_KEY : this.#unfinishedLine.bytes);
  }

  typeDelayed(): void {
    this.#context.typeDelayed();
  }

  reloadIntegration(): void {
    this.#context.display.hold();
    try {
      this.#noteKind();
      const line = this.#transport.loadLine(this.#kind);
      if (line !== null) this.#context.terminal.type(this.#promptDetector.readsContinuation ? CTRL_C + line : line);
    } catch {
      // The disk does not accept it. The session will notice when the shell does not reply in time.
    }
  }

  /** Notes the kind of shell: the process may have become another kind, which reads its commands differently. */
  #noteKind(): void {
    const name = this.pid === null || isRepl(this.#kind) ? null : nameOf(this.pid);
    const kind = shellKind(name ?? '') ?? this.#kind;
    if (kind !== this.#kind && this.#requested !== null)
      this.#transport.put(this.#requested.commandId, kind, this.#requested.text);
    this.#kind = kind;
  }

  release(heldBack: 'echo' | 'output'): void {
    this.#context.display.release(heldBack);
  }

  began(command: number): void {
    const { text, key, by } = this.#requested!;
    this.#requested = null;
    this.#context.display.show(displayedCommand(text));
    this.#begin(command, { text, origin: 'exec', key, by });
  }

  typedBegan(): void {
    const { log, terminal } = this.#context;
    const text = this.#earlyLine ?? this.#typedText();
    this.#begin(log.nextId(), { text, origin: 'typed', by: terminal.typist() });
    this.#earlyLine = null;
  }

  withdrawn(): void {
    this.#context.log.withdraw(this.#running!);
    this.#running = null;
  }

  ended(end: CommandEnd): void {
    const { terminal, log, display } = this.#context;
    this.#context.beforeEnd(this);
    const command = this.#running!;
    const record = log.find(command);
    const { exitCode, directory, via } = trustedEnd(this.#kind, end, record?.origin === 'exec');
    const reported = this.#confirmation.takePromptStart();
    const prompt = end.isAtPrompt === true ? reported : null;
    const lastOffset = display.commandEnd(record?.fromOffset ?? 0, { via }, this.#kind, prompt?.offset);
    const toOffset = this.#typeAhead.endWithout(lastOffset);
    this.#running = null;
    log.end(command, {
      ...{ exitCode: this.#endSignal === null ? exitCode : null, signal: this.#endSignal, via },
      cwd: directory ?? this.systemDirectory(),
      ...{ ended: Date.now(), toOffset, toLine: prompt?.line ?? terminal.line() },
    });
    this.#transport.drop(command);
    display.ended(exitCode);
    terminal.changed();
  }

  refused(command: number, why: CommandRefusal): void {
    this.#requested = null;
    this.#transport.drop(command);
    this.#context.refused(command, why, this);
  }

  /** @param line - The end of its echo, which has not been shown yet. */
  #typedText(line: Buffer = Buffer.alloc(0)): string {
    const { promptEnd, echo } = this.#context.display;
    const whole = echo.echo === null ? echo : { ...echo, echo: Buffer.concat([echo.echo, line]) };
    return typedText(this.#transport.typed(), this.#kind, promptEnd, whole);
  }

  #begin(commandId: number, command: Pick<CommandStart, 'text' | 'origin' | 'key' | 'by'>): void {
    const { terminal, log, display } = this.#context;
    const between = display.began();
    this.#running = commandId;
    this.#promptDetector.begin();
    log.begin({
      ...{ commandId, ...command, between, within: this.within, started: Date.now() },
      startCwd: this.session.directory ?? this.systemDirectory(),
      ...{ fromOffset: terminal.outputEnd(), fromLine: terminal.line() },
    });
    terminal.changed();
  }
}
