/**
 * Requests an event stream and validates each event against the route's documentation before it returns it to the test.
 */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { EVENT_STREAM } from '../../src/http/event-stream.js';
import { ROUTES } from '../../src/http/routes.js';

export interface ReceivedEvent {
  readonly event: string;
  readonly id: string;
  // The test knows its type.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly data: any;
}

export class EventClient {
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  readonly #events: AsyncGenerator<ReceivedEvent>;

  private constructor(request: ClientRequest, response: IncomingMessage, name: string) {
    this.#request = request;
    this.#response = response;
    this.#events = eventsOf(response, name);
  }

  /** Resolves when the stream has begun. */
  static async open(url: string, path: string, body?: object, more: object = {}): Promise<EventClient> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      Accept: EVENT_STREAM,
      ...more,
      ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    };
    const request = httpRequest(`${url}${path}`, { method: body ? 'POST' : 'GET', headers, agent: false });
    const answered = once(request, 'response');
    request.end(text);
    const [response] = (await answered) as [IncomingMessage];
    // Errors caused by disconnecting do not matter to the test.
    response.on('error', () => {});
    request.on('error', () => {});
    expect(response.headers['content-type']).toBe(`${EVENT_STREAM}; charset=utf-8`);
    const name = ROUTES.find((route) => route.stream && matches(route.path, path))!.name;
    return new EventClient(request, response, name);
  }

  get headers(): IncomingMessage['headers'] {
    return this.#response.headers;
  }

  get status(): number {
    return this.#response.statusCode!;
  }

  /** Returns the next event. */
  async next(): Promise<ReceivedEvent> {
    const { value, done } = await this.#events.next();
    if (done === true) throw new Error('The stream has ended');
    return value;
  }

  /** Returns all remaining events. */
  async rest(): Promise<ReceivedEvent[]> {
    const all: ReceivedEvent[] = [];
    for await (const event of this.#events) all.push(event);
    return all;
  }

  /** Reads until the output so far contains `text`; returns that output. */
  async until(text: string): Promise<string> {
    let seen = '';
    while (!seen.includes(text)) {
      const { event, data } = await this.next();
      if (event === 'output') seen += data.text;
      if (event === 'result' || event === 'failed') throw new Error(`It ended without ${text}: ${seen}`);
    }
    return seen;
  }

  /** Stops reading and stays connected. */
  pause(): void {
    this.#response.pause();
  }

  /** Disconnects abruptly. */
  leave(): void {
    this.#request.destroy();
  }
}

/** Returns the concatenated output of the events. */
export function outputOf(events: readonly ReceivedEvent[]): string {
  return events.map(({ event, data }) => (event === 'output' ? (data.text as string) : '')).join('');
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/:\w+/g, '[^/?]*')}(\\?|$)`).test(path);
}

async function* eventsOf(response: IncomingMessage, route: string): AsyncGenerator<ReceivedEvent> {
  const { events } = ROUTES.find(({ name }) => name === route)!.stream!;
  let text = '';
  for await (const piece of response.setEncoding('utf8')) {
    text += piece as string;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      if (lines[0]!.startsWith(':')) continue;
      const [, event, id = '', json] = /^event: (.*)\n(?:id: (.*)\n)?data: (\{.*)$/.exec(lines.join('\n'))!;
      yield { event: event!, id, data: events[event!]!.data.parse(JSON.parse(json!)) };
    }
  }
  expect(text).toBe('');
}
