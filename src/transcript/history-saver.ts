/**
 * Saves one terminal's history to disk as it grows: soon, in the background, and without delaying the program for long.
 * If the disk does not accept data (because it is full, failing or too slow), reports that as a state and leaves the
 * history in memory.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { UnsavedRange } from '../history/store.js';
import { HistoryFiles } from '../store/history-files.js';
import { writeRecord } from '../store/record-file.js';
import { RECORD_NAME } from '../store/terminal-record.js';
import type { TerminalRecord } from '../store/terminal-record.js';
import { TRACK_NAME, TrackFile } from '../store/track-file.js';
import type { Transcript } from './transcript.js';

export interface SaverOptions {
  /** The terminal's own directory. */
  readonly directory: string;
  /** Whether another process has already saved to these files. */
  readonly isBegun: boolean;
  readonly maxDiskBytes: number;
  /** Returns the record that is saved next to the output. */
  record(): TerminalRecord;
  /** Called when the disk is so far behind that more output would not fit into memory, and when it has caught up. */
  onBehind(isBehind: boolean): void;
  /** Called with the reason when the disk stops accepting data, and with null when it accepts data again. */
  onProblem(problem: string | null): void;
}

/** Maximum amount saved at once. */
const BATCH = { lines: 16_384, bytes: 1 << 20 };
/** Smaller amounts wait for more data for a limited time, because even the smallest write has a cost. */
const SAVE_AT_BYTES = 256 << 10;
const SAVE_AFTER_MS = 250;
/** Minimum interval between saves of the record, which includes the screen. */
const RECORD_EVERY_MS = 800;
/** Maximum size of the data in memory that is waiting to be saved. */
const MAX_WAITING_BYTES = 8 << 20;
/** If the disk makes no progress for this long while that much data is waiting, saving stops. */
const MAX_STALL_MS = 3000;
/** Maximum time for one wait for the disk: long enough not to mistake a busy disk for one that hangs. */
const MAX_FLUSH_MS = 3000;
/** A program waits at most this long for a disk that is making progress, but too slowly. */
const MAX_HOLD_UP_MS = 10_000;
/** Saving is retried after this time. */
const RETRY_MS = 5000;

export class HistorySaver {
  readonly #options: SaverOptions;
  readonly #transcript: Transcript;
  readonly #files: HistoryFiles;
  readonly #track: TrackFile;
  #problem: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #stallTimer: NodeJS.Timeout | undefined;
  #heldUpSince = 0;
  #saving: Promise<void> | null = null;
  #isRecordDue = true;
  #recordedAt = -Infinity;
  #isClosed = false;
  #isSuspended = false;

  /** @throws the file system error if not even the directory can be created. */
  constructor(transcript: Transcript, options: SaverOptions) {
    this.#options = options;
    this.#transcript = transcript;
    const limits = { maxBytes: options.maxDiskBytes };
    this.#files = options.isBegun
      ? HistoryFiles.open(options.directory, limits, 'newest')
      : HistoryFiles.create(options.directory, limits, transcript.inMemoryFrom);
    this.#track = new TrackFile(join(options.directory, TRACK_NAME));
    transcript.view().track.store = this.#track;
    transcript.store = this.#files;
    transcript.unsaved = () => this.#unsaved();
  }

  get files(): HistoryFiles {
    return this.#files;
  }

  /** Why the disk currently accepts no data; null if it does. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Call when something has been appended, or something in the record has changed. */
  noteChange(): void {
    this.#isRecordDue = true;
    const waiting = this.#waitingBytes;
    if (this.#problem === null && waiting >= SAVE_AT_BYTES) this.#start();
    else this.#startLater();
    if (waiting > MAX_WAITING_BYTES && this.#problem === null && this.#stallTimer === undefined) this.#blockProgram();
  }

  /** Saves everything, including the record; resolves when that is done or has failed. */
  async flush(): Promise<void> {
    this.#isRecordDue = true;
    this.#recordedAt = -Infinity;
    await this.#saving;
    this.#start('all');
    await this.#saving;
  }

  /** Like `flush`, but does not wait for a disk that hangs, which must not prevent the creation of terminals. */
  async flushSoon(): Promise<void> {
    const timeUp = new AbortController();
    const soon = delay(MAX_FLUSH_MS, undefined, { signal: timeUp.signal }).catch(() => {});
    await Promise.race([this.flush(), soon]);
    timeUp.abort();
  }

  /** Discards the saved history; only later output is saved. */
  async clear(): Promise<void> {
    this.#transcript.store = null;
    await this.#saving;
    this.#restart();
    this.noteChange();
  }

  /** Saves everything and closes the files. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.flush();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#files.close();
  }

  /** Saves everything, then stops saving until `resume`, so that another process can take over the files. */
  async suspend(): Promise<void> {
    await this.flush();
    this.#isSuspended = true;
  }

  resume(): void {
    this.#isSuspended = false;
    this.noteChange();
  }

  /** Call after `suspend`, when another process has taken over the files. */
  release(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#files.close();
  }

  /** Discards everything, including the files. */
  remove(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#unblockProgram();
    this.#transcript.store = null;
    this.#transcript.unsaved = null;
    void Promise.resolve(this.#saving).then(() => this.#files.remove());
  }

  #unsaved(): UnsavedRange | null {
    if (this.#problem !== null) return null;
    return { line: this.#files.nextLine, offset: this.#files.outputEnd };
  }

  get #waitingBytes(): number {
    return this.#transcript.end - this.#files.outputEnd;
  }

  /** Saves the pending data, and continues as long as enough new data (with `all`, any) has arrived in the meantime. */
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

  /** Saves the pending data. Never rejects. */
  async #save(until: 'little' | 'all'): Promise<void> {
    try {
      for (let saved = await this.#saveBatch(); saved !== 'nothing'; saved = await this.#saveBatch()) {
        if (until === 'little' && saved === 'some' && this.#waitingBytes < SAVE_AT_BYTES) break;
      }
      if (!this.#isClosed) await this.#track.flush();
      if (performance.now() - this.#recordedAt >= RECORD_EVERY_MS) await this.#saveRecord();
      this.#settle(null);
    } catch (error) {
      this.#settle((error as Error).message);
    }
  }

  /** @returns `full` if there was more data than is saved at once. */
  async #saveBatch(): Promise<'nothing' | 'some' | 'full'> {
    this.#closeGap();
    const files = this.#files;
    const from = { line: files.nextLine, offset: files.outputEnd };
    const batch = this.#transcript.batch(from, BATCH);
    if (batch === null || this.#isClosed) return 'nothing';
    await files.append(batch);
    while (files.bytes > this.#options.maxDiskBytes && files.dropOldest() > 0);
    // Trim now, because the program may never write again.
    this.#transcript.trim();
    if (this.#waitingBytes < MAX_WAITING_BYTES / 2) this.#unblockProgram();
    else if (performance.now() - this.#heldUpSince < MAX_HOLD_UP_MS) this.#stallTimer?.refresh();
    return batch.lines.count === BATCH.lines ? 'full' : 'some';
  }

  /** Saves the record after all the data that it refers to, so that the data exists. */
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
      this.#unblockProgram();
    }
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#options.onProblem(problem);
  }

  /** Makes the files continue after data that is lost because memory had to drop it while saving was impossible. */
  #closeGap(): void {
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

  /** Makes the program wait until the disk has caught up. */
  #blockProgram(): void {
    this.#options.onBehind(true);
    this.#heldUpSince = performance.now();
    this.#stallTimer = setTimeout(() => {
      this.#settle(`the disk is too slow: ${MAX_WAITING_BYTES} bytes are waiting to be written`);
    }, MAX_STALL_MS).unref();
  }

  #unblockProgram(): void {
    if (this.#stallTimer === undefined) return;
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
    this.#options.onBehind(false);
  }
}
