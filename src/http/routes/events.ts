/** Routes that report what happens in all terminals, as server-sent events or over WebSocket. */
import { z } from 'zod';
import { terminalFilter, managerFilter } from '../../contract/terminal-filter.js';
import { managerEvent, watchTerminals, type WatchTerminals } from '../../contract/watch.js';
import { serveWatch } from '../../live/watch.js';
import { EVENT_STREAM, type ServerEvent } from '../event-stream.js';
import { errorForm, route, type EventKind, type RouteCall } from '../route.js';

const { after, lines } = watchTerminals.shape;
const watchQuery = z.strictObject({ ...terminalFilter.shape, lines, after });
type WatchQuery = z.output<typeof watchQuery>;

const ABOUT = { id: '5b0c…-17', at: '2025-10-03T12:00:00.000Z', terminalId: 'abc-123' };

const EVENTS: Readonly<Record<string, EventKind>> = {
  ready: {
    meaning: "First: the stream has begun. The event's id is the position at which the stream begins.",
    data: z.strictObject({}),
    example: {},
  },
  ...Object.fromEntries(managerEvent.options.map((event) => [event.shape.type.value, eventKind(event)])),
  stopping: {
    meaning: 'Last: the server is stopping. Connect again, with the id of the last event.',
    data: z.strictObject({}),
    example: {},
  },
  failed: {
    meaning: 'Last: the stream cannot continue.',
    data: errorForm.shape.error,
    example: { code: 'HOST_FAILED', message: '…', details: {} },
  },
};

function eventKind(event: (typeof managerEvent.options)[number]): EventKind {
  const type = event.shape.type.value;
  return { meaning: event.description ?? '', data: z.strictObject(event.shape), example: { type, ...ABOUT } };
}

const EXAMPLE = `event: ready
id: MTA0Mg
data: {}

event: removed
id: MTA0Mw
data: ${JSON.stringify({ type: 'removed', ...ABOUT })}
`;

function requestOf({ lines, after, ...filter }: WatchQuery): WatchTerminals {
  return { ...managerFilter(filter), lines, after };
}

type WatchCall = RouteCall<z.ZodObject, typeof watchQuery, z.ZodType>;

async function* eventsOf({ query, signal, service, lastEventId }: WatchCall): AsyncGenerator<ServerEvent> {
  // A browser that reconnects repeats its first request, so the header is newer than the query.
  const request = requestOf({ ...query, after: lastEventId || query.after });
  const watch = await service.manager.watch(request);
  const close = (): void => watch.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  try {
    yield { event: 'ready', id: watch.cursor, data: {} };
    for await (const { cursor, event } of watch) yield { event: event.type, id: cursor, data: event };
    yield { event: 'stopping', data: {} };
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

const events = route({
  method: 'get',
  path: '/api/events',
  name: 'watchEvents',
  tag: 'All terminals',
  summary: 'Follow events',
  description:
    'Reports what happens to all terminals, including those that are created later, as server-sent events. A stream ' +
    'resumes after the event that is given in `after`, or in the `Last-Event-ID` header, which EventSource sends ' +
    'when it reconnects.',
  query: watchQuery,
  mediaType: EVENT_STREAM,
  answer: z.string(),
  errors: ['LIMIT_REACHED'],
  example: { query: { status: 'active' }, answer: EXAMPLE },
  handle: () => '',
  stream: { events: EVENTS, open: eventsOf },
});

const LIVE_EXAMPLE = `{"type":"hello","cursor":"MTA0Mg"}
${JSON.stringify({ cursor: 'MTA0Mw', event: { type: 'removed', ...ABOUT } })}`;

const live = route({
  method: 'get',
  path: '/api/live',
  name: 'watchLive',
  tag: 'All terminals',
  summary: 'Follow events over WebSocket',
  description:
    'Opens a WebSocket with the subprotocol `tenacitty.v1`, which sends the same events, each as `{"cursor": …, ' +
    '"event": {…}}`. docs/events.md describes the messages.',
  query: watchQuery,
  status: 101,
  mediaType: 'WebSocket',
  answer: z.string(),
  errors: ['UPGRADE_REQUIRED', 'LIMIT_REACHED'],
  example: { answer: LIVE_EXAMPLE },
  handle: () => '',
  upgrade: ({ query, service }, peer, { explain }) =>
    serveWatch(peer, { manager: service.manager, request: requestOf(query), explain }),
});

export const eventRoutes = [events, live];
