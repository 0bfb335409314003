/**
 * Provides the events of all terminals as one iterator that outlives its connections. When a connection is lost, the
 * iterator reconnects and continues after the last event. Uses only what both browsers and Node provide.
 */
import type { TerminalFilter } from '../contract/terminal-filter.js';
import type { ManagerEvent, WatchedEvent } from '../contract/watch.js';
import { ApiError } from './error.js';
import type { Requests } from './requests.js';
import { isFinal, retryMs } from './retry.js';
import { streamedEvents, type StreamedEvent } from './streams.js';

export interface EventsOptions extends TerminalFilter {
  /** Ids of the terminals whose last lines to receive, as `lines` events. */
  readonly lines?: readonly string[];
  /** Continues after the event with this cursor. Default: starts with the next event. */
  readonly after?: string;
  /** Ends the iterator. */
  readonly signal?: AbortSignal;
  /** Called when a connection has been established or lost. */
  readonly onState?: (state: 'open' | 'lost') => void;
}

/** Yields the events. @throws ApiError if the server refuses the request for good. */
export async function* watchEvents(requests: Requests, options: EventsOptions): AsyncGenerator<WatchedEvent> {
  const { signal, onState, after, ...filter } = options;
  const isOver = (): boolean => signal?.aborted === true;
  let cursor = after;
  for (let losses = 0; !isOver(); losses++) {
    try {
      for await (const { event, id, data } of connect(requests, { ...filter, after: cursor }, signal)) {
        losses = 0;
        cursor = id ?? cursor;
        if (event === 'ready') onState?.('open');
        else if (cursor !== undefined && event !== 'stopping') yield { cursor, event: data as ManagerEvent };
      }
    } catch (error) {
      if (isFinal(error)) throw error;
    }
    if (isOver()) return;
    onState?.('lost');
    await pause(retryMs(losses), signal);
  }
}

/**
 * Yields the events of one connection. @throws The errors of `fetch`, or ApiError if the server refuses the request.
 */
async function* connect(requests: Requests, query: object, signal?: AbortSignal): AsyncGenerator<StreamedEvent> {
  const headers = { Accept: 'text/event-stream' };
  const answer = await requests.open('/api/events', { query, headers, ...(signal && { signal }) });
  for await (const each of streamedEvents(answer)) {
    if (each.event === 'failed') throw failure(each.data);
    yield each;
  }
}

function failure(data: unknown): ApiError {
  const { code, message, details } = data as Pick<ApiError, 'code' | 'message' | 'details'>;
  return new ApiError(code, message, 500, details);
}

/** Waits for the given time, or until the signal is aborted if that is earlier. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
