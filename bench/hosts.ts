/**
 * Host processes of a measurement's own, in directories of their own, and their end; also the choice between them and
 * the engine in this process. It measures nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TerminalManager } from '../src/index.js';
import { LocalTerminalManager, ownedSlots, ownerOf, RemoteTerminalManager } from './engine.js';

/** Where terminals are held; `host`: with history on disk, as by default; `host, memory`: without. */
export type Where = 'process' | 'host' | 'host, memory';

const LOOK_INTERVAL_MS = 5;

export class OwnHosts {
  readonly directory = mkdtempSync(join(tmpdir(), 'tenacitty-bench-'));
  readonly dataDir = join(this.directory, 'data');
  readonly runtimeDir = join(this.directory, 'run');

  open(historyPlace: 'disk' | 'memory' = 'disk'): TerminalManager {
    const { dataDir, runtimeDir } = this;
    return new RemoteTerminalManager({ dataDir, runtimeDir, engine: { historyPlace } });
  }

  /** Of those that run. */
  pids(): number[] {
    return ownedSlots(this).flatMap((slot) => ownerOf(this, slot)?.pid ?? []);
  }

  /** Ends them with all they hold, and removes what they kept. */
  async end(): Promise<void> {
    await this.open().shutdown(0);
    while (this.pids().length > 0) await delay(LOOK_INTERVAL_MS);
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export interface OpenEngine {
  readonly manager: TerminalManager;
  /** Processes that hold its terminals; this one is not named. */
  readonly hostPids: () => number[];
  readonly end: () => Promise<void>;
}

export function openEngine(where: Where): OpenEngine {
  if (where === 'process') {
    const manager = new LocalTerminalManager();
    return { manager, hostPids: () => [], end: () => manager.shutdown(0) };
  }
  const hosts = new OwnHosts();
  const manager = hosts.open(where === 'host' ? 'disk' : 'memory');
  return { manager, hostPids: () => hosts.pids(), end: () => hosts.end() };
}
