/**
 * Processes that access terminals and that tests kill with SIGKILL: the server as installed, and a program that holds a
 * manager and follows a terminal.
 */
import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import type { TerminalEvent } from '../../src/contract/event.js';
import type { OutputPage, ReadOutput } from '../../src/contract/output.js';
import type { TerminalSummary } from '../../src/contract/terminal.js';
import { BUILD } from '../build.js';
import { HOST_MAIN } from '../host/host-under-test.js';
import type { Places } from '../host/host-under-test.js';

const SERVER = join(BUILD, 'cli', 'main.js');
const LIBRARY = join(BUILD, 'index.js');
const SUBSCRIBER = join(import.meta.dirname, 'programs', 'subscriber.mjs');

const started: (Server | Subscriber)[] = [];

/** For `afterEach`: kills those that a test has left running. */
export async function killDoors(): Promise<void> {
  await Promise.all(started.splice(0).map((door) => door.murder()));
}

/** `tenacitty serve` on a free port. */
export class Server {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #said = '';
  #url = '';

  private constructor(places: Places) {
    const { root, dataDir, runtimeDir } = places;
    const settings = {
      TENACITTY_DATA_DIR: dataDir,
      TENACITTY_RUNTIME_DIR: runtimeDir,
      TENACITTY_PORT: '0',
      TENACITTY_LOG_LEVEL: 'error',
      TENACITTY_RATE_LIMIT: '0',
    };
    const env = { PATH: process.env['PATH']!, HOME: root, TENACITTY_SHELL_PATH: '/bin/sh', ...settings };
    this.#child = spawn(process.execPath, [SERVER, 'serve'], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#ended = once(this.#child, 'close');
    started.push(this);
  }

  static async start(places: Places): Promise<Server> {
    const server = new Server(places);
    server.#url = await server.#address();
    return server;
  }

  get url(): string {
    return this.#url;
  }

  get port(): number {
    return Number(new URL(this.#url).port);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async list(): Promise<TerminalSummary[]> {
    return ((await this.#get('/api/terminals')) as { terminals: TerminalSummary[] }).terminals;
  }

  async read(id: string, request: ReadOutput): Promise<OutputPage> {
    const query = new URLSearchParams(
      Object.entries(request).map(([name, value]): [string, string] => [name, `${value}`]),
    );
    return (await this.#get(`/api/terminals/${id}/output?${query.toString()}`)) as OutputPage;
  }

  async murder(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  async #address(): Promise<string> {
    const stderr = this.#child.stderr!;
    for (;;) {
      const match = /is at (http:\S+)/.exec(this.#said);
      if (match) return match[1]!;
      const piece = await Promise.race([once(stderr, 'data'), this.#ended.then(() => null)]);
      if (piece === null) throw new Error(`the server did not start: ${this.#said}`);
      this.#said += String((piece as unknown[])[0]);
    }
  }

  /** Rejects if the server ends before it has answered. */
  #get(path: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const request = get(`${this.#url}${path}`, { agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('error', reject);
        response.on('end', () => {
          const { success, data, error } = JSON.parse(text);
          if (success) resolve(data);
          else reject(new Error(`${error.code}: ${error.message}`));
        });
      });
      request.on('error', reject);
    });
  }
}

/** A process that follows a terminal until it is killed or there is nothing to follow. */
export class Subscriber {
  readonly #child: ChildProcess;
  readonly ended: Promise<unknown>;

  constructor({ dataDir, runtimeDir }: Places, id: string, offset: number, take: (event: TerminalEvent) => void) {
    const args = [LIBRARY, dataDir, runtimeDir, HOST_MAIN, id, String(offset)];
    this.#child = fork(SUBSCRIBER, args, { serialization: 'advanced', execArgv: [] });
    this.#child.on('message', (event) => take(event as TerminalEvent));
    this.ended = once(this.#child, 'close');
    started.push(this);
  }

  async murder(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
