/** The official client with `tenacitty mcp` as a real process, in either revision of the protocol. */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { ClientOptions, RequestOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { TerminalManager } from '../../src/contract/manager.js';
import { localPrincipal } from '../../src/access/principal.js';
import { createMcpServer } from '../../src/mcp/server.js';
import { Workspace } from '../../src/mcp/workspace.js';
import type { WorkspaceOptions } from '../../src/mcp/workspace.js';
import { MAIN } from '../cli/place.js';
import type { Place } from '../cli/place.js';

const MODERN = '2026-07-28';

export type Era = 'legacy' | 'modern';
export const ERAS: readonly Era[] = ['legacy', 'modern'];

/** The tool's answer. */
export interface AgentAnswer {
  /** The output, or the message of an error. */
  readonly text: string;
  readonly meta: Record<string, unknown>;
  readonly isError: boolean;
  readonly content: readonly Record<string, unknown>[];
}

interface Options {
  readonly era?: Era;
  readonly workspace?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly client?: ClientOptions;
}

/** A client that supports only one revision. */
export function clientOf(era: Era, options: ClientOptions = {}): Client {
  const mode = era === 'legacy' ? 'legacy' : { pin: MODERN };
  return new Client({ name: 'agent', version: '1' }, { ...options, versionNegotiation: { mode } });
}

/** One client and its server, which end together. */
export class Agent {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  stderr = '';

  private constructor(client: Client, transport: StdioClientTransport) {
    this.client = client;
    this.transport = transport;
    transport.stderr?.on('data', (bytes: Buffer) => (this.stderr += bytes.toString()));
  }

  static async start(
    place: Place,
    { era = 'modern', workspace, flags = [], env = {}, client: clientOptions }: Options = {},
  ): Promise<Agent> {
    const named = workspace === undefined ? [] : ['--workspace', workspace];
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', ...named, ...flags],
      env: { ...place.env, TENACITTY_SHELL_PATH: '/bin/bash', ...env },
      cwd: place.directory,
      stderr: 'pipe',
    });
    const client = clientOf(era, clientOptions);
    const agent = new Agent(client, transport);
    await client.connect(transport);
    return agent;
  }

  call(args: Record<string, unknown>, options?: RequestOptions): Promise<AgentAnswer> {
    return callTool(this.client, args, options);
  }

  /** Ends it as a client does, by closing stdin. */
  close(): Promise<void> {
    return this.client.close();
  }
}

/** A client and a server in this process, for tests that do not depend on a transport. */
export interface LocalAgent {
  readonly client: Client;
  call(args: Record<string, unknown>): Promise<AgentAnswer>;
  close(): Promise<void>;
}

export async function connectTo(manager: TerminalManager, options: WorkspaceOptions): Promise<LocalAgent> {
  const server = createMcpServer(new Workspace(manager, options), { principalOf: localPrincipal, onFault: () => {} });
  const [own, other] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'agent', version: '1' });
  await server.connect(other);
  await client.connect(own);
  return { client, call: (args) => callTool(client, args), close: () => client.close() };
}

/** Calls the tool and parses its answer. */
export async function callTool(
  client: Client,
  args: Record<string, unknown>,
  options?: RequestOptions,
): Promise<AgentAnswer> {
  const { content, isError, structuredContent } = await client.callTool({ name: 'terminal', arguments: args }, options);
  expect(structuredContent).toBeUndefined();
  const [facts, output] = content.map((block) => (block.type === 'text' ? block.text : ''));
  expect(facts).toMatch(/^\{.*\}\n$/);
  const meta = JSON.parse(facts!) as Record<string, unknown>;
  return {
    text: output ?? [meta['message'], meta['hint']].filter(Boolean).join(' '),
    meta,
    isError: isError === true,
    content: content as unknown as Record<string, unknown>[],
  };
}
