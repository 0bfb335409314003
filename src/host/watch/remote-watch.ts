/**
 * Watches all hosts: merges their events, including the events of hosts that any process starts later. Starts no host.
 * A host that is not responding does not delay the events of other hosts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Watch } from '../../contract/manager.js';
import type { EngineLog } from '../../contract/options.js';
import type { ManagerEvent, WatchedEvent, WatchRequest } from '../../contract/watch.js';
import { START_OF_LOG } from '../../terminal/watch/event-log.js';
import type { HostLink } from '../host-link.js';
import type { Hosts } from '../hosts.js';
import { followHost } from './follow-host.js';
import type { FollowedHost } from './follow-host.js';
import { decodeCursor, encodeCursor } from './merged-cursor.js';

/** A host that does not respond within this time is joined later; the watcher then gets a `reset`. */
const JOIN_MS = 1000;
/**
 * The position in the log of a host that has not responded yet. No log contains this position, so a `reset` follows.
 */
const UNKNOWN = 'unknown';
/** The slot of an event that comes from no host. */
const NO_SLOT = -1;

/** An event waiting for the watcher to take it. */
interface Offer {
  readonly event: ManagerEvent;
  readonly slot: number;
  /** The position after the event in the host's log; null if the host has exited. */
  readonly cursor: string | null;
  readonly onTaken: () => void;
}

export class RemoteWatch implements Watch {
  readonly #hosts: Hosts;
  readonly #request: WatchRequest;
  readonly #log: EngineLog;
  readonly #closed = new AbortController();
  /**
   * The position after the events taken so far in each host's log, by slot. A missing host is followed from its first
   * event.
   */
  readonly #positions = new Map<number, string>();
  readonly #followed = new Set<number>();
  /** At most one event from each host, and one from no host. */
  readonly #offers: Offer[] = [];
  /**
   * Whether the watch has begun, so that a host that is joined from now on may have had events that the watcher missed.
   */
  #isBegun = false;
  #wake: () => void = () => {};
  #stopLooking: () => void = () => {};

  /** Resolves when all hosts that respond in time have been joined. */
  static async open(hosts: Hosts, request: WatchRequest, log: EngineLog): Promise<RemoteWatch> {
    const watch = new RemoteWatch(hosts, request, log);
    try {
      await watch.#begin();
      return watch;
    } catch (error) {
      watch.close();
      throw error;
    }
  }

  private constructor(hosts: Hosts, request: WatchRequest, log: EngineLog) {
    this.#hosts = hosts;
    this.#request = request;
    this.#log = log;
    hosts.closed.addEventListener('abort', () => this.close(), { signal: this.#closed.signal });
  }

  get cursor(): string {
    return encodeCursor(this.#positions);
  }

  close(): void {
    this.#closed.abort();
    this.#stopLooking();
    for (const { onTaken } of this.#offers.splice(0)) onTaken();
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchedEvent, void> {
    try {
      while (!this.#isClosed) {
        const offer = this.#offers.shift();
        if (offer === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
        else yield this.#take(offer);
      }
    } finally {
      this.close();
    }
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  #take({ event, slot, cursor, onTaken }: Offer): WatchedEvent {
    if (cursor !== null) this.#positions.set(slot, cursor);
    else this.#positions.delete(slot);
    onTaken();
    return { cursor: this.cursor, event };
  }

  async #begin(): Promise<void> {
    this.#stopLooking = this.#hosts.onChange(() => this.#look());
    const { after } = this.#request;
    const live = this.#hosts.live();
    const known = after === undefined ? null : decodeCursor(after);
    const isMissing = (slot: number): boolean => live.every((link) => link.slot !== slot);
    const isComplete = known !== null && ![...known.keys()].some(isMissing);
    if (after !== undefined && !isComplete) void this.#offer({ type: 'reset' }, NO_SLOT, null);
    const from = (slot: number): string | null => (after === undefined ? null : (known?.get(slot) ?? START_OF_LOG));
    const joined = live.map((link) => this.#follow(link, from(link.slot)));
    await Promise.race([Promise.all(joined), delay(JOIN_MS, undefined, { ref: false })]);
    this.#isBegun = true;
  }

  /** Follows hosts that have been started since the last call, from their first event. */
  #look(): void {
    try {
      const started = this.#hosts.live().filter(({ slot }) => !this.#followed.has(slot));
      for (const link of started) void this.#follow(link, this.#positions.get(link.slot) ?? START_OF_LOG);
    } catch (error) {
      this.#log('error', 'Cannot determine which host processes are running', { error: String(error) });
    }
  }

  /**
   * Resolves when the host has responded or has exited. Never rejects.
   *
   * @param from - A position in the host's log, or null for its end.
   */
  #follow(link: HostLink, from: string | null): Promise<void> {
    const { slot } = link;
    this.#followed.add(slot);
    this.#positions.set(slot, from ?? UNKNOWN);
    return new Promise((onAnswer) => {
      const host: FollowedHost = {
        isRunning: () => this.#hosts.isRunning(slot),
        open: (after) => link.watch({ ...this.#request, after: after ?? undefined }),
        onJoin: (cursor) => (onAnswer(), this.#onJoin(slot, cursor)),
        onEvent: ({ event, cursor }) => this.#offer(event, slot, cursor),
      };
      void this.#followToEnd(slot, host, from).then(onAnswer);
    });
  }

  async #followToEnd(slot: number, host: FollowedHost, from: string | null): Promise<void> {
    try {
      await followHost(host, from, this.#closed.signal);
    } catch (error) {
      this.#followed.delete(slot);
      return this.#log('warn', 'The events of a host process are missing', { slot, error: String(error) });
    }
    // The host's terminals were lost, or ended with it.
    await this.#offer({ type: 'reset' }, slot, null);
    this.#followed.delete(slot);
    if (!this.#isClosed) this.#look();
  }

  async #onJoin(slot: number, cursor: string): Promise<void> {
    if (this.#positions.get(slot) !== UNKNOWN) return;
    if (this.#isBegun) await this.#offer({ type: 'reset' }, slot, cursor);
    else this.#positions.set(slot, cursor);
  }

  /** Resolves when the watcher has taken the event or the watch has been closed. */
  #offer(event: ManagerEvent, slot: number, cursor: string | null): Promise<void> {
    return new Promise((onTaken) => {
      if (this.#isClosed) return onTaken();
      this.#offers.push({ event, slot, cursor, onTaken });
      this.#wake();
    });
  }
}
