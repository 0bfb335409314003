/**
 * Records when each API key was last used, to the minute, in `keys-used.json` in the data directory. People use it to
 * find keys that are no longer needed; no decision depends on it.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { EngineLog } from '../contract/options.js';
import { readKeyFile } from './key-file.js';

const useFile = z.strictObject({ version: z.literal(1), lastUsed: z.record(z.string(), z.iso.datetime()) });

/** Times by key id. */
export type LastUsed = Readonly<Record<string, string>>;

/**
 * Minimum interval between two records of the same key, so that a key in constant use costs one small write per
 * interval.
 */
const LAG_MS = 60_000;

export class KeyUse {
  readonly #dataDir: string;
  readonly #log: EngineLog;
  readonly #notedMs = new Map<string, number>();

  constructor(dataDir: string, log: EngineLog) {
    this.#dataDir = dataDir;
    this.#log = log;
  }

  /**
   * Records that this key was used now. Never throws, because a disk that cannot be written to must not lock out
   * callers.
   */
  note(id: string): void {
    const now = performance.now();
    if (now - (this.#notedMs.get(id) ?? -Infinity) < LAG_MS) return;
    this.#notedMs.set(id, now);
    try {
      write(this.#dataDir, id);
    } catch (error) {
      this.#log('warn', 'The last use of an API key could not be saved', { id, reason: (error as Error).message });
    }
  }
}

/** Returns the recorded times; none if the file is missing or invalid. */
export function readLastUsed(dataDir: string): LastUsed {
  try {
    return useFile.parse(JSON.parse(readFileSync(useFilePath(dataDir), 'utf8'))).lastUsed;
  } catch {
    return {};
  }
}

function useFilePath(dataDir: string): string {
  return join(dataDir, 'keys-used.json');
}

/**
 * Replaces the whole file with a temporary one, whose name is unique to this process. If two servers write at the same
 * time, the later write wins.
 */
function write(dataDir: string, id: string): void {
  const path = useFilePath(dataDir);
  const newPath = `${path}.${process.pid}`;
  const known = new Set(readKeyFile(dataDir).keys.map((key) => key.id));
  const before = Object.entries(readLastUsed(dataDir)).filter(([each]) => known.has(each));
  const lastUsed = { ...Object.fromEntries(before), [id]: new Date().toISOString() };
  try {
    writeFileSync(newPath, `${JSON.stringify({ version: 1, lastUsed })}\n`, { mode: 0o600 });
    renameSync(newPath, path);
  } catch (error) {
    rmSync(newPath, { force: true });
    throw error;
  }
}
