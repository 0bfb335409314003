/**
 * Implements a terminal found on disk whose program has ended or was lost with the process that held it. It can be
 * read, but produces no more output. Its files are opened when more than its identity is requested.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isOver, type LastCommand } from '../contract/command-state.js';
import type { TerminalStatus } from '../contract/terminal.js';
import type { TerminalError } from '../errors.js';
import { countLost } from '../history/spans.js';
import type { HistoryTail } from '../history/store.js';
import { bytesIn } from '../store/disk-use.js';
import { CommandLog } from '../shell/command-log.js';
import { HistoryFiles } from '../store/history-files.js';
import { readRecord, writeRecord } from '../store/record-file.js';
import { RECORD_NAME, terminalRecord } from '../store/terminal-record.js';
import type { TerminalRecord } from '../store/terminal-record.js';
import { TRACK_NAME, TrackFile } from '../store/track-file.js';
import { readCommandFile } from '../shell/command-file.js';
import { BaseTerminal } from './base-terminal.js';
import { inactive } from './inactive.js';
import { lastLinesOfTail, type LastLines } from './last-lines.js';
import type { EngineOptions } from '../contract/options.js';
import type { TerminalProcesses } from '../processes/process-tree.js';
import { PastTranscript } from '../transcript/past-transcript.js';
import { unknownRecord } from './unknown-record.js';

export class PastTerminal extends BaseTerminal {
  readonly #path: string;
  #record: TerminalRecord;
  #log: CommandLog | null = null;
  /** Valid until the files are opened. */
  #diskBytes: number | undefined;
  #opened: { readonly files: HistoryFiles; readonly transcript: PastTranscript } | null = null;

  /** Why its identity is unknown; null if it is known. */
  readonly recordProblem: string | null;

  /**
   * @param path - The terminal's own directory.
   * @param recordProblem - Why the record is only a substitute; null if it is the terminal's own record.
   */
  constructor(path: string, record: TerminalRecord, options: EngineOptions, recordProblem: string | null = null) {
    super(record, { ...options, maxDiskBytes: record.maxDiskBytes }, record.lastActivity);
    this.#path = path;
    this.#record = record;
    this.recordProblem = recordProblem;
    // It is unknown how a lost terminal ended.
    this.ending = record.exit === null ? null : record.ending;
  }

  get pid(): number {
    return this.#record.pid;
  }

  get status(): TerminalStatus {
    return this.#record.exit === null ? 'lost' : 'exited';
  }

  get exit(): { exitCode: number | null; signal: string | null } {
    const { exitCode = null, signal = null } = this.#record.exit ?? {};
    return { exitCode, signal };
  }

  /** For a lost terminal: when it was last known to be running. */
  get endedAt(): number {
    return this.#record.exit?.ended ?? this.#record.saved;
  }

  readonly isOver = true;

  get files(): HistoryFiles {
    return this.#open().files;
  }

  /** Damaged data cannot be repaired, but missing lines are reported. Finding them reads all held data once. */
  get problem(): string | null {
    const lost = countLost(this.files.lostLines);
    const lostLines = lost === 0 ? null : `${lost} lines on disk are damaged and cannot be read`;
    return [this.recordProblem, lostLines].filter((one) => one !== null).join('; ') || null;
  }

  override get isStored(): boolean {
    return true;
  }

  override get diskBytes(): number {
    return this.#opened?.files.bytes ?? (this.#diskBytes ??= bytesIn(this.#path));
  }

  override get oldestSegmentTime(): number | null {
    return this.#opened === null ? this.#record.created : this.#opened.files.oldestSegmentTime;
  }

  override get heldBytes(): number {
    return this.#opened?.transcript.heldBytes ?? 0;
  }

  override get size(): { cols: number; rows: number } {
    const { cols, rows } = this.#record.tail.screen.text;
    return { cols, rows };
  }

  override get title(): string {
    return this.#record.tail.screen.text.title;
  }

  override lastLines(): LastLines {
    return this.#opened === null ? lastLinesOfTail(this.#record.tail) : super.lastLines();
  }

  get transcript(): PastTranscript {
    return this.#open().transcript;
  }

  readonly foreground = null;

  protected get cwd(): string | null {
    return this.#record.cwd;
  }

  /** Taken from the record, which may be a second older than the list of commands; that list is read on demand. */
  protected override get lastCommand(): LastCommand | null {
    if (this.#log !== null) return super.lastCommand;
    const last = this.#record.lastCommand;
    if (last === null || isOver(last)) return last;
    return { ...last, state: this.status === 'lost' ? 'lost' : 'completed', exitCode: this.exit.exitCode };
  }

  protected get inputs() {
    return { inputCount: this.#record.inputCount, recentInputs: [], lastTypedBy: null };
  }

  get processes(): TerminalProcesses {
    const { pid, id, startTime } = this.#record;
    // Without a start time, the pid may have been reused by another process. 0 matches no process; the processes are
    // then found by their mark.
    return { pid: startTime === null ? 0 : pid, terminalId: id, startTime };
  }

  readonly shell = null;

  get log(): CommandLog {
    return (this.#log ??= this.#readLog());
  }

  write(): never {
    throw this.inactive();
  }

  answer(): never {
    throw this.inactive();
  }

  resize(): never {
    throw this.inactive();
  }

  async signal(): Promise<never> {
    throw this.inactive();
  }

  clear(): void {
    const { files, transcript } = this.#open();
    const { line, offset } = transcript.clear();
    files.restart(line, offset);
    this.#record = { ...this.#record, tail: transcript.tail() as TerminalRecord['tail'] };
    // The cleared data has been removed from the disk even if the disk does not accept the record.
    void this.saved();
  }

  async saved(): Promise<void> {
    const { name, labels } = this.identity;
    this.#record = { ...this.#record, name, labels: { ...labels } };
    await writeRecord(join(this.#path, RECORD_NAME), this.#record).catch((error: unknown) => {
      this.options.log('warn', 'The record of a terminal cannot be written', { terminalId: this.id, error });
    });
  }

  async close(): Promise<void> {
    this.#opened?.files.close();
    this.#opened = null;
  }

  remove(): void {
    const { files } = this.#open();
    this.#opened = null;
    files.remove();
  }

  #open(): { readonly files: HistoryFiles; readonly transcript: PastTranscript } {
    return (this.#opened ??= this.#read());
  }

  #read(): { files: HistoryFiles; transcript: PastTranscript } {
    const { id, tail: saved, exit, maxDiskBytes } = this.#record;
    const files = HistoryFiles.open(this.#path, { maxBytes: maxDiskBytes });
    const tail = saved as HistoryTail;
    const { maxBufferLines: maxLines, maxBufferBytes: maxBytes } = this.options;
    files.reachTo(tail.nextLine, tail.outputEnd);
    const isWhole = exit !== null && tail.nextLine === files.nextLine && tail.outputEnd === files.outputEnd;
    const transcript = new PastTranscript({ id, maxLines, maxBytes }, { store: files, tail, isWhole });
    transcript.view().track.store = new TrackFile(join(this.#path, TRACK_NAME));
    return { files, transcript };
  }

  /**
   * Reads the command log. Whatever ended the terminal also ended a command that was still running. In a lost terminal,
   * it is unknown how such a command ended.
   */
  #readLog(): CommandLog {
    const kept = readCommandFile(this.#path);
    if (kept.every((command) => command.ended !== null)) return new CommandLog(kept);
    const { endedAt, exit, status } = this;
    const end = { ended: endedAt, via: status === 'lost' ? null : 'exit', ...exit } as const;
    const { outputEnd: toOffset, total: toLine } = this.transcript.view();
    return new CommandLog(
      kept.map((command) => (command.ended === null ? { ...command, ...end, toOffset, toLine } : command)),
    );
  }

  inactive(): TerminalError {
    const { id, exit } = this.#record;
    return inactive(id, this.exit, 'create a terminal with `like`', exit === null);
  }
}

/**
 * Returns the terminals that an earlier process left in `historyDir`, oldest first, including terminals whose history
 * alone is readable. Logs anything that is not a terminal and leaves it alone.
 */
export function readPastTerminals(historyDir: string, options: EngineOptions): PastTerminal[] {
  const terminals: PastTerminal[] = [];
  for (const name of readdirSync(historyDir)) {
    const path = join(historyDir, name);
    const record = readRecord(join(path, RECORD_NAME), terminalRecord);
    const terminal =
      record === null ? ofUnknown(path, name, options) : record.id === name && new PastTerminal(path, record, options);
    if (terminal) terminals.push(terminal);
    if (!terminal || record === null) options.log('warn', 'A terminal on disk cannot be read', { path });
  }
  return terminals.sort((a, b) => a.created - b.created);
}

function ofUnknown(path: string, name: string, options: EngineOptions): PastTerminal | null {
  const record = unknownRecord(path, name, options.maxDiskBytes);
  const problem = `The record of terminal ${name} is damaged or missing; its program and how it ended are unknown`;
  return record && new PastTerminal(path, record, options, problem);
}
