/**
 * A model whose answers are written beforehand, in one conversation, behind the APIs that agents speak, on loopback
 * or a Unix socket.
 * What is asked of anything else is a 404, and recorded like the rest. It knows no agent and nothing of terminals.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { MESSAGES_PATH, readMessages, writeMessages } from './anthropic-messages.js';
import { nextReply } from './conversation.js';
import type { Script, Step } from './conversation.js';
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
  /** Requests for what is not there, as `GET /path`. */
  readonly strays: string[] = [];
  #script: Script = { steps: [], before: 0 };
  /** All that tools gave, as the model was told at first: agents shorten what is old. */
  #results: readonly string[] = [];
  readonly #servers: Server[] = [];

  /** What it does in the next turn; after that it talks. */
  script(...steps: readonly Step[]): void {
    this.#script = { steps, before: this.#results.length };
  }

  /** The next turn begins a conversation anew. */
  forget(): void {
    this.#results = [];
  }

  /** What the tools have given in this turn, as far as the model was told. */
  get results(): readonly string[] {
    return this.#results.slice(this.#script.before);
  }

  /** Serves on a port of loopback that is free; gives its number. */
  async listen(): Promise<number> {
    const server = await this.#serve({ host: '127.0.0.1', port: 0 });
    return (server.address() as AddressInfo).port;
  }

  /** Serves on a Unix socket, for an agent without a network. */
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
