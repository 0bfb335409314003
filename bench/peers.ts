/**
 * Other MCP servers with terminals, used as an agent would to see what a command prints: starts them, calls them
 * through the official client, and ends them. Installs them from npm on demand; others must be installed by hand.
 * Measures nothing.
 */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './contender.js';

const PLACE = join(ROOT, 'bench', '.build', 'peers');
const INSTALL_MS = 10 * 60_000;

/** Calls a tool; resolves with all text of the answer that a model reads. */
type Call = (name: string, args: Readonly<Record<string, unknown>>) => Promise<string>;

export interface ComparedServer {
  readonly name: string;
  /** The package on npm; null if it is not on npm. */
  readonly spec: string | null;
  /** The file to run, relative to its folder. */
  readonly main: string;
  /** Resolves with all answers to the calls that show what a command prints. */
  show(call: Call, command: string): Promise<string[]>;
}

export const PEERS: readonly ComparedServer[] = [
  {
    name: 'desktop-commander 0.2.52',
    spec: '@wonderwhy-er/desktop-commander@0.2.52',
    main: 'node_modules/@wonderwhy-er/desktop-commander/dist/index.js',
    show: async (call, command) => [await call('start_process', { command, timeout_ms: 10_000, shell: '/bin/bash' })],
  },
  {
    name: 'persistent-terminal-mcp 1.0.9',
    spec: null,
    main: 'dist/index.js',
    async show(call, command) {
      const made = await call('create_terminal', { shell: '/bin/bash' });
      const terminalId = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(made)![0];
      const answers = [made, await call('write_terminal', { terminalId, input: command })];
      answers.push(await call('wait_for_output', { terminalId }));
      return [...answers, await call('read_terminal', { terminalId })];
    },
  },
];

/** Returns the peer's location, installing it if needed; undefined if it is not available. */
export function find({ name, spec, main }: ComparedServer): string | undefined {
  const folder = join(PLACE, name.split(' ')[0]!);
  const program = join(folder, main);
  if (existsSync(program) || spec === null) return existsSync(program) ? program : undefined;
  mkdirSync(folder, { recursive: true });
  const args = ['install', spec, '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  spawnSync('npm', args, { stdio: ['ignore', 2, 2], timeout: INSTALL_MS });
  return existsSync(program) ? program : undefined;
}

/** Starts the peer once and returns all text that a model reads to see what each command prints. */
export async function showAll(peer: ComparedServer, program: string, commands: readonly string[]): Promise<string[][]> {
  const home = mkdtempSync(join(tmpdir(), 'tenacitty-peer-'));
  const env = { PATH: process.env.PATH ?? '', HOME: home, SHELL: '/bin/bash', TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const transport = new StdioClientTransport({ command: process.execPath, args: [program], env, stderr: 'ignore' });
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  try {
    await client.connect(transport);
    const call: Call = async (name, args) => {
      const { content } = await client.callTool({ name, arguments: args });
      return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    };
    const shown: string[][] = [];
    for (const command of commands) shown.push(await peer.show(call, command));
    return shown;
  } finally {
    await client.close();
    rmSync(home, { recursive: true, force: true });
  }
}
