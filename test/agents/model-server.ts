/**
 * A model whose answers are written beforehand, behind the two APIs that agents speak, on loopback or a Unix socket.
 * What is asked of anything else is a 404, and recorded like the rest. It knows no agent and nothing of terminals.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { MESSAGES_PATH, readMessages, writeMessages } from './anthropic-messages.js';
import { nextReply } from './conversation.js';
import type { Conversation, Step } from './conversation.js';
import { CHAT_PATH, readChat, writeChat } from './openai-chat.js';

const APIS = new Map([
  [CHAT_PATH, { read: readChat, write: writeChat }],
  [MESSAGES_PATH, { read: readMessages, write: writeMessages }],
]);

export class ModelServer {
  /** What was asked by whoever offered tools, in order. */
  readonly asked: Conversation[] = [];
  /** Requests for what is not there, as `GET /path`. */
  readonly strays: string[] = [];
  #steps: readonly Step[] = [];
  readonly #servers: Server[] = [];

  /** What it does in each conversation that begins from now on; after that it talks. */
  script(...steps: readonly Step[]): void {
    this.#steps = steps;
    this.asked.length = 0;
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

  /** What the tools had given when the model was last asked; empty if it was not asked with a result. */
  get lastResults(): readonly string[] {
    return this.asked.at(-1)?.results ?? [];
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
    const api = request.method === 'POST' ? APIS.get(path) : undefined;
    if (api === undefined) {
      this.strays.push(`${request.method} ${path}`);
      response.writeHead(404).end();
      return;
    }
    const conversation = api.read(await json(request));
    if (conversation.tools.length > 0) this.asked.push(conversation);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(api.write(nextReply(conversation, this.#steps)));
  }
}
