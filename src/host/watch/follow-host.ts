/**
 * Follows the events of one host for as long as it is running: across lost connections, hand-offs, and periods when it
 * is not responding.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { WatchedEvent } from '../../contract/watch.js';
import type { WatchStream } from '../received-stream.js';
import { isTransient } from '../hosts.js';

/** Interval between attempts to reach a host that is not responding. */
const RETRY_MS = 200;

export interface FollowedHost {
  isRunning(): boolean;
  /** Opens a stream of the events after a cursor, or of new events only if the cursor is null. */
  open(after: string | null): Promise<WatchStream>;
  /** Called when the host has responded; the events after this cursor follow. */
  onJoin(cursor: string): Promise<void> | void;
  /** Called for each event. The next event follows when the returned promise resolves. */
  onEvent(event: WatchedEvent): Promise<void>;
}

/**
 * Resolves when the host has exited or `closed` aborts.
 *
 * @param from - The cursor to begin at, or null to begin now.
 * @throws The error of a host that cannot be watched.
 */
export async function followHost(host: FollowedHost, from: string | null, closed: AbortSignal): Promise<void> {
  let after = from;
  for (let stream = await join(host, after, closed); stream !== null; stream = await join(host, after, closed)) {
    const close = stream.close.bind(stream);
    closed.addEventListener('abort', close);
    await host.onJoin(stream.start.cursor);
    after ??= stream.start.cursor;
    for (let event = await stream.next(); event !== null; event = await stream.next()) {
      after = event.cursor;
      await host.onEvent(event);
    }
    closed.removeEventListener('abort', close);
  }
}

/** Opens the host's stream. Resolves to null if the host has exited or `closed` has aborted. */
async function join(host: FollowedHost, after: string | null, closed: AbortSignal): Promise<WatchStream | null> {
  while (!closed.aborted && host.isRunning()) {
    try {
      const stream = await host.open(after);
      if (closed.aborted) stream.close();
      return stream;
    } catch (error) {
      if (!isTransient(error)) throw error;
      await delay(RETRY_MS, undefined, { signal: closed }).catch(() => undefined);
    }
  }
  return null;
}
