/**
 * Reports when the content of a resource has changed, at most twice a second per terminal, however much the terminal
 * prints. Keeps nothing for resources without subscribers.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Subscription } from '../../contract/manager.js';
import { once } from '../once.js';
import { numberOfUri } from './names.js';
import { WatchBudget } from './watch-budget.js';
import type { Workspace } from '../workspace.js';

/** Minimum interval between two notifications about one terminal. */
const COALESCE_MS = 500;
/** Interval for checking whether a number without a running terminal has one by now. */
const ABSENT_MS = 2000;

/** A summary of everything that can change in a terminal. */
interface TerminalState {
  /** The id of the running terminal with this number, if any. */
  readonly activeId: string | undefined;
  readonly state: string;
}

interface Watch {
  /** Number of subscribers to each resource. */
  readonly uris: Map<string, number>;
  readonly end: AbortController;
  /** Resolves once all later changes are certain to be detected. */
  readonly begun: Promise<void>;
}

export class ResourceUpdates {
  readonly #workspace: Workspace;
  readonly #onUpdated: (uri: string) => void;
  readonly #budget: WatchBudget;
  readonly #watches = new Map<number, Watch>();

  /** @param budget - Shared by all clients of an account. Default: a separate one. */
  constructor(workspace: Workspace, onUpdated: (uri: string) => void, budget = new WatchBudget()) {
    this.#workspace = workspace;
    this.#onUpdated = onUpdated;
    this.#budget = budget;
  }

  /**
   * Watches resources until the returned function is called. Ignores unknown names.
   *
   * @throws `LIMIT_REACHED` if too many terminals are being watched.
   */
  async watch(uris: readonly string[]): Promise<() => void> {
    const known = [...new Set(uris)].filter((uri) => numberOfUri(uri) !== undefined);
    const numbers = new Set(known.map((uri) => numberOfUri(uri)!));
    this.#budget.take([...numbers].filter((number) => !this.#watches.has(number)).length);
    for (const uri of known) this.#add(uri);
    await Promise.all(known.map((uri) => this.#watches.get(numberOfUri(uri)!)?.begun ?? Promise.resolve()));
    return once(() => known.forEach((uri) => this.#remove(uri)));
  }

  /** Stops watching. */
  close(): void {
    for (const { end } of this.#watches.values()) end.abort();
    this.#budget.release(this.#watches.size);
    this.#watches.clear();
  }

  #add(uri: string): void {
    const number = numberOfUri(uri)!;
    const { uris } = this.#watches.get(number) ?? this.#begin(number);
    uris.set(uri, (uris.get(uri) ?? 0) + 1);
  }

  #remove(uri: string): void {
    const number = numberOfUri(uri)!;
    const watch = this.#watches.get(number);
    const left = (watch?.uris.get(uri) ?? 0) - 1;
    if (left > 0) watch!.uris.set(uri, left);
    else watch?.uris.delete(uri);
    if (watch?.uris.size !== 0) return;
    watch.end.abort();
    this.#watches.delete(number);
    this.#budget.release(1);
  }

  #begin(number: number): Watch {
    const end = new AbortController();
    const uris = new Map<string, number>();
    const begun = this.#readState(number);
    void this.#follow(number, begun, end.signal, () => {
      for (const uri of uris.keys()) this.#onUpdated(uri);
    });
    const watch = { uris, end, begun: begun.then(() => undefined) };
    this.#watches.set(number, watch);
    return watch;
  }

  async #follow(number: number, begun: Promise<TerminalState>, signal: AbortSignal, ping: () => void): Promise<void> {
    let seen = await begun;
    while (!signal.aborted) {
      const changes = await this.#subscribe(seen.activeId);
      // Read after subscribing, so that the subscription contains any later change.
      const now = await this.#readState(number);
      if (now.state === seen.state && !signal.aborted) await untilNext(changes, signal);
      changes?.close();
      if (now.state !== seen.state && !signal.aborted) {
        ping();
        await pause(COALESCE_MS, undefined, { signal }).catch(() => undefined);
      }
      seen = now;
    }
  }

  async #subscribe(id: string | undefined): Promise<Subscription | undefined> {
    if (id === undefined) return undefined;
    // The terminal has just been removed or cannot be reached; it will be looked up again.
    return this.#workspace.manager.subscribe(id).catch(() => undefined);
  }

  async #readState(number: number): Promise<TerminalState> {
    const { manager, numbers } = this.#workspace;
    try {
      const found = await numbers.findShared(number);
      if (found === undefined) return { activeId: undefined, state: '' };
      const { id, status, totalBytes, cols, rows } = await manager.get(found.id);
      return { activeId: status === 'active' ? id : undefined, state: [id, status, totalBytes, cols, rows].join() };
    } catch {
      return { activeId: undefined, state: '' };
    }
  }
}

/** Resolves at the next event in the terminal or, if none is running, after some time. */
async function untilNext(changes: Subscription | undefined, signal: AbortSignal): Promise<void> {
  if (changes === undefined) return void (await pause(ABSENT_MS, undefined, { signal }).catch(() => undefined));
  const close = () => changes.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    const { done } = await changes[Symbol.asyncIterator]().next();
    // The terminal has moved to another process or has been removed.
    if (done === true) await pause(COALESCE_MS, undefined, { signal });
  } catch {
    // The terminal's host has exited, or no subscribers are left.
  } finally {
    signal.removeEventListener('abort', close);
  }
}
