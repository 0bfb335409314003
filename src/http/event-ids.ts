/**
 * Formats and parses the ids of a stream's events. A reconnecting client sends the last id to report what it has
 * received; EventSource does so automatically. Pure; independent of routes and commands.
 */
import { invalidInput } from '../errors.js';
import type { ServerEvent } from './event-stream.js';

/** Id of the first event: nothing has been printed yet. */
const START = 'start';
/** Id of the last event if nothing can follow: a client that has it should not reconnect. */
const END = 'end';

type EventWithData = ServerEvent & { readonly data: object };

/** Adds to each event an id that encodes the reader's position after it. */
export async function* withIds(events: AsyncIterable<EventWithData>): AsyncGenerator<ServerEvent> {
  for await (const event of events) yield { ...event, id: idOf(event) };
}

function idOf({ data }: EventWithData): string {
  const { cursor = START, state }: { cursor?: string; state?: string } = data;
  return state === 'completed' || state === 'lost' ? END : cursor;
}

/** Returns whether a client has received everything if this is the last event that it received. */
export function isAtEnd(lastEventId: string | undefined): boolean {
  return lastEventId === END;
}

/**
 * Returns where to continue for a client whose last event this was; empty if it should start at the position in the
 * request, or at the start.
 */
export function positionAfter(lastEventId: string | undefined): {
  readonly cursor?: string;
  readonly since?: undefined;
} {
  if (lastEventId === undefined || lastEventId === '' || lastEventId === START) return {};
  return { cursor: lastEventId, since: undefined };
}

/** @throws `INVALID_INPUT`, because a repeated request would run the command again. */
export function refuseReplay(lastEventId: string | undefined): void {
  if (lastEventId === undefined) return;
  const message =
    'is not allowed on a request that runs something, because it would run again. Continue with GET ' +
    '/api/terminals/ID/commands/N/result, or for a program with GET /api/terminals/ID/output';
  throw invalidInput({ field: 'header.Last-Event-ID', message, given: lastEventId, expected: 'no such header' });
}
