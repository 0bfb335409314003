/** The official client over HTTP, in either revision of the protocol. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Client, ClientOptions, RequestOptions } from '@modelcontextprotocol/client';
import { callTool, clientOf } from './client.js';
import type { AgentAnswer, Era } from './client.js';

interface Options {
  readonly era?: Era;
  readonly headers?: Readonly<Record<string, string>>;
  readonly client?: ClientOptions;
}

export class HttpAgent {
  private constructor(readonly client: Client) {}

  /** @param url - The server's address, without a path. */
  static async connect(url: string, { era = 'modern', headers = {}, client }: Options = {}): Promise<HttpAgent> {
    const agent = new HttpAgent(clientOf(era, client));
    await agent.client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
    return agent;
  }

  call(args: Record<string, unknown>, options?: RequestOptions): Promise<AgentAnswer> {
    return callTool(this.client, args, options);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
