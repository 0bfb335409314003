/**
 * Implements a terminal whose PTY this process holds: its program, history and waiting requests. Closes what it opens.
 */
import { join } from 'node:path';
import { monotonicMs } from '../clock.js';
import type { Caller } from '../contract/caller.js';
import type { WriteOptions } from '../contract/manager.js';
import type { SignalName, TerminalInput, TerminalSize, TerminalStatus } from '../contract/terminal.js';
import type { AnswerQuestion } from '../contract/waiting.js';
import type { HistoryFiles } from '../store/history-files.js';
import type { TerminalRecord } from '../store/terminal-record.js';
import { CommandLog, type LoggedCommand } from '../shell/command-log.js';
import type { RecordLog } from '../store/record-log.js';
import { openCommandFile } from '../shell/command-file.js';
import type { ForegroundProcess } from '../processes/foreground.js';
import { BaseTerminal } from './base-terminal.js';
import { inactive } from './inactive.js';
import { checkInputSize } from './input/input-size.js';
import type { HistorySaver } from '../transcript/history-saver.js';
import { mayPause } from '../shell/may-pause.js';
import { ShellStack } from '../shell/shell-stack.js';
import type { TerminalHandOff } from './terminal-hand-off.js';
import type { ShellTerminal } from '../shell/display.js';
import { answerInput } from './questions/answer-input.js';
import { InputHistory } from './input/input-history.js';
import { encodeInput } from './input/keys.js';
import { commandNotice, type Notice } from './notices.js';
import { changeOf } from './terminal-changes.js';
import { PacedResizes } from './paced-resizes.js';
import { recordOf } from './record-of.js';
import { ReplyLimit } from './reply-limit.js';
import type { TerminalEvents, TerminalParts, TerminalStart } from './terminal-start.js';
import { signalTerminal } from '../processes/kill.js';
import { openSaver } from '../transcript/open-saver.js';
import { perTerminal, type EngineOptions } from '../contract/options.js';
import { HAS_PROCESS_TABLE } from '../processes/process-table.js';
import type { TerminalProcesses } from '../processes/process-tree.js';
import { Pty, type PtyEvents, type PtyExit } from '../pty/pty.js';
import { Transcript } from '../transcript/transcript.js';

/** Maximum length of the echo of a typed line. */
const MAX_TYPED_BYTES = 16 << 10;

export class Terminal extends BaseTerminal {
  readonly #events: TerminalEvents;
  readonly #pty: Pty;
  readonly #inputs: InputHistory;
  readonly #saver: HistorySaver | null;
  readonly log: CommandLog;
  readonly shell: ShellStack | null;
  readonly #commandFile: RecordLog<LoggedCommand> | null;
  readonly #sizes = new PacedResizes((size) => this.#resize(size));
  readonly #replyLimit = new ReplyLimit(monotonicMs);
  #exit: PtyExit | null = null;
  #endedAt: number | null = null;
  /** The directory that the program was last seen in. */
  #lastCwd: string | null = null;
  #isClosed = false;
  #isRemoved = false;
  /** On the monotonic clock. */
  readonly startedAt: number;
  readonly transcript: Transcript;

  /**
   * Starts a program.
   *
   * @throws `SPAWN_FAILED` if the system refuses to start it, `UNSUPPORTED_PLATFORM` if there are no terminals here.
   */
  static start(
    id: string,
    { launch, integration, ...rest }: TerminalStart,
    size: { readonly cols: number; readonly rows: number },
    options: EngineOptions,
    events: TerminalEvents,
  ): Terminal {
    const created = Date.now();
    const identity = { id, file: launch.file, args: launch.args, startCwd: launch.cwd, created, ...rest };
    const started = integration?.launch ?? launch;
    const open = (ptyEvents: PtyEvents): Pty => Pty.spawn({ ...started, ...size }, ptyEvents);
    return new Terminal({ identity, size, lastActivity: created, integration }, options, events, open);
  }

  /** Takes over a terminal from another process (`handOver`), which stays the program's parent. */
  static resume(handed: TerminalHandOff, options: EngineOptions, events: TerminalEvents): Terminal {
    const settings = { ...options, ...handed.settings };
    return new Terminal(handed, settings, events, (ptyEvents) => Pty.adopt(handed.pty, handed.size, ptyEvents));
  }

  private constructor(
    start: TerminalParts,
    options: EngineOptions,
    events: TerminalEvents,
    open: (events: PtyEvents) => Pty,
  ) {
    const { identity, size, lastActivity, inputs, transcript, pty, endedAt = null, isSaved = false } = start;
    super(identity, options, lastActivity, start.touchedAt);
    this.ending = start.ending ?? null;
    this.startedAt = start.startedAt ?? monotonicMs();
    // Valid until the program is seen in another directory.
    if (HAS_PROCESS_TABLE) this.#lastCwd = identity.startCwd;
    this.#events = events;
    this.#inputs = new InputHistory(inputs);
    this.#exit = pty?.exit ?? null;
    this.#endedAt = endedAt;
    const limits = { maxLines: options.maxBufferLines, maxBytes: options.maxBufferBytes };
    const told = { now: () => this.lastActivity, onReply: (reply: string) => this.#reply(reply) };
    this.transcript = new Transcript({ id: identity.id, ...size, ...limits, ...told }, transcript);
    this.#pty = open({
      onRead: () => this.#replyLimit.onRead(),
      onData: (bytes) => this.#onData(bytes),
      onExit: (exit) => this.#onExit(exit),
      onClose: () => this.#onClose(),
    });
    const onBehind = (isBehind: boolean): void => (isBehind ? this.#pty.pause('disk') : this.#pty.resume('disk'));
    const saved = { id: identity.id, isBegun: isSaved, record: () => this.#record(), onBehind };
    this.#saver = openSaver(this.transcript, saved, options);
    this.#commandFile = this.#saver && openCommandFile(join(options.historyDir!, identity.id));
    this.log = new CommandLog(start.commands, (command) => {
      this.#commandFile?.append(command);
      this.notice(...commandNotice(command));
    });
    this.commands.outputs.resume(start.outputs ?? []);
    this.hold.resume(start.hold ?? null);
    this.hold.pressure.maxSilenceMs = options.maxHolderSilenceMs;
    this.hold.pressure.onPause = (isPaused) => (isPaused ? this.#pty.pause('holder') : this.#pty.resume('holder'));
    this.log.resized(this.outputEnd, size.cols, size.rows);
    this.shell = this.#follow(start);
    this.questions.resume(start.asked);
  }

  #follow({ integration, shell }: TerminalParts): ShellStack | null {
    if (shell) return ShellStack.resume(shell, this.#asShellTerminal(), this.log);
    if (!integration) return null;
    return ShellStack.start(integration.kind, integration.files, this.pid, this.#asShellTerminal(), this.log);
  }

  #asShellTerminal(): ShellTerminal {
    return {
      show: (bytes) => this.#show(bytes),
      type: (input) => this.#pty.write(typeof input === 'string' ? Buffer.from(input) : input),
      outputEnd: () => this.outputEnd,
      ...{ line: () => this.transcript.view().resumeAt, column: () => this.screen('text').cursor.x },
      outputFrom: (offset) => Buffer.from(this.bytesFrom(offset, MAX_TYPED_BYTES)),
      ...{ columns: () => this.size.cols, cwd: () => this.cwd },
      ...{ isPaused: () => this.#pty.isPaused || this.#pty.isBehind, typist: () => this.#inputs.by ?? undefined },
      changed: () => this.#changed(),
    };
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get status(): TerminalStatus {
    return this.#exit === null ? 'active' : 'exited';
  }

  get exit(): PtyExit | null {
    return this.#exit;
  }

  get endedAt(): number | null {
    return this.#endedAt;
  }

  /** Whether all output has arrived: the last process has exited, or the terminal has been removed. */
  get isOver(): boolean {
    return this.#isClosed || this.#isRemoved;
  }

  get files(): HistoryFiles | null {
    return this.#saver?.files ?? null;
  }

  get problem(): string | null {
    return this.#saver?.problem ?? null;
  }

  get foreground(): ForegroundProcess | null {
    return this.#pty.foreground();
  }

  protected get cwd(): string | null {
    return (this.#lastCwd = this.#pty.directory() ?? this.#lastCwd);
  }

  protected get inputs() {
    return this.#inputs.shown;
  }

  get processes(): TerminalProcesses {
    return { pid: this.pid, terminalId: this.id, startTime: this.#pty.startTime };
  }

  /** Resolves when the terminal could be recovered if this process were killed now. */
  async saved(): Promise<void> {
    await this.#saver?.flushSoon();
  }

  /**
   * Stops reading and writing, and returns what another process needs to take over. Afterwards call either `takeBack`,
   * or `release` once the other process has the terminal. `onExit` reports the program's end in any case.
   */
  async handOver(): Promise<TerminalHandOff> {
    if (this.isActive) this.#sizes.flush();
    this.questions.stop();
    const pty = this.#pty.handOver();
    // Everything read earlier has been appended by now, so the saved history is complete.
    await this.#saver?.suspend();
    const shell = this.shell?.handOver() ?? null;
    await this.#commandFile?.flush();
    return {
      ...{ shell, commands: this.log.all, outputs: this.commands.outputs.handOffState },
      ...{ identity: this.identity, lastActivity: this.lastActivity, endedAt: this.#endedAt, pty },
      ...{ touchedAt: this.touchedAt, startedAt: this.startedAt, ending: this.ending, size: this.size },
      ...{ inputs: this.#inputs.state, hold: this.hold.state, asked: this.questions.state },
      ...{ transcript: this.transcript.handOver(), isSaved: this.#saver !== null, settings: perTerminal(this.options) },
    };
  }

  takeBack(): void {
    this.shell?.takeBack();
    this.#saver?.resume();
    this.#pty.takeBack();
    this.questions.resume();
  }

  /** Releases everything, but stays the program's parent. */
  letGo(): void {
    this.isHandedOff = true;
    this.#isRemoved = true;
    this.#saver?.release();
    this.#pty.close();
    this.waiters.wake();
  }

  /** For a resumed terminal: reports how its program ended. */
  programEnded(exit: PtyExit): void {
    this.#pty.programEnded(exit);
  }

  /** Types into the terminal; returns the number of bytes typed, which is 0 for a repetition. */
  write(input: TerminalInput, { hold, ...options }: WriteOptions = {}): number {
    if (this.#inputs.has(options)) return 0;
    this.hold.check(hold, true);
    this.#checkActive();
    return this.#type(input, options);
  }

  /** Types the answer to its program's question, even while a caller holds it; returns the number of bytes typed. */
  async answer({ waiting, ...answer }: AnswerQuestion, by: Caller): Promise<number> {
    this.#checkActive();
    return this.questions.answer(waiting, (kind) => this.#type(answerInput(answer, kind), { by }));
  }

  #type(input: TerminalInput, { key, order, by }: Pick<WriteOptions, 'key' | 'order' | 'by'>): number {
    const bytes = encodeInput(input, { applicationCursorKeys: this.transcript.applicationCursorKeys });
    checkInputSize(bytes.length, this.#pty.pendingInputBytes, this.options);
    this.touch();
    if (this.shell === null) this.#pty.write(bytes);
    else this.shell.type(bytes);
    this.questions.typed(bytes);
    this.#inputs.add({ time: this.lastActivity, bytes: bytes.length, key }, { order, by });
    return bytes.length;
  }

  async resize(size: TerminalSize): Promise<void> {
    this.#checkActive();
    this.touch();
    return this.#sizes.add(size);
  }

  /** Resizes the PTY first, so that nothing has changed if the kernel refuses. */
  #resize({ cols, rows }: TerminalSize): void {
    this.#checkActive();
    this.#pty.resize(cols, rows);
    this.transcript.resize(cols, rows);
    this.resizes.add(this.outputEnd, { cols, rows });
    this.log.resized(this.outputEnd, cols, rows);
    this.#changed();
  }

  async signal(signal: SignalName, target: 'foreground' | 'all'): Promise<void> {
    this.#checkActive();
    this.touch();
    await signalTerminal(this.processes, signal, target);
  }

  clear(): void {
    this.transcript.clear();
    void this.#saver?.clear();
    this.waiters.wake();
  }

  async close(): Promise<void> {
    this.#end();
    await this.#saver?.close();
  }

  remove(): void {
    this.#end();
    this.#saver?.remove();
  }

  #end(): void {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    this.questions.stop();
    this.commands.outputs.clear();
    this.shell?.close();
    this.#pty.close();
    this.transcript.finish();
    this.waiters.wake();
  }

  #onData(bytes: Uint8Array): void {
    this.touch(false);
    try {
      if (this.shell === null) this.#show(bytes);
      else this.shell.take(bytes);
      this.questions.changed();
    } catch (error) {
      this.#contain(error as NodeJS.ErrnoException);
    }
  }

  /** Contains a bug that one program's output triggers: ends that terminal, not the host with all its terminals. */
  #contain(error: NodeJS.ErrnoException): void {
    // A system error, such as a lack of resources, is not caused by this terminal.
    if (error.errno !== undefined) throw error;
    const about = { terminalId: this.id, error: error.stack };
    this.options.log('error', 'Output could not be processed; the terminal is ended', about);
    this.#pty.close();
    void this.kill('SIGKILL', 0, { reason: 'unknown' });
  }

  #show(bytes: Uint8Array): void {
    const before = this.transcript.title;
    this.transcript.append(bytes);
    if (this.transcript.title !== before) this.notice(this.outputEnd, { type: 'title', title: this.transcript.title });
    this.#events.onOutput(bytes.length);
    if (mayPause(this.shell)) this.hold.pressure.printed(this.outputEnd);
    this.#changed();
  }

  #onExit(exit: PtyExit): void {
    this.touch(false);
    this.shell?.exited(exit);
    this.#exit = exit;
    this.#endedAt = this.lastActivity;
    this.questions.ended();
    this.#changed();
    this.#events.onChange({ type: 'ended', terminalId: this.id, endedBy: this.endedBy!, ...exit });
    this.#events.onExit(exit);
  }

  #onClose(): void {
    this.#isClosed = true;
    if (this.#isRemoved) return;
    this.transcript.finish();
    this.#changed();
    void this.#saver?.flush();
  }

  protected override notice(offset: number, notice: Notice): void {
    super.notice(offset, notice);
    const change = changeOf(this, notice);
    if (change !== null) this.#events.onChange(change);
  }

  #changed(): void {
    this.#saver?.noteChange();
    this.questions.changed();
    this.waiters.wake();
  }

  /** Types a reply. Only the emulator replies to the program's queries. */
  #reply(reply: string): void {
    if (!this.#replyLimit.admits(reply.length, this.#pty.pendingInputBytes)) return;
    this.#pty.write(Buffer.from(reply, 'latin1'));
    this.shell?.replied(Buffer.from(reply, 'latin1'));
  }

  #record(): TerminalRecord {
    return recordOf(this.identity, {
      ...{ pid: this.pid, startTime: this.#pty.startTime, cwd: this.cwd, lastActivity: this.lastActivity },
      ...{ inputCount: this.#inputs.count, ending: this.ending, lastCommand: this.lastCommand },
      exit: this.#exit === null ? null : { ...this.#exit, ended: this.#endedAt! },
      ...{ maxDiskBytes: this.options.maxDiskBytes, tail: this.transcript.tail() as TerminalRecord['tail'] },
    });
  }

  #checkActive(): void {
    if (!this.isActive || this.#isRemoved) throw this.inactive();
  }

  inactive() {
    return inactive(this.id, this.#exit ?? { exitCode: null, signal: null }, 'create a new terminal');
  }
}
