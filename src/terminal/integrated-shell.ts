/**
 * A shell that says what it does: takes its marks out of the output, keeps the log of its commands, and has commands
 * run in it. It owns the files and timers of that; it knows no pseudo-terminal and no reader.
 */
import { randomBytes } from 'node:crypto';
import type { CommandLog } from '../shell/command-log.js';
import { probeInput } from '../shell/input-probe.js';
import type { InputProbe } from '../shell/input-probe.js';
import { MarkFilter } from '../shell/mark-filter.js';
import type { Mark } from '../shell/marker.js';
import { ScriptFiles } from '../shell/script-files.js';
import { ShellSession } from '../shell/session.js';
import type { CommandEnd, Refusal, SessionData, SessionEffects, SessionState } from '../shell/session.js';
import {
  commandLine,
  hasParkKey,
  KILL_LINE,
  loadLine,
  PARK_KEY,
  saysTyped,
  shellKind,
  UNPARK_KEY,
} from '../shell/shells.js';
import type { ShellKind } from '../shell/shells.js';
import { KeptTyping } from '../shell/kept-typing.js';
import { asTyped } from '../shell/shown.js';
import { typedText } from '../shell/typed-text.js';
import { TerminalError } from '../errors.js';
import { directoryOf, nameOf } from './foreground.js';
import { readProcess } from './process-table.js';
import { ShellDisplay } from './shell-display.js';
import type { HandedDisplay, ShellTerminal } from './shell-display.js';

/** A command that is to be run. */
interface WantedCommand {
  readonly commandId: number;
  readonly text: string;
  /** See `KeptCommand`. */
  readonly key?: string | undefined;
}

/** All that is needed to go on with a shell in another process. */
export interface HandedShell {
  readonly kind: ShellKind;
  readonly directory: string;
  readonly nonce: string;
  readonly session: SessionData;
  /** Base64: taken in, not given out. */
  readonly pending: string;
  /** Base64: typed by somebody, not given to the shell yet. */
  readonly kept?: string;
  readonly display: HandedDisplay;
  readonly wanted: WantedCommand | null;
  readonly running: number | null;
}

const NONCE_BYTES = 12;

const LF = 0x0a;
const INTERRUPT_BYTE = 0x03;
/** Ctrl-C. */
const INTERRUPT = '\x03';

/** Where fish complains of a function that it does not know, and the prompt behind that. */
const UNKNOWN_BYTES = 1000;

/** Another after each exec. */
function programOf(pid: number): number | null {
  return readProcess(pid)?.environmentAddress ?? null;
}

export function newScriptFiles(parent: string | null, terminalId: string): ScriptFiles {
  return ScriptFiles.create(parent, terminalId, randomBytes(NONCE_BYTES).toString('base64url'));
}

export class IntegratedShell implements SessionEffects {
  #kind: ShellKind;
  readonly pid: number;
  readonly #files: ScriptFiles;
  readonly #terminal: ShellTerminal;
  readonly #log: CommandLog;
  readonly #filter: MarkFilter;
  readonly #session: ShellSession;
  readonly #display: ShellDisplay;
  readonly #kept = new KeptTyping();
  #wanted: WantedCommand | null = null;
  readonly #refused = new Map<number, Refusal>();
  /** The command that runs, by its number in the log. */
  #running: number | null = null;
  #endSignal: string | null = null;
  /** Tells whether the shell has made itself another program since the command began. */
  #program: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param pid - Of the shell. */
  static start(kind: ShellKind, files: ScriptFiles, pid: number, terminal: ShellTerminal, log: CommandLog) {
    return new IntegratedShell(kind, files, pid, terminal, log);
  }

  static resume(handed: HandedShell, terminal: ShellTerminal, log: CommandLog): IntegratedShell {
    const files = new ScriptFiles(handed.directory, handed.nonce);
    return new IntegratedShell(handed.kind, files, handed.session.instance, terminal, log, handed);
  }

  private constructor(
    kind: ShellKind,
    files: ScriptFiles,
    pid: number,
    terminal: ShellTerminal,
    log: CommandLog,
    handed?: HandedShell,
  ) {
    this.#kind = kind;
    this.pid = pid;
    this.#files = files;
    this.#terminal = terminal;
    this.#log = log;
    this.#display = new ShellDisplay(terminal, handed?.display);
    const output = { onText: (bytes: Buffer) => this.#onText(bytes), onMark: (mark: Mark) => this.#onMark(mark) };
    this.#filter = new MarkFilter(files.nonce, output, handed && Buffer.from(handed.pending, 'base64'));
    this.#session = new ShellSession(pid, this, handed?.session);
    if (handed === undefined) return;
    this.#wanted = handed.wanted;
    this.#running = handed.running;
    this.#kept.add(Buffer.from(handed.kept ?? '', 'base64'));
    this.#arm();
  }

  /** To be called when nothing is taken any more. */
  handOver(): HandedShell {
    clearTimeout(this.#timer);
    return {
      ...{ kind: this.#kind, directory: this.#files.directory, nonce: this.#files.nonce },
      ...{ session: this.#session.data, pending: this.#filter.pending.toString('base64') },
      kept: this.#kept.peek().toString('base64'),
      ...{ display: this.#display.handed, wanted: this.#wanted, running: this.#running },
    };
  }

  takeBack(): void {
    this.#arm();
  }

  get state(): SessionState {
    return this.#session.state;
  }

  /** The command that runs, typed ones too. */
  get running(): number | null {
    return this.#running;
  }

  get isFree(): boolean {
    return this.#session.isFree;
  }

  /** Directory of the shell as it last said. */
  get directory(): string | null {
    return this.#session.directory;
  }

  /** Where the system says that the shell is; null where it does not. */
  systemDirectory(): string | null {
    return directoryOf(this.pid);
  }

  /** Who waits for input, as the kernel says. */
  probe(): InputProbe {
    return probeInput({ pid: this.pid });
  }

  /** Whether the shell, if it is what reads the terminal, takes a line there and is not running a `read`. */
  isAtLineEditor(): boolean {
    if (this.#program !== null && this.#program !== programOf(this.pid)) return true;
    if (!this.#terminal.isPasteTold()) return false;
    // The `read` of fish has a line editor too; that a function of ours is gone, fish says aloud.
    return this.#kind !== 'fish' || this.#hasSaidUnknown();
  }

  #hasSaidUnknown(): boolean {
    const end = this.#terminal.outputEnd();
    return this.#terminal.outputFrom(end - UNKNOWN_BYTES).includes('__tenacitty_d');
  }

  /** Types Ctrl-C. */
  interrupt(): void {
    this.#terminal.type(INTERRUPT);
  }

  /** Takes in what the shell and its programs write. */
  take(bytes: Uint8Array): void {
    this.#filter.take(bytes);
    this.#arm();
  }

  /** Types what somebody has typed, as soon as it cannot get into a line of ours. */
  type(bytes: Uint8Array): void {
    this.#kept.add(bytes);
    if (bytes.includes(INTERRUPT_BYTE) || this.#kept.isTooMuch) this.typeKept();
    this.#arm();
  }

  typeKept(): void {
    for (const bytes of this.#kept.take()) {
      this.#note(bytes);
      this.#terminal.type(bytes);
    }
  }

  /** Whoever types into a command that goes on wants to be heard, though something of theirs is put by. */
  #typeDue(): void {
    if (!this.#session.isMakingLine) this.typeKept();
    this.#arm();
  }

  #note(bytes: Uint8Array): void {
    const submits = bytes.includes(0x0d) || bytes.includes(0x0a);
    const isControl = bytes.every((byte) => byte < 0x20 && byte !== 0x1b && byte !== 0x09);
    if (bytes.includes(INTERRUPT_BYTE)) this.#session.typedInterrupt();
    if (submits || !isControl) this.#session.typed(submits);
  }

  /** The number of the command that was asked for with this key, if there is one that begins or has begun. */
  numberOf(key: string): number | undefined {
    return this.#wanted?.key === key ? this.#wanted.commandId : this.#log.numberOf(key);
  }

  /**
   * Asks for a command to be run; gives its number. To be called where `isFree`.
   *
   * @throws `WRITE_FAILED` if the disk does not take its text.
   */
  want(text: string, key?: string): number {
    const commandId = this.#log.nextId();
    this.#write(commandId, text);
    this.#wanted = { commandId, text, key };
    this.#session.want(commandId, Date.now());
    this.#arm();
    return commandId;
  }

  #write(commandId: number, text: string): void {
    try {
      this.#files.writeCommand(commandId, text);
    } catch (cause) {
      const message = `The command could not be given to the shell: ${(cause as Error).message}`;
      throw new TerminalError('WRITE_FAILED', message, {}, { cause });
    }
  }

  /** See `ShellSession.unwant`. */
  unwant(commandId: number): boolean {
    const isUnwanted = this.#session.unwant(commandId);
    if (isUnwanted) this.#files.removeCommand(commandId);
    return isUnwanted;
  }

  /** Why a command that was asked for was not run; told once. */
  refusalOf(commandId: number): Refusal | undefined {
    const refusal = this.#refused.get(commandId);
    this.#refused.delete(commandId);
    return refusal;
  }

  /** See `ShellSession.shellReads`. */
  shellReads(): void {
    this.#session.shellReads(Date.now());
    this.#arm();
  }

  /** The shell has ended, and all it wrote was taken. */
  exited({ exitCode, signal }: { readonly exitCode: number | null; readonly signal: string | null }): void {
    this.#filter.end();
    this.#endSignal = signal;
    this.#session.exited(exitCode);
    if (this.#display.isHeld) this.release('output');
    this.close();
  }

  /** Gives up everything; the log stays. */
  close(): void {
    clearTimeout(this.#timer);
    this.#kept.take();
    this.#files.remove();
  }

  // --- what the session wants -----------------------------------------------------------------------

  send(command: number): void {
    this.#program = programOf(this.pid);
    this.#display.hold();
    this.#terminal.type(commandLine(this.#kind, command));
  }

  get hasParkKey(): boolean {
    return hasParkKey(this.#kind);
  }

  park(): void {
    this.#terminal.type(hasParkKey(this.#kind) ? PARK_KEY : KILL_LINE);
  }

  unpark(): void {
    if (hasParkKey(this.#kind)) this.#terminal.type(UNPARK_KEY);
  }

  heal(): void {
    // It may have made itself another kind of shell.
    this.#kind = shellKind(nameOf(this.pid) ?? '') ?? this.#kind;
    this.#display.hold();
    try {
      this.#terminal.type(loadLine(this.#kind, this.#files.script(this.#kind)));
    } catch {
      // The disk does not take it: that the shell does not answer says so in time.
    }
  }

  release(heldBack: 'echo' | 'output'): void {
    this.#display.release(heldBack);
  }

  began(command: number): void {
    const { text, key } = this.#wanted!;
    this.#wanted = null;
    this.#display.show(asTyped(text));
    this.#begin(command, text, 'exec', key);
  }

  typedBegan(): void {
    this.#begin(this.#log.nextId(), this.#typedText(), 'typed');
  }

  withdrawn(): void {
    this.#log.withdraw(this.#running!);
    this.#running = null;
  }

  #typedText(): string {
    return typedText(this.#files.typed(), this.#kind, this.#display.promptEnd, this.#display.echo);
  }

  ended({ exitCode, directory, via }: CommandEnd): void {
    const command = this.#running!;
    const isHooked = via === 'prompt' && this.#kind === 'zsh';
    const toOffset = this.#terminal.outputEnd() - (isHooked ? this.#display.zshLineEndBytes : 0);
    this.#running = null;
    this.#log.end(command, {
      ...{ exitCode: this.#endSignal === null ? exitCode : null, signal: this.#endSignal, via },
      directory: directory ?? this.systemDirectory(),
      ...{ ended: Date.now(), toOffset, toLine: this.#terminal.line() },
    });
    this.#files.removeCommand(command);
    this.#display.ended(exitCode);
    this.#terminal.changed();
  }

  refused(command: number, why: Refusal): void {
    this.#wanted = null;
    this.#files.removeCommand(command);
    this.#refused.set(command, why);
    this.#terminal.changed();
  }

  // --- output ---------------------------------------------------------------------------------------

  #begin(commandId: number, text: string, origin: 'exec' | 'typed', key?: string): void {
    const between = this.#display.began();
    this.#running = commandId;
    this.#log.begin({
      ...{ commandId, text, origin, between, within: null, started: Date.now() },
      startDirectory: this.#session.directory ?? this.systemDirectory(),
      ...{ fromOffset: this.#terminal.outputEnd(), fromLine: this.#terminal.line() },
      ...(key === undefined ? {} : { key }),
    });
    this.#terminal.changed();
  }

  #onMark(mark: Mark): void {
    if (mark.verb === 'promptEnd') this.#display.promptEnded(mark.history);
    this.#session.take(mark, Date.now());
    const { state, directory } = this.#session;
    if (state !== 'running') this.#display.directory(directory);
    // Not when a command begins: it may be another program by the time that is heard.
    if (state === 'prompt' || mark.verb === 'loaded') this.#program = programOf(this.pid);
    if (mark.verb === 'promptStart') this.#display.promptBegan();
    if (mark.verb === 'promptEnd') this.#display.isBetween = state === 'prompt';
  }

  #onText(bytes: Buffer): void {
    const output = this.#display.isHeld ? bytes : this.#afterTypedLine(bytes);
    const { state } = this.#session;
    this.#display.output(output, this.#running === null && state !== 'typing' && state !== 'submitted');
  }

  /** Shells without hooks do not say that a command begins: it does behind the line that was typed, if there is one. */
  #afterTypedLine(bytes: Buffer): Buffer {
    const end = this.#session.state === 'submitted' && !saysTyped(this.#kind) ? bytes.indexOf(LF) + 1 : 0;
    if (end === 0) return bytes;
    this.#display.show(bytes.subarray(0, end));
    if (this.#typedText() !== '') this.#session.lineTaken();
    return bytes.subarray(end);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#session.takesTyping) this.typeKept();
    else this.#kept.whenDue(() => this.#typeDue());
    const { dueAt } = this.#session;
    if (dueAt === null) return;
    this.#timer = setTimeout(
      () => {
        this.#session.tick(Date.now());
        this.#arm();
        this.#terminal.changed();
      },
      Math.max(0, dueAt - Date.now()) + 1,
    );
  }
}
