/**
 * When each API key was last used, to the minute: `keys-used.json` in the data directory. For people to see which
 * keys nobody needs any more; nothing is decided by it. It knows nothing of requests.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { EngineLog } from '../contract/options.js';
import { readKeyFile } from './key-file.js';

const useFile = z.strictObject({ version: z.literal(1), lastUsed: z.record(z.string(), z.iso.datetime()) });

/** By the ids of keys. */
export type LastUsed = Readonly<Record<string, string>>;

/** How far what is kept may lag behind: a key that is used all the time costs one small write in that time. */
const LAG_MS = 60_000;

export class KeyUse {
  readonly #dataDir: string;
  readonly #log: EngineLog;
  readonly #notedMs = new Map<string, number>();

  constructor(dataDir: string, log: EngineLog) {
    this.#dataDir = dataDir;
    this.#log = log;
  }

  /** Keeps that this key was used just now. Never throws: a disk that takes nothing keeps nobody out. */
  note(id: string): void {
    const now = performance.now();
    if (now - (this.#notedMs.get(id) ?? -Infinity) < LAG_MS) return;
    this.#notedMs.set(id, now);
    try {
      write(this.#dataDir, id);
    } catch (error) {
      this.#log('warn', 'The last use of an API key could not be kept', { id, reason: (error as Error).message });
    }
  }
}

/** What is known; nothing where the file is missing or broken. */
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

/** Replaces the file whole, by a name of this process's own: of two servers that write at a time the later one counts. */
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
