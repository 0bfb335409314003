/**
 * Starts and ends host processes for a measurement, in directories of their own, and selects between them and the
 * engine in this process. Measures nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TerminalManager } from '../src/index.js';
import { LocalTerminalManager, ownedSlots, ownerOf, RemoteTerminalManager } from './engine.js';

/** Where terminals are held; `host`: with history on disk, the default; `host, memory`: with history in memory only. */
export type TerminalLocation = 'process' | 'host' | 'host, memory';

const LOOK_INTERVAL_MS = 5;

export class OwnHosts {
  readonly directory = mkdtempSync(join(tmpdir(), 'tenacitty-bench-'));
  readonly dataDir = join(this.directory, 'data');
  readonly runtimeDir = join(this.directory, 'run');

  open(historyPlace: 'disk' | 'memory' = 'disk'): TerminalManager {
    const { dataDir, runtimeDir } = this;
    return new RemoteTerminalManager({ dataDir, runtimeDir, engine: { historyPlace } });
  }

  /** The pids of running hosts. */
  pids(): number[] {
    return ownedSlots(this).flatMap((slot) => ownerOf(this, slot)?.pid ?? []);
  }

  /** Ends them with all their terminals, and removes their data. */
  async end(): Promise<void> {
    await this.open().shutdown(0);
    while (this.pids().length > 0) await delay(LOOK_INTERVAL_MS);
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export interface OpenEngine {
  readonly manager: TerminalManager;
  /** The processes that hold its terminals, excluding this one. */
  readonly hostPids: () => number[];
  readonly end: () => Promise<void>;
}

export function openEngine(where: TerminalLocation): OpenEngine {
  if (where === 'process') {
    const manager = new LocalTerminalManager();
    return { manager, hostPids: () => [], end: () => manager.shutdown(0) };
  }
  const hosts = new OwnHosts();
  const manager = hosts.open(where === 'host' ? 'disk' : 'memory');
  return { manager, hostPids: () => hosts.pids(), end: () => hosts.end() };
}
