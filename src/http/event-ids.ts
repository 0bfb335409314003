/**
 * Formats and parses the ids of a stream's events. A reconnecting client sends the last id that it received;
 * EventSource does so automatically. Pure, and independent of routes and commands.
 */
import { invalidInput } from '../errors.js';
import type { ServerEvent } from './event-stream.js';

/** Id of the first event, before anything has been printed. */
const START = 'start';
/** Id of the last event if no other event can follow. A client that has received it should not reconnect. */
const END = 'end';

type EventWithData = ServerEvent & { readonly data: object };

/** Adds an id to each event that encodes the reader's position after the event. */
export async function* withIds(events: AsyncIterable<EventWithData>): AsyncGenerator<ServerEvent> {
  for await (const event of events) yield { ...event, id: idOf(event) };
}

function idOf({ data }: EventWithData): string {
  const { cursor = START, state }: { cursor?: string; state?: string } = data;
  return state === 'completed' || state === 'lost' ? END : cursor;
}

/** Returns whether a client that received this event last has received everything. */
export function isAtEnd(lastEventId: string | undefined): boolean {
  return lastEventId === END;
}

/**
 * Returns where to continue for a client that received this event last. Returns an empty object if the stream should
 * start at the position in the request or, without one, at the beginning.
 */
export function positionAfter(lastEventId: string | undefined): {
  readonly cursor?: string;
  readonly since?: undefined;
} {
  if (lastEventId === undefined || lastEventId === '' || lastEventId === START) return {};
  return { cursor: lastEventId, since: undefined };
}

/**
 * Rejects a reconnection to a request that runs something, because repeating the request would run it again.
 *
 * @throws `INVALID_INPUT` if the client reports a last event.
 */
export function refuseReplay(lastEventId: string | undefined): void {
  if (lastEventId === undefined) return;
  const message =
    'is not allowed on a request that runs something, because it would run again. Continue with GET ' +
    '/api/terminals/ID/commands/N/result, or for a program with GET /api/terminals/ID/output';
  throw invalidInput({ field: 'header.Last-Event-ID', message, given: lastEventId, expected: 'no such header' });
}
