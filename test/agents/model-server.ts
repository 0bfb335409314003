/**
 * A model with scripted answers in one conversation, behind the APIs that agents use, on loopback or a Unix socket.
 * Other requests get a 404 and are recorded too.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { MESSAGES_PATH, readMessages, writeMessages } from './anthropic-messages.js';
import { nextReply } from './conversation.js';
import type { Script, ModelStep } from './conversation.js';
import { CONTENT_PATH, readContent, writeContent } from './google-content.js';
import { CHAT_PATH, readChat, writeChat } from './openai-chat.js';
import { readResponses, RESPONSES_PATH, writeResponses } from './openai-responses.js';

const APIS = [
  { path: CHAT_PATH, read: readChat, write: writeChat },
  { path: MESSAGES_PATH, read: readMessages, write: writeMessages },
  { path: RESPONSES_PATH, read: readResponses, write: writeResponses },
  { path: CONTENT_PATH, read: readContent, write: writeContent },
];

export class ModelServer {
  /** Requests to unknown paths, as `GET /path`. */
  readonly strays: string[] = [];
  #script: Script = { steps: [], before: 0 };
  /** All tool results, as first received: agents shorten old ones. */
  #results: readonly string[] = [];
  readonly #servers: Server[] = [];

  /** Sets its steps for the next turn; after them, it answers with text. */
  script(...steps: readonly ModelStep[]): void {
    this.#script = { steps, before: this.#results.length };
  }

  /** Makes the next turn start a new conversation. */
  forget(): void {
    this.#results = [];
  }

  /** The tool results of this turn, as far as they were sent to the model. */
  get results(): readonly string[] {
    return this.#results.slice(this.#script.before);
  }

  /** Listens on a free loopback port; resolves with its number. */
  async listen(): Promise<number> {
    const server = await this.#serve({ host: '127.0.0.1', port: 0 });
    return (server.address() as AddressInfo).port;
  }

  /** Listens on a Unix socket, for an agent without a network. */
  async listenAt(path: string): Promise<void> {
    await this.#serve({ path });
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#servers.map(async (server) => {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
      }),
    );
  }

  async #serve(where: { host: string; port: number } | { path: string }): Promise<Server> {
    const server = createServer((request, response) => void this.#answer(request, response));
    server.listen(where);
    await once(server, 'listening');
    this.#servers.push(server);
    return server;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url!, 'http://model').pathname;
    const api = request.method === 'POST' ? APIS.find((known) => known.path.test(path)) : undefined;
    if (api === undefined) {
      this.strays.push(`${request.method} ${path}`);
      response.writeHead(404).end();
      return;
    }
    const conversation = api.read(await json(request));
    this.#results = [...this.#results, ...conversation.results.slice(this.#results.length)];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(api.write(nextReply(conversation, this.#script)));
  }
}
