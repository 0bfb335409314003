/**
 * The way to one host: connects when something is asked of it, starts it where it does not run, and remembers what it
 * last said of its terminals. It knows nothing of other hosts.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { commandName } from '../command-name.js';
import type { ManagerSummary } from '../contract/manager.js';
import type { TerminalSummary } from '../contract/terminal.js';
import { TerminalError } from '../errors.js';
import type { EngineLog } from '../contract/options.js';
import { HostConnection } from './connection.js';
import type { EventStream } from './event-stream.js';
import type { HeartbeatOptions } from './heartbeat.js';
import { launchHost } from './launch.js';
import type { HostOptions } from './options.js';
import { ownerOf } from './ownership.js';
import type { LockOwner } from './lock.js';
import type { HostHello, HostLoad, HostRequest } from './protocol.js';
import { hostDirectoryOfOther, prepareHostDirectory, socketPath } from './runtime-directory.js';

export interface LinkOptions extends HeartbeatOptions {
  /** What a host that must be started is told. */
  readonly host: HostOptions;
  readonly hostProgram: readonly string[];
  readonly startTimeoutMs: number;
  readonly log: EngineLog;
}

/** Another process is starting the host, or it is mending its socket: how often to look. */
const RETRY_MS = 20;
/** No socket there, nobody behind it, or so many before us that the system puts us off. */
const NOT_NOW = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EAGAIN'];

export class HostLink {
  readonly slot: number;
  /** What it last said of its terminals, by id. */
  terminals = new Map<string, TerminalSummary>();
  lastSummary: ManagerSummary | null = null;
  lastLoad: HostLoad | null = null;
  readonly #options: LinkOptions;
  #connection: HostConnection | null = null;
  #opening: Promise<HostConnection> | null = null;
  /** Why it could not be reached when that was last tried, or null. */
  #trouble: string | null = null;
  #isClosed = false;

  constructor(options: LinkOptions) {
    this.slot = options.host.slot;
    this.#options = options;
  }

  /** What is wrong with it, in words for people, or null. */
  get problem(): string | null {
    return this.#connection?.isOpen === true ? this.#connection.problem : this.#trouble;
  }

  /** Asks the host, which is started if it does not run. */
  async request(request: HostRequest, signal?: AbortSignal): Promise<unknown> {
    return (await this.#open()).request(request, signal);
  }

  async subscribe(id: string, fromOffset: number | undefined): Promise<EventStream> {
    const connection = await this.#open();
    return connection.subscribe(id, fromOffset);
  }

  /**
   * Asks the host even if it speaks no version that we speak: for what every version understands. Starts none.
   *
   * @throws `HOST_LOST` if it has gone meanwhile.
   */
  async requestOfAnyVersion(request: HostRequest): Promise<unknown> {
    const connection = await this.#connected(false);
    await connection.hello();
    return connection.request(request);
  }

  /** What it said of itself when it was connected to. Starts none. @throws `HOST_UNRESPONSIVE`, `HOST_LOST` */
  async hello(): Promise<HostHello> {
    return (await this.#connected(false)).hello();
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
  }

  /** A connection on which requests can be made. */
  async #open(): Promise<HostConnection> {
    const connection = await this.#connected();
    const { protocol, version, pid } = await connection.hello();
    if (protocol !== null) return connection;
    const message =
      `Host ${this.slot} (pid ${pid}) is of version ${version} and speaks no protocol that this version does. ` +
      `Run \`${commandName()} upgrade-host\`: its terminals go on.`;
    throw new TerminalError('HOST_FAILED', message, { slot: this.slot, pid, version });
  }

  /** All who ask while it is being connected get the same. */
  async #connected(mayStart = true): Promise<HostConnection> {
    if (this.#isClosed) throw closedError();
    if (this.#connection?.isOpen === true) return this.#connection;
    this.#trouble = null;
    this.#opening ??= this.#connect(mayStart)
      .catch((error: unknown) => {
        this.#trouble = error instanceof Error ? error.message : String(error);
        throw error;
      })
      .finally(() => (this.#opening = null));
    return this.#opening;
  }

  async #connect(mayStart: boolean): Promise<HostConnection> {
    const deadline = performance.now() + this.#options.startTimeoutMs;
    for (;;) {
      const socket = await this.#reach(deadline, mayStart);
      if (this.#isClosed) throw closedError(socket);
      const connection = this.#take(socket);
      try {
        await connection.hello();
        return connection;
      } catch (error) {
        // One that was about to end when we came: the next will be another.
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
   * A socket that leads to the host, which is started if there is none and it may be. A host that lives is never
   * replaced: if its socket was taken away, it makes it anew, which is waited for.
   */
  async #reach(deadline: number, mayStart: boolean): Promise<Socket> {
    const { host } = this.#options;
    for (;;) {
      const owner = ownerOf(host, this.slot);
      const socket = await tryConnect(this.#socketOf(owner));
      if (socket !== null) return socket;
      if (performance.now() > deadline) throw this.#unreachable();
      if (owner !== null) await delay(RETRY_MS);
      else if (mayStart) await this.#launch(deadline);
      else throw new TerminalError('HOST_LOST', `Host ${this.slot} has ended`, { slot: this.slot });
    }
  }

  /** Of whoever owns the slot: it may have been told another TENACITTY_RUNTIME_DIR than we are. */
  #socketOf(owner: LockOwner | null): string {
    const { host } = this.#options;
    const theirs = owner?.runtimeDir ?? host.runtimeDir;
    if (theirs === host.runtimeDir) return socketPath(prepareHostDirectory(host), this.slot);
    return socketPath(hostDirectoryOfOther({ ...host, runtimeDir: theirs }), this.slot);
  }

  async #launch(deadline: number): Promise<void> {
    const { host: options, hostProgram: program, log } = this.#options;
    const timeoutMs = Math.max(1, deadline - performance.now());
    log('info', 'Starting a host', { slot: this.slot });
    await launchHost({ options, program, timeoutMs, log });
  }

  #unreachable(): TerminalError {
    const { host, startTimeoutMs } = this.#options;
    const owner = ownerOf(host, this.slot);
    const path = this.#socketOf(owner);
    const who = owner === null ? 'no process owns it' : `process ${owner.pid} owns it`;
    const message = `Host ${this.slot} cannot be reached at ${path} within ${startTimeoutMs} ms; ${who}`;
    // One that lives and does not even mend its socket is stopped or hung.
    const code = owner === null ? 'HOST_FAILED' : 'HOST_UNRESPONSIVE';
    return new TerminalError(code, message, { slot: this.slot, pid: owner?.pid, path });
  }
}

/** Null if nobody is there. @throws `HOST_FAILED` */
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
  return new TerminalError('SHUTTING_DOWN', 'The connection to the host was closed by this side');
}
