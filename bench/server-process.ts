/**
 * Starts a server as a user would, in a process of its own, sends it HTTP requests and stops it together with the hosts
 * it has started. Measures nothing; independent of particular rows.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { ROOT } from './contender.js';
import { OwnHosts } from './hosts.js';
import { pssMb } from './process-cost.js';

export const SERVE: readonly string[] = [
  process.execPath,
  join(ROOT, 'dist', 'cli', 'main.js'),
  'serve',
  '--port',
  '0',
];

const STARTED = / is at (http:\/\/\S+)/;

export class ServerProcess {
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(
    readonly pid: number,
    readonly url: string,
    readonly hosts: OwnHosts,
    readonly stop: () => Promise<void>,
  ) {}

  /** Starts a program that prints its address on stderr. It uses default settings and its own data directory. */
  static async start([file, ...args]: readonly string[] = SERVE): Promise<ServerProcess> {
    const hosts = new OwnHosts();
    const env = {
      PATH: process.env.PATH,
      HOME: hosts.directory,
      TENACITTY_DATA_DIR: hosts.dataDir,
      TENACITTY_RUNTIME_DIR: hosts.runtimeDir,
      TENACITTY_LOG_LEVEL: 'error',
      TENACITTY_RATE_LIMIT: '0',
    };
    // In its own process group, so that processes that npm starts can be stopped with it.
    const child = spawn(file!, args, { cwd: ROOT, env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    const closed = once(child, 'close');
    const stop = async (): Promise<void> => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM');
      await closed;
      await hosts.end();
    };
    const url = await startedAt(child.stderr, closed).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return new ServerProcess(child.pid!, url, hosts, stop);
  }

  /** Sends one request over a keep-alive connection; resolves with the data of a successful answer. */
  async call<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const sent = httpRequest(this.url + path, { method, headers, agent: this.#agent });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const answer = (await json(response)) as { success: boolean; data: Data };
    if (!answer.success) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  }

  /** Creates a terminal; resolves with its id. */
  async createTerminal(options: object): Promise<string> {
    return (await this.call<{ terminalId: string }>('POST', '/api/terminals', options)).terminalId;
  }

  /** The present memory of the server and all hosts together. */
  memoryMb(): number {
    return pssMb([this.pid, ...this.hosts.pids()]);
  }
}

async function startedAt(stderr: NodeJS.ReadableStream, closed: Promise<unknown>): Promise<string> {
  let said = '';
  const found = new Promise<string>((resolve) => {
    stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = STARTED.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const url = await Promise.race([found, closed.then(() => null)]);
  if (url === null) throw new Error(`the server ended before it was ready: ${said}`);
  return url;
}
