/**
 * The ids of the events of a stream, by which a client that comes again says what it has: EventSource does so by itself.
 * Pure; it knows no route and no command.
 */
import { invalidInput } from '../errors.js';
import type { ServerEvent } from './event-stream.js';

/** Of the first event: nothing was printed yet. */
const START = 'start';
/** Of the last one, where nothing can follow: whoever has it is to come no more. */
const END = 'end';

type Told = ServerEvent & { readonly data: object };

/** The same events, each with where its reader stands then. */
export async function* withIds(events: AsyncIterable<Told>): AsyncGenerator<ServerEvent> {
  for await (const told of events) yield { ...told, id: idOf(told) };
}

function idOf({ data }: Told): string {
  const { cursor = START, state }: { cursor?: string; state?: string } = data;
  return state === 'completed' || state === 'lost' ? END : cursor;
}

/** Whether somebody who had this event last has everything. */
export function isAtEnd(lastEventId: string | undefined): boolean {
  return lastEventId === END;
}

/** Where to go on for somebody who had this event last; nothing where it is said in the request, or from the start. */
export function placeAfter(lastEventId: string | undefined): { readonly cursor?: string; readonly since?: undefined } {
  if (lastEventId === undefined || lastEventId === '' || lastEventId === START) return {};
  return { cursor: lastEventId, since: undefined };
}

/** @throws `INVALID_INPUT`: asked again, it would be run again. */
export function refuseAgain(lastEventId: string | undefined): void {
  if (lastEventId === undefined) return;
  const message =
    'cannot be given where something is run: it would be run again. Go on with GET ' +
    '/api/terminals/ID/commands/N/result, or for a program with GET /api/terminals/ID/output';
  throw invalidInput({ field: 'header.Last-Event-ID', message, given: lastEventId, expected: 'no such header' });
}
