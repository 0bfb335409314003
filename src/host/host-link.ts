/**
 * Provides access to one host: connects on demand, starts the host if it is not running, and caches its last report
 * about its terminals.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { commandName } from '../command-name.js';
import type { ManagerSummary } from '../contract/manager.js';
import type { TerminalSummary } from '../contract/terminal.js';
import type { WatchRequest } from '../contract/watch.js';
import { TerminalError } from '../errors.js';
import type { EngineLog } from '../contract/options.js';
import { HostConnection } from './connection.js';
import type { OutputStream, WatchStream } from './received-stream.js';
import type { HeartbeatOptions } from './heartbeat.js';
import { launchHost } from './launch.js';
import type { HostOptions } from './options.js';
import { ownerOf } from './ownership.js';
import type { LockOwner } from './lock.js';
import { subscribed, watched } from './protocol.js';
import type { HostHello, HostLoad, HostRequest } from './protocol.js';
import { hostDirectoryOfOther, prepareHostDirectory, socketPath } from './runtime-directory.js';
import type { Viewer } from '../contract/presence.js';

export interface LinkOptions extends HeartbeatOptions {
  /** The options passed to a host that must be started. */
  readonly host: HostOptions;
  readonly hostProgram: readonly string[];
  readonly startTimeoutMs: number;
  readonly log: EngineLog;
}

/** How often to retry while another process is starting the host, or while the host is restoring its socket. */
const RETRY_MS = 20;
/** Errors that may be temporary: there is no socket, no process is listening on it, or the backlog is full. */
const NOT_NOW = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EAGAIN'];

export class HostLink {
  readonly slot: number;
  /** The terminals that the host last reported, by id. */
  terminals = new Map<string, TerminalSummary>();
  lastSummary: ManagerSummary | null = null;
  lastLoad: HostLoad | null = null;
  readonly #options: LinkOptions;
  #connection: HostConnection | null = null;
  #opening: Promise<HostConnection> | null = null;
  /** Whether a caller that shares the current attempt to connect wants a host to be started. */
  #mayStart = false;
  /** Why the last attempt to connect failed, or null. */
  #lastProblem: string | null = null;
  #isClosed = false;

  constructor(options: LinkOptions) {
    this.slot = options.host.slot;
    this.#options = options;
  }

  /** A message about the host's problem, or null. */
  get problem(): string | null {
    return this.#connection?.isOpen === true ? this.#connection.problem : this.#lastProblem;
  }

  /** Sends a request to the host, starting it if it is not running. */
  async request(request: HostRequest, signal?: AbortSignal): Promise<unknown> {
    return (await this.#open()).request(request, signal);
  }

  async subscribe(id: string, fromOffset: number | undefined, viewer: Viewer | undefined): Promise<OutputStream> {
    const connection = await this.#open();
    return connection.stream({ method: 'subscribe', id, argument: fromOffset, viewer }, subscribed);
  }

  /** Opens a watch. Starts no host. @throws `HOST_LOST` if the host has exited. */
  async watch(argument: WatchRequest): Promise<WatchStream> {
    const connection = await this.#open(false);
    return connection.stream({ method: 'watch', argument }, watched);
  }

  /**
   * Sends a request that every version understands, even if the host supports no common protocol version. Starts no
   * host.
   *
   * @throws `HOST_LOST` if the host has exited in the meantime.
   */
  async requestOfAnyVersion(request: HostRequest): Promise<unknown> {
    const connection = await this.#connected(false);
    await connection.hello();
    return connection.request(request);
  }

  /**
   * Returns what the host reported about itself when the connection was established. Starts no host.
   *
   * @throws `HOST_UNRESPONSIVE` if the host does not respond, `HOST_LOST` if it has exited.
   */
  async hello(): Promise<HostHello> {
    return (await this.#connected(false)).hello();
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
  }

  /** Returns a connection that accepts requests. */
  async #open(mayStart = true): Promise<HostConnection> {
    const connection = await this.#connected(mayStart);
    const { protocol, version, pid } = await connection.hello();
    if (protocol !== null) return connection;
    const message =
      `Host ${this.slot} (pid ${pid}) has version ${version}, whose protocol this version does not support. Run ` +
      `\`${commandName()} upgrade-host\`; its terminals keep running.`;
    throw new TerminalError('HOST_FAILED', message, { slot: this.slot, pid, version });
  }

  /** Callers share an attempt to connect and its result; if one of them may start a host, the attempt may. */
  async #connected(mayStart = true): Promise<HostConnection> {
    if (this.#isClosed) throw closedError();
    if (this.#connection?.isOpen === true) return this.#connection;
    this.#lastProblem = null;
    this.#mayStart ||= mayStart;
    const opening = (this.#opening ??= this.#connect());
    try {
      return await opening;
    } catch (error) {
      this.#lastProblem = error instanceof Error ? error.message : String(error);
      throw error;
    } finally {
      if (this.#opening === opening) this.#endAttempt();
    }
  }

  #endAttempt(): void {
    this.#opening = null;
    this.#mayStart = false;
  }

  async #connect(): Promise<HostConnection> {
    const deadline = performance.now() + this.#options.startTimeoutMs;
    for (;;) {
      const socket = await this.#reach(deadline);
      if (this.#isClosed) throw closedError(socket);
      const connection = this.#take(socket);
      try {
        await connection.hello();
        return connection;
      } catch (error) {
        // The host was about to exit when we connected. Its successor will be a different process.
        const isGone = error instanceof TerminalError && error.code === 'HOST_LOST';
        if (!isGone || performance.now() > deadline) throw error;
      }
    }
  }

  #take(socket: Socket): HostConnection {
    const { pingEveryMs, unresponsiveAfterMs, host } = this.#options;
    const pid = ownerOf(host, this.slot)?.pid ?? null;
    this.#connection = new HostConnection(socket, { slot: this.slot, pid, pingEveryMs, unresponsiveAfterMs });
    return this.#connection;
  }

  /**
   * Returns a socket connected to the host. If no host is running and a caller wants one, starts it. A live host is
   * never replaced: if its socket file was removed, waits until the host recreates it.
   */
  async #reach(deadline: number): Promise<Socket> {
    const { host } = this.#options;
    for (;;) {
      const owner = ownerOf(host, this.slot);
      const socket = await tryConnect(this.#socketOf(owner));
      if (socket !== null) return socket;
      if (performance.now() > deadline) throw this.#unreachable();
      if (owner !== null) await delay(RETRY_MS);
      else if (this.#mayStart) await this.#launch(deadline);
      else throw this.#ended();
    }
  }

  /**
   * Returns the path of the socket of the slot's owner, which may have been started with a different
   * TENACITTY_RUNTIME_DIR.
   */
  #socketOf(owner: LockOwner | null): string {
    const { host } = this.#options;
    const theirs = owner?.runtimeDir ?? host.runtimeDir;
    if (theirs === host.runtimeDir) return socketPath(prepareHostDirectory(host), this.slot);
    return socketPath(hostDirectoryOfOther({ ...host, runtimeDir: theirs }), this.slot);
  }

  async #launch(deadline: number): Promise<void> {
    const { host: options, hostProgram: program, log } = this.#options;
    const timeoutMs = Math.max(1, deadline - performance.now());
    log('info', 'Starting a host process', { slot: this.slot });
    await launchHost({ options, program, timeoutMs, log });
  }

  /** Ends the current attempt, so that its failure is not shared by a later caller that may start a host. */
  #ended(): TerminalError {
    this.#endAttempt();
    return new TerminalError('HOST_LOST', `Host ${this.slot} has ended`, { slot: this.slot });
  }

  #unreachable(): TerminalError {
    const { host, startTimeoutMs } = this.#options;
    const owner = ownerOf(host, this.slot);
    const path = this.#socketOf(owner);
    const who = owner === null ? 'no process owns the host’s slot' : `process ${owner.pid} owns the host’s slot`;
    const message = `Host ${this.slot} could not be reached at ${path} within ${startTimeoutMs} ms; ${who}`;
    // A live host that does not restore its socket is stopped or hangs.
    const code = owner === null ? 'HOST_FAILED' : 'HOST_UNRESPONSIVE';
    return new TerminalError(code, message, { slot: this.slot, pid: owner?.pid, path });
  }
}

/**
 * Connects to a socket. Resolves to null if no process is listening there.
 *
 * @throws `HOST_FAILED` for any other error.
 */
function tryConnect(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('error', (cause: NodeJS.ErrnoException) => {
      if (NOT_NOW.includes(cause.code ?? '')) resolve(null);
      else reject(new TerminalError('HOST_FAILED', `${path} cannot be reached: ${cause.message}`, { path }, { cause }));
    });
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

function closedError(socket?: Socket): TerminalError {
  socket?.destroy();
  return new TerminalError('SHUTTING_DOWN', 'This client closed the connection to the host process');
}
