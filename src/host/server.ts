/**
 * A host, without its process: a manager of terminals in this process and the socket by which others reach it. It
 * knows neither locks nor when to end.
 */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { once } from 'node:events';
import type { Subscription } from '../contract/manager.js';
import type { Call } from '../contract/methods.js';
import { limitReached, TerminalError } from '../errors.js';
import type { EngineLog } from '../contract/options.js';
import type { LocalTerminalManager } from '../terminal/terminal-manager.js';
import { VERSION } from '../version.js';
import { MAX_HOST_MEMORY_BYTES } from './options.js';
import { chooseProtocol, PROTOCOLS } from './protocol.js';
import type { HostHello, HostLoad, HostRequest } from './protocol.js';
import { ServedClient } from './served-client.js';
import type { HostService } from './served-client.js';

export interface HostServerOptions {
  readonly manager: LocalTerminalManager;
  readonly slot: number;
  readonly maxTerminals: number;
  readonly log: EngineLog;
  /** Default: 256 MB. */
  readonly maxMemoryBytes?: number;
  /** Called when a client has asked for the end and all terminals have ended. */
  readonly onShutdown?: () => void;
  /** Hands all terminals on to a new process and resolves to what the client is told. */
  readonly handOff?: (argument: unknown) => Promise<unknown>;
}

/** Only this user may connect. */
const SOCKET_UMASK = 0o177;

/** What somebody may have put into it is not ours to remove. */
function checkNoDirectory(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new TerminalError('HOST_FAILED', `${path}, where the socket belongs, is a directory: remove it`, { path });
}

export class HostServer implements HostService {
  readonly #options: HostServerOptions;
  readonly #clients = new Set<ServedClient>();
  #server: Server | null = null;
  #path = '';
  /** Of the socket file we have made. */
  #inode = 0;
  #isHeld = false;
  #idleSince = performance.now();
  /** Whether it was asked to go when nothing needs it. */
  #mayLeave = false;

  constructor(options: HostServerOptions) {
    this.#options = options;
  }

  /** Listens, in place of whatever has the path: only the slot's owner may do so. */
  async listen(path: string): Promise<void> {
    this.#path = path;
    checkNoDirectory(path);
    // Before the path is taken: closing removes it, whosever socket it is by then.
    this.#server?.close();
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) unlinkSync(path);
    const server = createServer((socket) => this.#accept(socket));
    const before = process.umask(SOCKET_UMASK);
    try {
      // The socket is made before `listen` returns.
      server.listen(path);
    } finally {
      process.umask(before);
    }
    await once(server, 'listening');
    chmodSync(path, 0o600);
    this.#inode = lstatSync(path).ino;
    this.#server = server;
  }

  /**
   * Listens anew if a tidy-up has taken the socket away, or something else has its path. Those who are connected notice
   * nothing.
   *
   * @throws `HOST_FAILED` if a directory has its path: that is for whoever made it to remove.
   */
  async keepSocket(): Promise<void> {
    const there = lstatSync(this.#path, { throwIfNoEntry: false });
    if (this.#server === null || (there?.isSocket() === true && there.ino === this.#inode)) return;
    checkNoDirectory(this.#path);
    const what = there === undefined ? 'removed' : 'replaced';
    this.#options.log('warn', `The socket was ${what} by somebody and is made anew`, { path: this.#path });
    await this.listen(this.#path);
  }

  /** How long there has been no client and nothing that would be gone with this process; for ever, where it was asked to go. */
  idleMs(): number {
    if (this.#clients.size > 0 || this.#options.manager.isNeeded) this.#idleSince = performance.now();
    else if (this.#mayLeave) return Infinity;
    return performance.now() - this.#idleSince;
  }

  /** Answers nothing new until `goOn`, nor those who come meanwhile. */
  hold(): void {
    this.#isHeld = true;
    for (const client of this.#clients) client.hold();
  }

  goOn(): void {
    this.#isHeld = false;
    for (const client of this.#clients) client.goOn();
  }

  /** Takes no more clients; those there are stay. Removes the path: a successor may listen there only afterwards. */
  stopListening(): void {
    this.#server?.close();
    this.#server = null;
  }

  /**
   * Takes no more clients, and lets go of those there are. The manager stays as it is. Removes the path: a successor
   * may listen there only afterwards. Resolves when they are gone; bounded.
   */
  async close(): Promise<void> {
    this.#server?.close();
    this.#server = null;
    await Promise.all([...this.#clients].map((client) => client.close()));
  }

  async hello(protocols: readonly number[]): Promise<HostHello> {
    const { slot } = this.#options;
    const protocol = chooseProtocol(protocols);
    return { protocol, protocols: [...PROTOCOLS], version: VERSION, pid: process.pid, slot, load: await this.#load() };
  }

  async answer(request: HostRequest, signal: AbortSignal): Promise<unknown> {
    const { method, argument } = request;
    if (method === 'load') return this.#load();
    if (method === 'leave') return void (this.#mayLeave = true);
    if (method === 'shutdown') return this.#shutdown(argument);
    if (method === 'handOff') return this.#handOff(argument);
    if (method === 'create') await this.#checkRoom();
    // The manager checks what is in it.
    return this.#options.manager.call({ ...request, signal } as Call);
  }

  async subscribe({ id = '', argument }: HostRequest): Promise<{ offset: number; subscription: Subscription }> {
    const from = argument as number | undefined;
    const { manager } = this.#options;
    // Asked in one turn: the one begins where the other says that the output ends.
    const [subscription, { totalBytes }] = await Promise.all([manager.subscribe(id, from), manager.get(id)]);
    return { offset: from ?? totalBytes, subscription };
  }

  fault(error: unknown): void {
    const stack = error instanceof Error ? error.stack : String(error);
    this.#options.log('error', 'A request met a fault', { error: stack });
  }

  async #checkRoom(): Promise<void> {
    const { hasRoom, active, memoryBytes } = await this.#load();
    if (!hasRoom && active < this.#options.maxTerminals) {
      throw limitReached('HOST_MEMORY', memoryBytes, 'The host holds so much that it takes no more terminals');
    }
    this.#mayLeave = false;
  }

  async #load(): Promise<HostLoad> {
    const { manager, maxTerminals, maxMemoryBytes = MAX_HOST_MEMORY_BYTES } = this.#options;
    const { activeTerminals: active } = await manager.summary();
    const memoryBytes = process.memoryUsage.rss();
    // With no terminal at all it has room, whatever it weighs: another host would weigh the same.
    const hasRoom = active < maxTerminals && (active === 0 || memoryBytes < maxMemoryBytes);
    return { active, memoryBytes, hasRoom };
  }

  async #shutdown(graceMs: unknown): Promise<void> {
    const isTime = typeof graceMs === 'number' && graceMs >= 0;
    await this.#options.manager.shutdown(isTime ? graceMs : undefined);
    // After the answer was sent.
    setImmediate(() => this.#options.onShutdown?.());
  }

  async #handOff(argument: unknown): Promise<unknown> {
    const { handOff } = this.#options;
    if (handOff === undefined) throw new TerminalError('HOST_FAILED', 'This host cannot hand its terminals on');
    return handOff(argument);
  }

  #accept(socket: Socket): void {
    const client: ServedClient = new ServedClient(socket, this, () => this.#clients.delete(client));
    this.#clients.add(client);
    if (this.#isHeld) client.hold();
  }
}
