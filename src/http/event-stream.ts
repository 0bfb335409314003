/**
 * Streams events to the client no faster than the client reads them, either as server-sent events with a heartbeat when
 * idle, or as JSON Lines.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Exchange } from './exchange.js';
import { problemOf } from './problems.js';

export const EVENT_STREAM = 'text/event-stream';
/** Media type of a stream whose lines are events: the data of each, with its name as `type`. */
export const JSON_LINES = 'application/x-ndjson';
const TEXT_OF = { [EVENT_STREAM]: textOf, [JSON_LINES]: lineOf };
export type StreamType = keyof typeof TEXT_OF;

export function isStreamType(mediaType: string): mediaType is StreamType {
  return Object.hasOwn(TEXT_OF, mediaType);
}

/** One event: its name, its data (sent as JSON), and its id for clients that reconnect. */
export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
  readonly id?: string;
}

/** Shorter than the idle timeouts of this server and of proxies (usually a minute). */
export const HEARTBEAT_MS = 15_000;
/** A comment, which clients of server-sent events ignore. */
const HEARTBEAT = ': still here\n\n';

/**
 * Responds with the events and ends the response after the last one. Throws an error that occurs before the first
 * event, and reports a later one as the event `failed`, because EventSource uses the name `error` for its own event.
 */
export async function sendEvents(
  exchange: Exchange,
  status: number,
  events: AsyncIterable<ServerEvent>,
  log: Logger,
  type: StreamType = EVENT_STREAM,
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  const { response } = exchange;
  if (response.destroyed) return void (await iterator.return?.());
  begin(exchange, status, type);
  const format = TEXT_OF[type];
  const heartbeat = setInterval(() => beat(response, type), HEARTBEAT_MS);
  try {
    for (let next = first; next.done !== true && !response.destroyed; next = await iterator.next()) {
      await write(response, format(next.value));
    }
  } catch (error) {
    const { code, message, details } = problemOf(exchange, error, log);
    await write(response, format({ event: 'failed', data: { code, message, details } }));
  } finally {
    clearInterval(heartbeat);
    await iterator.return?.();
    response.end();
  }
}

function begin({ response }: Exchange, status: number, type: StreamType): void {
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  // Proxies must neither buffer nor compress events, which have to arrive immediately.
  response.setHeader('Cache-Control', 'no-store, no-transform');
  response.setHeader('X-Accel-Buffering', 'no');
  response.writeHead(status).flushHeaders();
}

/** Sends a heartbeat unless the caller still has queued data to read. */
function beat(response: ServerResponse, type: StreamType): void {
  if (type === EVENT_STREAM && !response.writableNeedDrain && !response.destroyed) response.write(HEARTBEAT);
}

function textOf({ event, data, id }: ServerEvent): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`;
}

function lineOf({ event, data }: ServerEvent): string {
  return `${JSON.stringify({ type: event, ...(data as object) })}\n`;
}

/** Writes a piece of a response. Resolves when the caller can accept more or has left. */
export async function write(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  if (response.destroyed || response.write(piece)) return;
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(() => {});
  over.abort();
}
