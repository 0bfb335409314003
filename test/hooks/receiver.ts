/** A receiver of webhooks for tests: records what it gets, and answers as it is told. Can be down and come back. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { HookEvent } from '../../src/contract/hooks.js';
import { eventually } from '../eventually.js';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: HookEvent;
}

const OK = 200;
const open = new Set<Receiver>();

/** For `afterEach`. */
export async function closeReceivers(): Promise<void> {
  await Promise.all([...open].map((receiver) => receiver.goDown()));
}

export class Receiver {
  readonly received: Received[] = [];
  /** Answers a request after it was recorded. Default: 200. */
  answer: (response: ServerResponse, received: Received) => void = (response) => void response.writeHead(OK).end();
  #server: Server | undefined;
  #port = 0;

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#take(request, response));
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    open.add(this);
    return this;
  }

  /** Connections are refused until `start` is called again. */
  async goDown(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    open.delete(this);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  get events(): HookEvent[] {
    return this.received.map(({ event }) => event);
  }

  /** Resolves with the first event for which the condition holds. */
  async until(isWanted: (event: HookEvent) => boolean): Promise<HookEvent> {
    const missing = () => `${isWanted.toString()} among ${JSON.stringify(this.events)}`;
    return eventually(() => this.events.find(isWanted), { missing });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const received = { headers: request.headers, body, event: JSON.parse(body) as HookEvent };
    this.received.push(received);
    this.answer(response, received);
  }
}

/** Starts a receiver on a free port. */
export function startReceiver(): Promise<Receiver> {
  return new Receiver().start();
}
