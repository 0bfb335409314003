/**
 * A terminal whose program was started by this process: a program in a PTY, its history, and the requests that wait for
 * it. Closes what it opens. Does not depend on other terminals or API layers.
 */
import { join } from 'node:path';
import { monotonicMs } from '../clock.js';
import type { WriteOptions } from '../contract/manager.js';
import type { SignalName, TerminalInput, TerminalSize, TerminalStatus } from '../contract/terminal.js';
import type { HistoryFiles } from '../store/history-files.js';
import type { TerminalRecord } from '../store/terminal-record.js';
import { CommandLog, type KeptCommand } from '../shell/command-log.js';
import type { RecordLog } from '../store/record-log.js';
import { openCommandFile } from '../shell/command-file.js';
import type { ForegroundProcess } from '../processes/foreground.js';
import { HeldTerminal } from './held-terminal.js';
import { inactive } from './inactive.js';
import { checkInputSize } from './input-size.js';
import type { HistorySaver } from '../transcript/history-saver.js';
import { IntegratedShell } from '../shell/integrated-shell.js';
import type { HandedTerminal } from './handed-terminal.js';
import type { ShellTerminal } from '../shell/display.js';
import { Inputs } from './inputs.js';
import { encodeInput } from './keys.js';
import { commandNotice } from './notices.js';
import { PacedResizes } from './paced-resizes.js';
import { ReplyLimit } from './reply-limit.js';
import type { TerminalEvents, TerminalStart } from './terminal-start.js';
import { signalTerminal } from '../processes/kill.js';
import { openSaver } from '../transcript/open-saver.js';
import { perTerminal, type EngineOptions } from '../contract/options.js';
import { HAS_PROCESS_TABLE } from '../processes/process-table.js';
import type { TerminalProcesses } from '../processes/process-tree.js';
import { Pty, type PtyEvents, type PtyExit } from '../pty/pty.js';
import type { Integration } from '../shell/launch.js';
import { Transcript } from '../transcript/transcript.js';

/** Maximum length of the echo of a typed line. */
const MAX_TYPED_BYTES = 16 << 10;

export class Terminal extends HeldTerminal {
  readonly #events: TerminalEvents;
  readonly #pty: Pty;
  readonly #inputs: Inputs;
  readonly #saver: HistorySaver | null;
  readonly log: CommandLog;
  readonly shell: IntegratedShell | null;
  readonly #commandFile: RecordLog<KeptCommand> | null;
  readonly #sizes = new PacedResizes((size) => this.#resize(size));
  readonly #replyLimit = new ReplyLimit(monotonicMs);
  #exit: PtyExit | null = null;
  #endedAt: number | null = null;
  /** The directory in which the program was last seen. */
  #lastCwd: string | null = null;
  #isClosed = false;
  #isRemoved = false;
  /** On the monotonic clock. */
  readonly startedAt: number;
  protected readonly transcript: Transcript;

  /**
   * Starts a program.
   *
   * @throws `SPAWN_FAILED`, `UNSUPPORTED_PLATFORM`.
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
  static resume(handed: HandedTerminal, options: EngineOptions, events: TerminalEvents): Terminal {
    const settings = { ...options, ...handed.settings };
    return new Terminal(handed, settings, events, (ptyEvents) => Pty.adopt(handed.pty, handed.size, ptyEvents));
  }

  private constructor(
    start: Pick<HandedTerminal, 'identity' | 'size' | 'lastActivity'> &
      Partial<HandedTerminal> & { readonly integration?: Integration | null },
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
    this.#inputs = new Inputs(inputs);
    this.#exit = pty?.exit ?? null;
    this.#endedAt = endedAt;
    const { maxBufferLines: maxLines, maxBufferBytes: maxBytes } = options;
    const now = (): number => this.lastActivity;
    const onReply = (reply: string): void => this.#reply(reply);
    this.transcript = new Transcript({ id: identity.id, ...size, maxLines, maxBytes, now, onReply }, transcript);
    this.#pty = open({
      onRead: () => this.#replyLimit.onRead(),
      onData: (bytes) => this.#onData(bytes),
      onExit: (exit) => this.#onExit(exit),
      onClose: () => this.#onClose(),
    });
    this.#saver = openSaver(
      this.transcript,
      {
        ...{ id: identity.id, isBegun: isSaved, record: () => this.#record() },
        onBehind: (isBehind) => (isBehind ? this.#pty.pause() : this.#pty.resume()),
      },
      options,
    );
    const commandFile = this.#saver && openCommandFile(join(options.historyDir!, identity.id));
    this.#commandFile = commandFile;
    this.log = new CommandLog(start.commands, (command) => {
      commandFile?.append(command);
      this.notice(...commandNotice(command));
    });
    this.commands.outputs.resume(start.outputs ?? []);
    this.hold.resume(start.hold ?? null);
    this.log.resized(this.outputEnd, size.cols, size.rows);
    this.shell = this.#follow(start);
  }

  #follow({ integration, shell }: { integration?: Integration | null; shell?: HandedTerminal['shell'] }) {
    if (shell) return IntegratedShell.resume(shell, this.#asShellTerminal(), this.log);
    if (!integration) return null;
    return IntegratedShell.start(integration.kind, integration.files, this.pid, this.#asShellTerminal(), this.log);
  }

  #asShellTerminal(): ShellTerminal {
    return {
      show: (bytes) => this.#show(bytes),
      type: (input) => this.#pty.write(typeof input === 'string' ? Buffer.from(input) : input),
      outputEnd: () => this.outputEnd,
      line: () => this.transcript.view().resumeAt,
      column: () => this.screen('text').cursor.x,
      outputFrom: (offset) => Buffer.from(this.bytesFrom(offset, MAX_TYPED_BYTES)),
      ...{ columns: () => this.size.cols, cwd: () => this.cwd },
      changed: () => this.#changed(),
    };
  }

  get endsWithCommand(): boolean {
    return this.identity.endsWithCommand === true;
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

  /** Whether no output can follow any more: the last process is gone, or the terminal was removed. */
  get isOver(): boolean {
    return this.#isClosed || this.#isRemoved;
  }

  get files(): HistoryFiles | null {
    return this.#saver?.files ?? null;
  }

  get problem(): string | null {
    return this.#saver?.problem ?? null;
  }

  protected get foreground(): ForegroundProcess | null {
    return this.#pty.foreground();
  }

  protected get cwd(): string | null {
    return (this.#lastCwd = this.#pty.directory() ?? this.#lastCwd);
  }

  protected get inputCount(): number {
    return this.#inputs.count;
  }

  protected get recentInputs() {
    return this.#inputs.recent;
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
   * or `letGo` once the other process has the terminal. `onExit` reports the program's end in any case.
   */
  async handOver(): Promise<HandedTerminal> {
    if (this.isActive) this.#sizes.flush();
    const pty = this.#pty.handOver();
    // Everything read before has been appended by now; the saved history is complete.
    await this.#saver?.suspend();
    const shell = this.shell?.handOver() ?? null;
    await this.#commandFile?.flush();
    return {
      ...{ shell, commands: this.log.all, outputs: this.commands.outputs.handed },
      ...{ identity: this.identity, lastActivity: this.lastActivity, endedAt: this.#endedAt, pty },
      ...{ touchedAt: this.touchedAt, startedAt: this.startedAt, ending: this.ending },
      ...{
        size: this.transcript.size,
        inputs: this.#inputs.state,
        hold: this.hold.state,
        transcript: this.transcript.handOver(),
      },
      isSaved: this.#saver !== null,
      settings: perTerminal(this.options),
    };
  }

  takeBack(): void {
    this.shell?.takeBack();
    this.#saver?.resume();
    this.#pty.takeBack();
  }

  /** Releases everything, but stays the program's parent. */
  letGo(): void {
    this.isElsewhere = true;
    this.#isRemoved = true;
    this.#saver?.letGo();
    this.#pty.close();
    this.waiters.wake();
  }

  /** For a resumed terminal: reports how its program ended. */
  programEnded(exit: PtyExit): void {
    this.#pty.programEnded(exit);
  }

  /** Types into the terminal; returns the number of bytes typed: none if it is a repetition. */
  write(input: TerminalInput, { key, order }: Pick<WriteOptions, 'key' | 'order'> = {}): number {
    if (this.#inputs.has({ key, order })) return 0;
    this.#checkActive();
    const bytes = encodeInput(input, { applicationCursorKeys: this.transcript.applicationCursorKeys });
    checkInputSize(bytes.length, this.#pty.pendingInputBytes, this.options);
    this.touch();
    if (this.shell === null) this.#pty.write(bytes);
    else this.shell.type(bytes);
    this.#inputs.add({ time: this.lastActivity, bytes: bytes.length, key }, order);
    return bytes.length;
  }

  async resize(size: TerminalSize): Promise<void> {
    this.#checkActive();
    this.touch();
    return this.#sizes.add(size);
  }

  /** The program's terminal first: if the kernel refuses, nothing has changed. */
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
    } catch (error) {
      this.#contain(error as NodeJS.ErrnoException);
    }
  }

  /** Contains a bug triggered by one program's output: ends that terminal, not the host with all its terminals. */
  #contain(error: NodeJS.ErrnoException): void {
    // A system error, such as a lack of resources, is not caused by this terminal.
    if (error.errno !== undefined) throw error;
    this.options.log('error', 'Output could not be processed; the terminal is ended', {
      terminalId: this.id,
      error: error.stack,
    });
    this.#pty.close();
    void this.kill('SIGKILL', 0, { reason: 'unknown' });
  }

  #show(bytes: Uint8Array): void {
    const before = this.transcript.title;
    this.transcript.append(bytes);
    if (this.transcript.title !== before) this.notice(this.outputEnd, { type: 'title', title: this.transcript.title });
    this.#events.onOutput(bytes.length);
    this.#changed();
  }

  #onExit(exit: PtyExit): void {
    this.touch(false);
    this.shell?.exited(exit);
    this.#exit = exit;
    this.#endedAt = this.lastActivity;
    this.#changed();
    this.#events.onExit(exit);
  }

  #onClose(): void {
    this.#isClosed = true;
    if (this.#isRemoved) return;
    this.transcript.finish();
    this.#changed();
    void this.#saver?.flush();
  }

  #changed(): void {
    this.#saver?.noteChange();
    this.waiters.wake();
  }

  /** Only the emulator answers the program's queries. */
  #reply(reply: string): void {
    if (!this.#replyLimit.admits(reply.length, this.#pty.pendingInputBytes)) return;
    this.#pty.write(Buffer.from(reply, 'latin1'));
    this.shell?.replied(Buffer.from(reply, 'latin1'));
  }

  #record(): TerminalRecord {
    const { id, file, args, startCwd, created, name, labels, timeLimitMs } = this.identity;
    return {
      version: 1,
      ...{ id, pid: this.pid, startTime: this.#pty.startTime },
      ...{ file, args: [...args], startCwd, cwd: this.cwd, created, name, labels: { ...labels } },
      ...{ lastActivity: this.lastActivity, saved: Date.now(), inputCount: this.#inputs.count },
      exit: this.#exit === null ? null : { ...this.#exit, ended: this.#endedAt! },
      ...{ ending: this.ending, timeLimitMs, lastCommand: this.lastCommand, maxDiskBytes: this.options.maxDiskBytes },
      tail: this.transcript.tail() as TerminalRecord['tail'],
    };
  }

  #checkActive(): void {
    if (!this.isActive || this.#isRemoved) throw this.inactive();
  }

  inactive() {
    return inactive(this.id, this.#exit ?? { exitCode: null, signal: null }, 'create a new terminal');
  }
}
