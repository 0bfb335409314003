/**
 * Implements a host without its process: a manager of terminals in this process, and the socket that clients reach it
 * through.
 */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { once } from 'node:events';
import type { MethodCall } from '../contract/methods.js';
import type { WatchTerminals } from '../contract/watch.js';
import { limitReached, TerminalError } from '../errors.js';
import type { EngineLog } from '../contract/options.js';
import type { LocalTerminalManager } from '../terminal/terminal-manager.js';
import { VERSION } from '../version.js';
import { MAX_HOST_MEMORY_BYTES } from './options.js';
import { chooseProtocol, PROTOCOLS, WATCH_WINDOW_BYTES, WINDOW_BYTES } from './protocol.js';
import type { HostHello, HostLoad, HostRequest } from './protocol.js';
import { ServedClient } from './served-client.js';
import type { HostService } from './served-client.js';
import type { EventSource } from './stream-sender.js';

export interface HostServerOptions {
  readonly manager: LocalTerminalManager;
  readonly slot: number;
  readonly maxTerminals: number;
  readonly log: EngineLog;
  /** Default: 256 MB. */
  readonly maxMemoryBytes?: number;
  /** Called when a client has requested shutdown and all terminals have ended. */
  readonly onShutdown?: () => void;
  /** Hands all terminals to a new process and resolves to the response for the client. */
  readonly handOff?: (argument: unknown) => Promise<unknown>;
}

/** Gives only this user permission to connect. */
const SOCKET_UMASK = 0o177;

/** Checks that no directory is at the path: its contents may belong to another user, so it must not be removed. */
function checkNoDirectory(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new TerminalError('HOST_FAILED', `${path}, the path of the socket, is a directory; remove it`, { path });
}

export class HostServer implements HostService {
  readonly #options: HostServerOptions;
  readonly #clients = new Set<ServedClient>();
  #server: Server | null = null;
  #path = '';
  /** Inode of the socket file that we created. */
  #inode = 0;
  #isHeld = false;
  #idleSince = performance.now();
  /** Whether the host has been told to exit once nothing needs it. */
  #mayExit = false;

  constructor(options: HostServerOptions) {
    this.#options = options;
  }

  /** Listens, replacing whatever is at the path: only the owner of the slot may do so. */
  async listen(path: string): Promise<void> {
    this.#path = path;
    checkNoDirectory(path);
    // Close the old server before binding the path: closing removes the path, even if another socket has it by then.
    this.#server?.close();
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) unlinkSync(path);
    const server = createServer((socket) => this.#accept(socket));
    const before = process.umask(SOCKET_UMASK);
    try {
      // The socket is bound before `listen` returns.
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
   * Listens again if a cleanup job removed the socket or its path was replaced. Connected clients are not affected.
   *
   * @throws `HOST_FAILED` if a directory is at the path, which its creator must remove.
   */
  async keepSocket(): Promise<void> {
    const there = lstatSync(this.#path, { throwIfNoEntry: false });
    if (this.#server === null || (there?.isSocket() === true && there.ino === this.#inode)) return;
    checkNoDirectory(this.#path);
    const what = there === undefined ? 'removed' : 'replaced';
    this.#options.log('warn', `The socket was ${what} by another process and is created again`, { path: this.#path });
    await this.listen(this.#path);
  }

  /**
   * Returns how long this process has had no client and nothing that would be lost if it exited. Returns Infinity if
   * that is the case now and the host has been told to exit.
   */
  idleMs(): number {
    if (this.#clients.size > 0 || this.#options.manager.isNeeded) this.#idleSince = performance.now();
    else if (this.#mayExit) return Infinity;
    return performance.now() - this.#idleSince;
  }

  /** Serves no new requests or clients until `resume`. */
  hold(): void {
    this.#isHeld = true;
    for (const client of this.#clients) client.hold();
  }

  resume(): void {
    this.#isHeld = false;
    for (const client of this.#clients) client.resume();
  }

  /** Accepts no more clients; connected ones stay. Removes the path: a successor may listen there only afterwards. */
  stopListening(): void {
    this.#server?.close();
    this.#server = null;
  }

  /**
   * Accepts no more clients and disconnects the current ones. The manager is not affected. Removes the path: a
   * successor may listen there only afterwards. Resolves when all are disconnected, which takes at most a second.
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
    if (method === 'leave') return void (this.#mayExit = true);
    if (method === 'shutdown') return this.#shutdown(argument);
    if (method === 'handOff') return this.#handOff(argument);
    if (method === 'create') await this.#checkRoom();
    // The manager checks the contents.
    return this.#options.manager.call({ ...request, signal } as MethodCall);
  }

  async stream(request: HostRequest): Promise<EventSource & { start: unknown }> {
    const { manager } = this.#options;
    if (request.method !== 'watch') return this.#outputOf(request);
    const events = await manager.watch(request.argument as WatchTerminals);
    return { events, windowBytes: WATCH_WINDOW_BYTES, start: { cursor: events.cursor } };
  }

  async #outputOf({ id = '', argument, viewer }: HostRequest): Promise<EventSource & { start: unknown }> {
    const from = argument as number | undefined;
    const { manager } = this.#options;
    // Requested in the same turn, so that the stream starts exactly at the reported end of the output.
    const [events, { totalBytes }] = await Promise.all([manager.subscribe(id, from, { viewer }), manager.get(id)]);
    return { events, windowBytes: WINDOW_BYTES, start: { offset: from ?? totalBytes } };
  }

  fault(error: unknown): void {
    const stack = error instanceof Error ? error.stack : String(error);
    this.#options.log('error', 'A request failed because of an internal error', { error: stack });
  }

  async #checkRoom(): Promise<void> {
    const { hasRoom, active, memoryBytes } = await this.#load();
    if (!hasRoom && active < this.#options.maxTerminals) {
      throw limitReached(
        'HOST_MEMORY',
        memoryBytes,
        'The host process uses too much memory to create another terminal',
      );
    }
    this.#mayExit = false;
  }

  async #load(): Promise<HostLoad> {
    const { manager, maxTerminals, maxMemoryBytes = MAX_HOST_MEMORY_BYTES } = this.#options;
    const { activeTerminals: active } = await manager.summary();
    const memoryBytes = process.memoryUsage.rss();
    // A host without terminals always has room, regardless of its memory use: another host would be just as large.
    const hasRoom = active < maxTerminals && (active === 0 || memoryBytes < maxMemoryBytes);
    return { active, memoryBytes, hasRoom };
  }

  async #shutdown(graceMs: unknown): Promise<void> {
    const isTime = typeof graceMs === 'number' && graceMs >= 0;
    await this.#options.manager.shutdown(isTime ? graceMs : undefined);
    // Deferred until the response has been sent.
    setImmediate(() => this.#options.onShutdown?.());
  }

  async #handOff(argument: unknown): Promise<unknown> {
    const { handOff } = this.#options;
    if (handOff === undefined)
      throw new TerminalError('HOST_FAILED', 'This host process cannot hand over its terminals');
    return handOff(argument);
  }

  #accept(socket: Socket): void {
    const client: ServedClient = new ServedClient(socket, this, () => this.#clients.delete(client));
    this.#clients.add(client);
    if (this.#isHeld) client.hold();
  }
}
