/**
 * One integrated shell or REPL: keeps the log of its commands and runs commands in it. Does not depend on the shell
 * around it or on nested shells; `Surroundings` is told before a command of this shell ends.
 */
import { monotonicMs } from '../clock.js';
import { HalfLine } from './session/half-line.js';
import type { Mark } from './marker.js';
import { newSession } from './session/data.js';
import { ShellSession, type SessionState } from './session/session.js';
import type { CommandEnd, Refusal, SessionEffects } from './session/effects.js';
import { believedEnd, commandLine, hasParkKey, isRepl, roomKey, saysTyped, shellKind, UNPARK_KEY } from './shells.js';
import type { FollowedKind } from './shells.js';
import { asTyped } from '../transcript/shown.js';
import { typedText } from './typed-text.js';
import { TerminalError } from '../errors.js';
import { resumeWay, type CommandWay } from './command-way.js';
import { EchoAhead } from './echo-ahead.js';
import { directoryOf, nameOf } from '../processes/foreground.js';
import { OwnReading } from './own-reading.js';
import type { FollowedIdentity, HandedFollowed, WantedCommand, WantedOptions } from './handed-followed.js';
import { standsAt } from './place.js';
import type { Surroundings } from './surroundings.js';

const LF = 0x0a;
/** Ctrl-C. */
const INTERRUPT = '\x03';

export class FollowedShell implements SessionEffects {
  #kind: FollowedKind;
  readonly version: string;
  readonly instance: number;
  readonly pid: number | null;
  readonly within: number | null;
  readonly #way: CommandWay;
  readonly #around: Surroundings;
  readonly #session: ShellSession;
  #wanted: WantedCommand | null = null;
  /** Number of the running command in the log. */
  #running: number | null = null;
  #endSignal: string | null = null;
  /** For shells that cannot park a line. */
  readonly #half: HalfLine;
  /** A line entered before the prompt was shown: a shell without a line editor does not echo it after the prompt. */
  #ahead: string | null = null;
  readonly #typedAhead: EchoAhead;
  readonly #reading: OwnReading;

  static resume({ way, session, ...handed }: HandedFollowed, around: Surroundings): FollowedShell {
    const identity = { ...handed, instance: session.instance };
    return new FollowedShell(identity, resumeWay(way), around, { ...handed, session });
  }

  constructor(
    { kind, version, instance, pid, within }: FollowedIdentity,
    way: CommandWay,
    around: Surroundings,
    handed?: Pick<HandedFollowed, 'session' | 'wanted' | 'running' | 'half'>,
  ) {
    this.#kind = kind;
    this.version = version;
    this.instance = instance;
    this.pid = pid;
    this.within = within;
    this.#way = way;
    this.#around = around;
    this.#session = new ShellSession(handed?.session ?? newSession(instance), this);
    this.#reading = new OwnReading(pid, around.terminal, around.display);
    this.#typedAhead = new EchoAhead(around);
    this.#wanted = handed?.wanted ?? null;
    this.#running = handed?.running ?? null;
    this.#half = new HalfLine(Buffer.from(handed?.half ?? '', 'base64'));
  }

  get handed(): HandedFollowed {
    const { version, pid, within } = this;
    return {
      ...{ kind: this.#kind, version, pid, within, way: this.#way.handed },
      ...{ session: this.#session.handed, wanted: this.#wanted, running: this.#running },
      half: this.#half.bytes.toString('base64'),
    };
  }

  get kind(): FollowedKind {
    return this.#kind;
  }

  /** Identifies its marks. */
  get nonce(): string {
    return this.#way.nonce;
  }

  get state(): SessionState {
    return this.#session.state;
  }

  /** The running command, typed ones included. */
  get running(): number | null {
    return this.#running;
  }

  get isFree(): boolean {
    return this.#session.isFree;
  }

  get isMakingLine(): boolean {
    return this.#session.isMakingLine;
  }

  get takesTyping(): boolean {
    return this.#session.takesTyping;
  }

  /** See `ShellSession.putsBy`. */
  get putsBy(): boolean {
    return this.#session.putsBy;
  }

  parksTaken(): void {
    this.#session.parksTaken();
  }

  /** When to call `tick`; null: not at all. */
  get dueAt(): number | null {
    return this.#session.dueAt;
  }

  tick(now: number): void {
    this.#session.tick(now);
  }

  /** The directory that the shell last reported. */
  get directory(): string | null {
    return this.#session.directory;
  }

  /** The directory that the system reports; null if it reports none. */
  systemDirectory(): string | null {
    return this.pid === null ? null : directoryOf(this.pid);
  }

  /**
   * What a shell that reads the terminal is doing. Not for REPLs: a program that a REPL runs may use the same line
   * editor.
   */
  async readsAs(): Promise<'prompt' | 'editor' | 'input'> {
    if (this.#reading.isOtherProgram || this.#reading.takesText) return 'prompt';
    if (isRepl(this.#kind)) return this.state === 'settling' ? 'prompt' : 'input';
    const command = this.#running;
    const { tty } = this.#around.probe();
    // Never judged by modes that output sets, such as bracketed paste: any program can set those.
    // A hook of the prompt may ask something.
    if (command === null) return (await this.#reading.isForPrompt(this.#kind, tty)) ? 'prompt' : 'input';
    const isStill = (): boolean => this.#running === command && this.#around.probe().waiting?.pid === this.pid;
    const as = await this.#reading.seen(this.#kind, tty, isStill);
    if (as !== 'editor') return as;
    if (await this.#reading.isAtPrompt(this.#kind, isStill)) return 'prompt';
    return this.#running === command ? 'editor' : 'input';
  }

  /** The user has typed; `submits`: the input contains an Enter. */
  typed(bytes: Uint8Array, submits: boolean): void {
    // Input for a running program belongs to no line of the shell.
    const entered = this.#running === null ? this.#half.add(bytes) : [];
    if (this.state === 'settling' && !saysTyped(this.#kind)) this.#ahead ??= entered[0] ?? null;
    this.#reading.typed(bytes);
    if (this.#running !== null) this.#typedAhead.typed(bytes);
    this.#session.typed(submits);
  }

  /** The terminal has answered a query of a program. */
  replied(bytes: Uint8Array): void {
    if (this.#running !== null) this.#typedAhead.replied(bytes);
    this.#session.littered();
  }

  typedInterrupt(): void {
    this.#half.clear();
    this.#session.typedInterrupt();
  }

  /** Returns the command with this key that is pending or has just begun. */
  wantedBy(key: string): number | undefined {
    return this.#wanted?.key === key ? this.#wanted.commandId : undefined;
  }

  /**
   * Requests a command and returns its number. Call only if `isFree`.
   *
   * @throws `WRITE_FAILED` if the text cannot be written to disk.
   */
  want(text: string, { key, place }: WantedOptions = {}): number {
    const commandId = this.#around.log.nextId();
    this.#put(commandId, text);
    this.#wanted = { commandId, text, key, place };
    this.#session.want(commandId, monotonicMs());
    return commandId;
  }

  #put(commandId: number, text: string): void {
    try {
      this.#way.put(commandId, this.#kind, text);
    } catch (cause) {
      const message = `The command could not be passed to the shell: ${(cause as Error).message}`;
      throw new TerminalError('WRITE_FAILED', message, {}, { cause });
    }
  }

  /** See `ShellSession.unwant`. */
  unwant(commandId: number): boolean {
    if (!this.#session.unwant(commandId)) return false;
    this.#way.drop(commandId);
    // Otherwise the key would still find it, and callers would wait for ever.
    this.#wanted = null;
    return true;
  }

  /** See `ShellSession.shellReads`. */
  shellReads(): void {
    this.#session.shellReads(monotonicMs());
  }

  /** The shell has ended and all its output was taken. `signal`: the signal that ended it, if known. */
  exited(exitCode: number | null, signal: string | null): void {
    this.#endSignal = signal;
    this.#reading.heard();
    if (this.within !== null) this.#beginUnheard();
    this.#session.exited(exitCode);
    this.#way.close();
  }

  /**
   * A connection that ends may swallow the mark that a command has begun: its output follows the echo of the injected
   * line.
   */
  #beginUnheard(): void {
    const { display } = this.#around;
    const behind = display.heldBehindLine;
    if (this.#session.mayHaveBegun()) display.show(behind);
  }

  /** Releases all resources; the log stays. */
  close(): void {
    this.#way.close();
  }

  take(mark: Mark): void {
    if (mark.verb === 'answers') return this.#reading.answered();
    this.#reading.heard();
    this.#session.take(mark, monotonicMs());
    if (mark.verb === 'promptEnd' && this.#running !== null) this.#reading.promptShown();
    if (mark.verb === 'continuation' && this.#running !== null && this.#kind === 'bash') this.#reading.continued();
    // Not when a command begins: the process may have become another program by the time the mark arrives.
    if (this.state === 'prompt' || mark.verb === 'loaded') this.#reading.noteProgram();
    if (this.state === 'prompt') this.#ahead = null;
  }

  /** Takes output while no nested shell has the terminal. */
  output(bytes: Buffer): void {
    const { display } = this.#around;
    const output = display.isHeld ? bytes : this.#afterTypedLine(bytes);
    display.output(output, this.#running === null && this.state !== 'typing' && this.state !== 'submitted');
  }

  /** Shells without hooks do not report that a command begins: it begins after the typed line, if there is one. */
  #afterTypedLine(bytes: Buffer): Buffer {
    const end = this.state === 'submitted' && !saysTyped(this.#kind) ? bytes.indexOf(LF) + 1 : 0;
    if (end === 0) return bytes;
    const line = bytes.subarray(0, end);
    if (this.#ahead !== null && this.#typedText(line) !== this.#ahead) {
      this.#session.lineTaken();
      return bytes;
    }
    this.#around.display.show(line);
    if (this.#typedText() !== '') this.#session.lineTaken();
    return bytes.subarray(end);
  }

  get isInPlace(): boolean {
    return standsAt(this.#wanted?.place, this.#around);
  }

  send(command: number): void {
    this.#reading.noteProgram();
    this.#way.begin();
    this.#around.display.hold();
    this.#around.terminal.type(commandLine(this.#kind, command));
  }

  give(): void {
    const { display, terminal } = this.#around;
    // The terminal shows the echo of the previous line.
    display.release('echo');
    display.hold();
    const line = this.#way.next();
    if (line !== null) terminal.type(line);
  }

  get hasParkKey(): boolean {
    return hasParkKey(this.#kind);
  }

  park(isLitter: boolean): void {
    this.#around.terminal.type(roomKey(this.#kind, isLitter));
  }

  unpark(): void {
    this.#around.terminal.type(this.hasParkKey ? UNPARK_KEY : this.#half.bytes);
  }

  typeKept(): void {
    this.#around.typeKept();
  }

  heal(): void {
    this.#around.display.hold();
    try {
      this.#noteKind();
      const line = this.#way.loadLine(this.#kind);
      if (line !== null) this.#around.terminal.type(this.#reading.takesText ? INTERRUPT + line : line);
    } catch {
      // The disk does not take it. The session notices in time, because the shell does not answer.
    }
  }

  /** The process may have become another kind of shell, which reads its commands differently. */
  #noteKind(): void {
    const name = this.pid === null || isRepl(this.#kind) ? null : nameOf(this.pid);
    const kind = shellKind(name ?? '') ?? this.#kind;
    if (kind !== this.#kind && this.#wanted !== null) this.#way.put(this.#wanted.commandId, kind, this.#wanted.text);
    this.#kind = kind;
  }

  release(heldBack: 'echo' | 'output'): void {
    this.#around.display.release(heldBack);
  }

  began(command: number): void {
    const { text, key } = this.#wanted!;
    this.#wanted = null;
    this.#around.display.show(asTyped(text));
    this.#begin(command, text, 'exec', key);
  }

  typedBegan(): void {
    this.#begin(this.#around.log.nextId(), this.#ahead ?? this.#typedText(), 'typed');
    this.#ahead = null;
  }

  withdrawn(): void {
    this.#around.log.withdraw(this.#running!);
    this.#running = null;
  }

  ended(end: CommandEnd): void {
    const { terminal, log, display } = this.#around;
    this.#around.ending(this);
    const command = this.#running!;
    const record = log.find(command);
    const { exitCode, directory, via } = believedEnd(this.#kind, end, record?.origin === 'exec');
    const lastOffset = display.commandEnd(record?.fromOffset ?? 0, { via }, this.#kind);
    const toOffset = this.#typedAhead.endWithout(lastOffset);
    this.#running = null;
    log.end(command, {
      ...{ exitCode: this.#endSignal === null ? exitCode : null, signal: this.#endSignal, via },
      cwd: directory ?? this.systemDirectory(),
      ...{ ended: Date.now(), toOffset, toLine: terminal.line() },
    });
    this.#way.drop(command);
    display.ended(exitCode);
    terminal.changed();
  }

  refused(command: number, why: Refusal): void {
    this.#wanted = null;
    this.#way.drop(command);
    this.#around.refused(command, why, this);
  }

  /** @param line - The end of its echo that is not shown yet. */
  #typedText(line: Buffer = Buffer.alloc(0)): string {
    const { promptEnd, echo } = this.#around.display;
    const whole = echo.echo === null ? echo : { ...echo, echo: Buffer.concat([echo.echo, line]) };
    return typedText(this.#way.typed(), this.#kind, promptEnd, whole);
  }

  #begin(commandId: number, text: string, origin: 'exec' | 'typed', key?: string): void {
    const { terminal, log, display } = this.#around;
    const between = display.began();
    this.#running = commandId;
    this.#reading.begin();
    log.begin({
      ...{ commandId, text, origin, between, within: this.within, started: Date.now() },
      startCwd: this.#session.directory ?? this.systemDirectory(),
      ...{ fromOffset: terminal.outputEnd(), fromLine: terminal.line() },
      ...(key === undefined ? {} : { key }),
    });
    terminal.changed();
  }
}
