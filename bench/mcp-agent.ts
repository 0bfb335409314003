/**
 * An agent with the tool `terminal`: the official client, over stdio with a process of its own or over HTTP with a
 * server of its own. Measures nothing.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { join } from 'node:path';
import { ROOT } from './contender.js';
import { OwnHosts } from './hosts.js';
import { ServerProcess } from './server-process.js';

export type AgentTransport = 'stdio' | 'http';

const MAIN = join(ROOT, 'dist', 'cli', 'main.js');
const REVISION = '2026-07-28';

interface Door {
  readonly transport: Transport;
  readonly end: () => Promise<void>;
}

export class McpAgent {
  private constructor(
    readonly client: Client,
    readonly end: () => Promise<void>,
  ) {}

  /** @param env - Variables for the shells, in addition to the existing ones. */
  static async open(way: AgentTransport, env: Readonly<Record<string, string>> = {}): Promise<McpAgent> {
    const { transport, end } = way === 'stdio' ? overStdio(env) : await overHttp();
    const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: { pin: REVISION } } });
    await client.connect(transport);
    return new McpAgent(client, async () => {
      await client.close();
      await end();
    });
  }

  /** Returns all text of an answer that a model reads. */
  async call(args: Readonly<Record<string, unknown>>): Promise<string[]> {
    const { content } = await this.client.callTool({ name: 'terminal', arguments: args });
    return content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  }
}

function overStdio(env: Readonly<Record<string, string>>): Door {
  const hosts = new OwnHosts();
  const places = {
    TENACITTY_DATA_DIR: hosts.dataDir,
    TENACITTY_RUNTIME_DIR: hosts.runtimeDir,
    TENACITTY_SHELL_PATH: '/bin/bash',
  };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp'],
    env: { PATH: process.env.PATH ?? '', HOME: hosts.directory, ...env, ...places },
    cwd: ROOT,
  });
  return { transport, end: () => hosts.end() };
}

async function overHttp(): Promise<Door> {
  const server = await ServerProcess.start();
  return { transport: new StreamableHTTPClientTransport(new URL('/mcp', server.url)), end: server.stop };
}
