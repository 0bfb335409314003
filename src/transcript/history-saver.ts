/**
 * Saves one terminal's history to disk as it grows: soon, in the background, and never so that the program has to
 * wait long. A disk that does not take it (full, failing, too slow) is told as a state; memory then has to do. It
 * knows no program and no reader.
 */
import { join } from 'node:path';
import type { Unsaved } from '../history/store.js';
import { HistoryFiles } from '../store/history-files.js';
import { writeRecord } from '../store/record-file.js';
import { RECORD_NAME } from '../store/terminal-record.js';
import type { TerminalRecord } from '../store/terminal-record.js';
import type { Transcript } from './transcript.js';

export interface SaverOptions {
  /** Of this terminal alone. */
  readonly directory: string;
  /** Whether another process has begun to save there. */
  readonly isBegun: boolean;
  readonly maxDiskBytes: number;
  /** What is saved beside the output. */
  record(): TerminalRecord;
  /** The disk is so far behind that more output would not fit into memory; or that is over. */
  onBehind(isBehind: boolean): void;
  /** The disk does not take any more, for this reason; or does again, for null. */
  onProblem(problem: string | null): void;
}

/** Most that is saved at once. */
const BATCH = { lines: 16_384, bytes: 1 << 20 };
/** Less than this waits for more, for some time: writes have their price, however small. */
const SAVE_AT_BYTES = 256 << 10;
const SAVE_AFTER_MS = 250;
/** The record, with what is on the screen, is saved this often at most. */
const RECORD_EVERY_MS = 800;
/** Most bytes in memory that wait for the disk. */
const MAX_WAITING_BYTES = 8 << 20;
/** A disk that makes no progress for this long while that much waits is given up. */
const MAX_STALL_MS = 3000;
/** A program waits no longer than this for a disk that does make progress, but not enough. */
const MAX_HOLD_UP_MS = 10_000;
/** A disk that was given up is tried again after this time. */
const RETRY_MS = 5000;

export class HistorySaver {
  readonly #options: SaverOptions;
  readonly #transcript: Transcript;
  readonly #files: HistoryFiles;
  #problem: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #stallTimer: NodeJS.Timeout | undefined;
  #heldUpSince = 0;
  #saving: Promise<void> | null = null;
  #isRecordDue = true;
  #recordedAt = -Infinity;
  #isClosed = false;
  #isSuspended = false;

  /** @throws What the disk says when not even the directory can be made. */
  constructor(transcript: Transcript, options: SaverOptions) {
    this.#options = options;
    this.#transcript = transcript;
    const limits = { maxBytes: options.maxDiskBytes };
    this.#files = options.isBegun
      ? HistoryFiles.open(options.directory, limits, 'newest')
      : HistoryFiles.create(options.directory, limits, transcript.inMemoryFrom);
    transcript.store = this.#files;
    transcript.unsaved = () => this.#unsaved();
  }

  get files(): HistoryFiles {
    return this.#files;
  }

  /** Why the disk takes nothing at present; null when it does. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Something was appended, or something of the record has changed. */
  noteChange(): void {
    this.#isRecordDue = true;
    const waiting = this.#waitingBytes;
    if (this.#problem === null && waiting >= SAVE_AT_BYTES) this.#start();
    else this.#startLater();
    if (waiting > MAX_WAITING_BYTES && this.#problem === null && this.#stallTimer === undefined) this.#holdUp();
  }

  /** Saves everything there is, the record as well; resolves when that is done or has failed. */
  async flush(): Promise<void> {
    this.#isRecordDue = true;
    this.#recordedAt = -Infinity;
    await this.#saving;
    this.#start('all');
    await this.#saving;
  }

  /** What was saved is to be forgotten, what comes is to be saved from here on. */
  async clear(): Promise<void> {
    this.#transcript.store = null;
    await this.#saving;
    this.#restart();
    this.noteChange();
  }

  /** Saves what there is and lets go of the files. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.flush();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#files.close();
  }

  /** Saves everything and then nothing more, so that another process can go on with the files. Until `resume`. */
  async suspend(): Promise<void> {
    await this.flush();
    this.#isSuspended = true;
  }

  resume(): void {
    this.#isSuspended = false;
    this.noteChange();
  }

  /** After `suspend`: another process has gone on with the files. */
  letGo(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#files.close();
  }

  /** Forgets everything, on disk as well. */
  remove(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#goOn();
    this.#transcript.store = null;
    this.#transcript.unsaved = null;
    void Promise.resolve(this.#saving).then(() => this.#files.remove());
  }

  #unsaved(): Unsaved | null {
    if (this.#problem !== null) return null;
    return { line: this.#files.nextLine, offset: this.#files.outputEnd };
  }

  get #waitingBytes(): number {
    return this.#transcript.end - this.#files.outputEnd;
  }

  /** Saves what there is, and goes on as long as enough, or anything at all, has come meanwhile. */
  #start(until: 'little' | 'all' = 'little'): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isClosed || this.#isSuspended || this.#saving !== null) return;
    this.#saving = this.#save(until).finally(() => {
      this.#saving = null;
      if (this.#isRecordDue || this.#waitingBytes > 0) this.#startLater();
    });
  }

  #startLater(): void {
    this.#timer ??= setTimeout(() => this.#start(), this.#problem === null ? SAVE_AFTER_MS : RETRY_MS).unref();
  }

  /** Never rejects. */
  async #save(until: 'little' | 'all'): Promise<void> {
    try {
      for (let saved = await this.#saveBatch(); saved !== 'nothing'; saved = await this.#saveBatch()) {
        if (until === 'little' && saved === 'some' && this.#waitingBytes < SAVE_AT_BYTES) break;
      }
      if (performance.now() - this.#recordedAt >= RECORD_EVERY_MS) await this.#saveRecord();
      this.#settle(null);
    } catch (error) {
      this.#settle((error as Error).message);
    }
  }

  /** @returns `full` where there was more than is saved at once. */
  async #saveBatch(): Promise<'nothing' | 'some' | 'full'> {
    this.#closeHole();
    const files = this.#files;
    const from = { line: files.nextLine, offset: files.outputEnd };
    const batch = this.#transcript.batch(from, BATCH);
    if (batch === null || this.#isClosed) return 'nothing';
    await files.append(batch);
    while (files.bytes > this.#options.maxDiskBytes && files.dropOldest() > 0);
    // The program may never write again.
    this.#transcript.trim();
    if (this.#waitingBytes < MAX_WAITING_BYTES / 2) this.#goOn();
    else if (performance.now() - this.#heldUpSince < MAX_HOLD_UP_MS) this.#stallTimer?.refresh();
    return batch.lines.count === BATCH.lines ? 'full' : 'some';
  }

  /** Saves the record behind all that it speaks of: what it says there was is there. */
  async #saveRecord(): Promise<void> {
    if (this.#isClosed) return;
    this.#isRecordDue = false;
    this.#recordedAt = performance.now();
    const record = this.#options.record();
    const { nextLine, outputEnd } = record.tail;
    while (this.#files.nextLine < nextLine || this.#files.outputEnd < outputEnd) {
      if ((await this.#saveBatch()) === 'nothing') break;
    }
    if (!this.#isClosed) await writeRecord(join(this.#options.directory, RECORD_NAME), record);
  }

  #settle(problem: string | null): void {
    if (this.#isClosed) return;
    if (problem !== null) {
      this.#isRecordDue = true;
      this.#goOn();
    }
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#options.onProblem(problem);
  }

  /** What memory had to drop while nothing could be saved is gone; the files go on behind it. */
  #closeHole(): void {
    const { nextLine, outputEnd } = this.#files;
    if (this.#transcript.isHeldFrom({ line: nextLine, offset: outputEnd })) return;
    const { line, offset } = this.#transcript.inMemoryFrom;
    this.#files.skipTo(line, offset);
  }

  #restart(): void {
    const { line, offset } = this.#transcript.inMemoryFrom;
    this.#files.restart(line, offset);
    this.#transcript.store = this.#files;
  }

  /** Lets the program wait, for a moment, until the disk has caught up. */
  #holdUp(): void {
    this.#options.onBehind(true);
    this.#heldUpSince = performance.now();
    this.#stallTimer = setTimeout(() => {
      this.#settle(`the disk is too slow: ${MAX_WAITING_BYTES} bytes waited for it`);
    }, MAX_STALL_MS).unref();
  }

  #goOn(): void {
    if (this.#stallTimer === undefined) return;
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
    this.#options.onBehind(false);
  }
}
