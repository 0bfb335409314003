/**
 * Streams the events of all terminals of one manager. The watcher pulls events from the log at its own pace: there is
 * no queue, and a watcher that is not reading costs nothing.
 */
import { setMaxListeners } from 'node:events';
import { hasLabels } from '../../contract/labels.js';
import type { Watch } from '../../contract/manager.js';
import type { ManagerEvent, WatchedEvent, WatchRequest } from '../../contract/watch.js';
import { Waiters } from '../../wait/waiters.js';
import type { BaseTerminal } from '../base-terminal.js';
import { UNKNOWN_POSITION, type EventLog, type LoggedEvent } from './event-log.js';
import { LineEvents } from './line-events.js';

export class LogWatch implements Watch {
  readonly #log: EventLog;
  readonly #find: (id: string) => BaseTerminal | undefined;
  readonly #request: WatchRequest;
  readonly #closed = new AbortController();
  /** Woken when there may be an event. */
  readonly #waiting = new Waiters();
  /** The position in the log after the last event that was delivered or skipped as not wanted. */
  #position: number;

  /** @param find - Returns a terminal, if it exists. */
  constructor(log: EventLog, find: (id: string) => BaseTerminal | undefined, request: WatchRequest) {
    this.#log = log;
    this.#find = find;
    this.#request = request;
    // There is one listener for each terminal whose lines are requested.
    setMaxListeners(0, this.#closed.signal);
    this.#position = request.after === undefined ? log.end : log.positionOf(request.after);
  }

  get cursor(): string {
    return this.#log.cursorAt(this.#position);
  }

  close(): void {
    this.#closed.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchedEvent, void> {
    const lines = this.#lineEvents();
    const stop = this.#log.listen(() => this.#waiting.wake());
    try {
      while (!this.#closed.signal.aborted) {
        const event = this.#next(lines) ?? lines.take();
        if (event !== null) yield { cursor: this.cursor, event };
        else if (this.#log.isClosed) return;
        else await this.#waiting.next(this.#closed.signal);
      }
    } finally {
      stop();
      this.close();
    }
  }

  /** Returns the next event of the log that the watcher wants; null if there is none yet. */
  #next(lines: LineEvents): ManagerEvent | null {
    if (this.#position < this.#log.start) {
      // A watcher that was too slow for the events kept would fall behind again.
      this.#position = this.#position === UNKNOWN_POSITION ? this.#log.start : this.#log.end;
      lines.onCreated();
      return { type: 'reset' };
    }
    while (this.#position < this.#log.end) {
      const logged = this.#log.eventAt(++this.#position);
      if (logged.event.type === 'created') lines.onCreated(logged.event.terminalId);
      if (isWanted(logged, this.#request)) return logged.event;
    }
    return null;
  }

  #lineEvents(): LineEvents {
    return new LineEvents({
      ids: this.#request.lines,
      find: this.#find,
      onDue: () => this.#waiting.wake(),
      closed: this.#closed.signal,
    });
  }
}

function isWanted({ event, status, labels }: LoggedEvent, wanted: WatchRequest): boolean {
  if (wanted.ids?.includes(event.terminalId) === false) return false;
  if (wanted.status !== undefined && wanted.status !== status) return false;
  return labels.some((given) => hasLabels(given, wanted.labels));
}
