/**
 * Tells when terminals come and go under the numbers of a workspace, whoever makes or removes them. It looks only while
 * somebody wants to know. It knows no protocol.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Workspace } from '../workspace.js';

/** Between two looks. */
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

  /** Tells of changes from now on, until the answer is called. */
  async watch(): Promise<() => void> {
    const known = await this.#look();
    this.#watchers++;
    if (this.#watchers === 1) {
      this.#end = new AbortController();
      void this.#follow(known, AbortSignal.any([this.#end.signal, this.#closed.signal]));
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#watchers--;
      if (this.#watchers === 0) this.#end.abort();
    };
  }

  /** Tells nothing any more. */
  close(): void {
    this.#closed.abort();
  }

  async #follow(known: string | undefined, signal: AbortSignal): Promise<void> {
    let seen = known;
    while (!signal.aborted) {
      const now = await this.#look();
      if (signal.aborted) return;
      if (now !== undefined && seen !== undefined && now !== seen) this.#onChanged();
      seen = now ?? seen;
      await pause(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Undefined while it cannot be known. */
  async #look(): Promise<string | undefined> {
    const ids = await this.#workspace.numbers.ids().catch(() => undefined);
    return ids?.sort().join();
  }
}
