/**
 * Appends small records to a file as they occur, each as one line of JSON. If several records have the same key, the
 * last one counts. Writes the file in the background, and rewrites it when most of it is outdated.
 */
import { readFileSync } from 'node:fs';
import { appendFile, rename, writeFile } from 'node:fs/promises';
import type { z } from 'zod';

const FILE_MODE = 0o600;
const MAX_READ_BYTES = 64 << 20;

export interface RecordLogOptions<Record> {
  readonly keyOf: (record: Record) => number;
  /** Maximum number of records kept: those with the highest keys. */
  readonly maxRecords: number;
}

export class RecordLog<Record> {
  readonly #path: string;
  readonly #options: RecordLogOptions<Record>;
  /**
   * Records waiting to be written, by key: only the newest record for each key, so that memory does not fill up while
   * the disk hangs.
   */
  #waiting = new Map<number, Record>();
  #writing: Promise<void> | null = null;
  #lines = 0;

  /** @param lines - Number of lines that the file already has. */
  constructor(path: string, options: RecordLogOptions<Record>, lines = 0) {
    this.#path = path;
    this.#options = options;
    this.#lines = lines;
  }

  /** Appends a record in the background. Records that the disk does not accept are not kept. */
  append(record: Record): void {
    this.#waiting.set(this.#options.keyOf(record), record);
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = null));
  }

  /** Resolves when the disk has accepted or refused everything that was appended. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const records = [...this.#waiting.values()];
      this.#waiting = new Map();
      await this.#write(records).catch(() => {
        // Problems with the disk are reported when the history is saved.
      });
    }
  }

  async #write(records: readonly Record[]): Promise<void> {
    const { maxRecords } = this.#options;
    // Each record is written when its command begins and when it ends, so at most twice the maximum is useful, and as
    // much again may be outdated.
    if (this.#lines + records.length > maxRecords * 4) return this.#beginAnew(records);
    this.#lines += records.length;
    await appendFile(this.#path, asLines(records), { mode: FILE_MODE });
  }

  async #beginAnew(records: readonly Record[]): Promise<void> {
    const { keyOf, maxRecords } = this.#options;
    const all = new Map([...readLines(this.#path), ...records].map((record) => [keyOf(record as Record), record]));
    const kept = [...all.entries()].sort(([a], [b]) => a - b).slice(-maxRecords);
    const aside = `${this.#path}.new`;
    await writeFile(aside, asLines(kept.map(([, record]) => record)), { mode: FILE_MODE });
    await rename(aside, this.#path);
    this.#lines = kept.length;
  }
}

/** Reads a log: the newest record for each key, in key order; incomplete or invalid records are left out. */
export function readRecordLog<Record>(
  path: string,
  schema: z.ZodType<Record>,
  { keyOf, maxRecords }: RecordLogOptions<Record>,
): Record[] {
  const newest = new Map<number, Record>();
  for (const line of readLines(path)) {
    const { data } = schema.safeParse(line);
    if (data !== undefined) newest.set(keyOf(data), data);
  }
  const inOrder = [...newest.entries()].sort(([a], [b]) => a - b);
  return inOrder.slice(-maxRecords).map(([, record]) => record);
}

function asLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function readLines(path: string): unknown[] {
  return contentOf(path)
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as unknown];
      } catch {
        // The line was cut off when the machine or the disk stopped.
        return [];
      }
    });
}

function contentOf(path: string): string {
  try {
    return readFileSync(path).subarray(-MAX_READ_BYTES).toString('utf8');
  } catch {
    // There is no log, because no command has ever run.
    return '';
  }
}
