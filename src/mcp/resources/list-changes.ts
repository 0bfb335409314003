/**
 * Reports when any process creates or removes numbered terminals of a workspace. Polls only while there are
 * subscribers.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { once } from '../once.js';
import type { Workspace } from '../workspace.js';

/** Interval between polls. */
const EVERY_MS = 2000;

export class ListChanges {
  readonly #workspace: Workspace;
  readonly #onChanged: () => void;
  readonly #closed = new AbortController();
  #watchers = 0;
  #end = new AbortController();

  constructor(workspace: Workspace, onChanged: () => void) {
    this.#workspace = workspace;
    this.#onChanged = onChanged;
  }

  /** Reports changes until the returned function is called. */
  async watch(): Promise<() => void> {
    const known = await this.#readIds();
    this.#watchers++;
    if (this.#watchers === 1) {
      this.#end = new AbortController();
      void this.#follow(known, AbortSignal.any([this.#end.signal, this.#closed.signal]));
    }
    return once(() => {
      this.#watchers--;
      if (this.#watchers === 0) this.#end.abort();
    });
  }

  /** Stops reporting changes. */
  close(): void {
    this.#closed.abort();
  }

  async #follow(known: string | undefined, signal: AbortSignal): Promise<void> {
    let seen = known;
    while (!signal.aborted) {
      const now = await this.#readIds();
      if (signal.aborted) return;
      if (now !== undefined && seen !== undefined && now !== seen) this.#onChanged();
      seen = now ?? seen;
      await pause(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Returns the ids, or undefined while they cannot be determined. */
  async #readIds(): Promise<string | undefined> {
    const ids = await this.#workspace.numbers.idsShared().catch(() => undefined);
    return ids?.sort().join();
  }
}
