/**
 * Decides which connections a server keeps. Connections without an admitted request share a small, separate pool and
 * have a short time limit. A caller that opens many of them displaces only other connections in that pool, never an
 * admitted one. Each account can use only a share of the admitted connections.
 */
import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';
import { limitReached } from '../errors.js';
import type { Admission, Gate } from './gate.js';
import { isLoopbackAddress } from './loopback.js';
import { accountOf, localPrincipal, type Principal } from './principal.js';
import { sourceOf } from './rate-limits.js';

/**
 * Maximum across all unauthenticated connections: the response and its log line cost more than the rest of a refused
 * request.
 */
const MAX_REFUSALS_PER_SECOND = 100;
const MS_PER_SECOND = 1000;
/** `Retry-After` for callers with too many connections in use. */
const RETRY_AFTER_S = '1';

export interface ConnectionLimits {
  /** Maximum number of connections with an admitted request. */
  readonly maxAdmitted: number;
  /** Maximum number of admitted connections per account. The same number is reserved for the server's own user. */
  readonly maxOfPrincipal: number;
  /** Maximum number of connections without an admitted request. */
  readonly maxUnauthenticated: number;
  /**
   * Maximum number of unauthenticated connections per address (a /64 for IPv6). It does not apply to loopback: all
   * callers on this machine, and all callers behind a proxy on it, share that address.
   */
  readonly maxUnauthenticatedPerAddress: number;
  /** How long a connection may stay open without an admitted request. */
  readonly unauthenticatedMs: number;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Ends the connection if no request is admitted in time. */
  readonly timer: NodeJS.Timeout;
  /** Whether the gate is currently checking one of its requests. */
  isBeingChecked: boolean;
}

interface Admitted {
  readonly connection: Connection;
  /** The socket that its requests refer to; over TLS, this is not the connection's own socket. */
  readonly socket: Socket;
  /** The principal of the first admitted request. */
  readonly principal: Principal;
}

export class Connections {
  readonly #limits: ConnectionLimits;
  /** Connections without an admitted request, in order of arrival. */
  readonly #unauthenticated = new Set<Connection>();
  /** Connections with an admitted request, in order of the latest one. */
  readonly #admitted = new Map<Connection, Admitted>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  /** Number of refusals sent in this second. */
  #refusals = 0;
  #second = 0;
  /** Used only to associate a TLS socket with the socket below it. */
  readonly #byEndpoints = new Map<string, Connection>();

  readonly #isIdle: (socket: Socket) => boolean;

  /** @param isIdle - Whether an admitted connection has no request in progress. */
  constructor(limits: ConnectionLimits, isIdle: (socket: Socket) => boolean = () => false) {
    this.#limits = limits;
    this.#isIdle = isIdle;
  }

  /** Observes each connection that a server accepts. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#take(socket));
    server.on('secureConnection', (socket: Socket) => {
      const connection = this.#byEndpoints.get(endpointsOf(socket));
      if (connection) this.#bySocket.set(socket, connection);
    });
  }

  /**
   * Wraps the gate so that each connection is classified by the outcome of its requests. A connection without an
   * admitted request is closed after a refusal.
   *
   * @param onAdmitted - Called with the connection each time a request is admitted.
   */
  checkedBy(gate: Gate, onAdmitted: (socket: Socket) => void = () => {}): Gate {
    const admit: Gate['admit'] = async (request, asked) => {
      const connection = this.#bySocket.get(request.socket);
      if (connection === undefined) return gate.admit(request, asked);
      connection.isBeingChecked = true;
      const admission = await gate.admit(request, asked);
      connection.isBeingChecked = false;
      if (asked === 'sign-in' && admission.outcome === 'guest') return this.#endAfter(request, admission);
      if (admission.outcome !== 'admitted') return this.#refuse(request, admission);
      if (!this.admit(request.socket, admission.principal)) return this.#refuse(request, this.#tooMany(admission));
      onAdmitted(request.socket);
      return admission;
    };
    return { ...gate, admit };
  }

  #refuse(request: IncomingMessage, admission: Admission): Admission {
    return admission.outcome === 'refused' ? this.#endAfter(request, admission) : admission;
  }

  /**
   * Completes a refusal or an attempt to sign in. If the connection has no admitted request, counts it and closes the
   * connection after the response.
   */
  #endAfter({ socket }: IncomingMessage, admission: Admission): Admission {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined || this.#admitted.has(connection)) return admission;
    this.countRefusal(socket);
    return { ...admission, headers: { ...admission.headers, Connection: 'close' } };
  }

  /**
   * Counts a refusal or an attempt to sign in on a connection without an admitted request. If there have been too many
   * in this second, closes the connection without a response.
   */
  countRefusal(socket: Socket): void {
    const connection = this.#bySocket.get(socket);
    if (connection !== undefined && this.#admitted.has(connection)) return;
    const second = Math.floor(performance.now() / MS_PER_SECOND);
    if (second !== this.#second) [this.#second, this.#refusals] = [second, 0];
    if (++this.#refusals > MAX_REFUSALS_PER_SECOND) socket.destroy();
  }

  #tooMany({ headers }: Admission): Admission {
    const what = 'This caller, or all keys combined, have too many connections in use';
    const error = limitReached('MAX_CONNECTIONS', this.#limits.maxOfPrincipal, what);
    return { outcome: 'refused', error, headers: { ...headers, 'Retry-After': RETRY_AFTER_S } };
  }

  /** Marks a connection as admitted. Returns false if there are already too many. */
  admit(socket: Socket, principal = localPrincipal()): boolean {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined) return true;
    const known = this.#admitted.get(connection);
    // The connection may have been closed in the meantime.
    if (known === undefined && !this.#unauthenticated.has(connection)) return true;
    if (known === undefined && !this.#hasRoomFor(principal)) return false;
    clearTimeout(connection.timer);
    this.#unauthenticated.delete(connection);
    this.#admitted.delete(connection);
    this.#admitted.set(connection, known ?? { connection, socket, principal });
    return true;
  }

  /**
   * Returns whether the principal can have one more connection. Closes an idle connection to make room if necessary.
   */
  #hasRoomFor(caller: Principal): boolean {
    const { maxAdmitted, maxOfPrincipal } = this.#limits;
    if (this.#admitted.size < maxOfPrincipal) return true;
    const all = [...this.#admitted.values()];
    const own = all.filter(({ principal }) => accountOf(principal) === accountOf(caller));
    if (own.length >= maxOfPrincipal) return this.#displaceIdle(own);
    const ofKeys = all.filter(({ principal }) => principal.kind === 'key');
    return caller.kind === 'local' || ofKeys.length < maxAdmitted - maxOfPrincipal || this.#displaceIdle(ofKeys);
  }

  /** Closes the least recently used idle connection. Returns false if none is idle. */
  #displaceIdle(admitted: readonly Admitted[]): boolean {
    const idle = admitted.find(({ socket }) => this.#isIdle(socket));
    if (idle === undefined) return false;
    this.#admitted.delete(idle.connection);
    idle.connection.socket.destroy();
    return true;
  }

  #take(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    this.#makeRoom(address);
    const timer = setTimeout(() => socket.destroy(), this.#limits.unauthenticatedMs).unref();
    const connection: Connection = { socket, address, timer, isBeingChecked: false };
    const ends = endpointsOf(socket);
    this.#unauthenticated.add(connection);
    this.#bySocket.set(socket, connection);
    this.#byEndpoints.set(ends, connection);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#unauthenticated.delete(connection);
      this.#admitted.delete(connection);
      // Another connection may have the same endpoints by now.
      if (this.#byEndpoints.get(ends) === connection) this.#byEndpoints.delete(ends);
    });
  }

  #makeRoom(address: string): void {
    const { maxUnauthenticated, maxUnauthenticatedPerAddress } = this.#limits;
    const source = sourceOf(address);
    const isBounded = !isLoopbackAddress(address);
    const neighbours = [...this.#unauthenticated].filter(
      (stranger) => isBounded && sourceOf(stranger.address) === source,
    );
    if (neighbours.length >= maxUnauthenticatedPerAddress) displace(neighbours);
    else if (this.#unauthenticated.size >= maxUnauthenticated) displace([...this.#unauthenticated]);
  }
}

/**
 * Closes the oldest connection that is not being checked: by then, a legitimate caller has sent its request. If all are
 * being checked, closes the oldest.
 */
function displace(strangers: readonly Connection[]): void {
  const { socket } = strangers.find(({ isBeingChecked }) => !isBeingChecked) ?? strangers[0]!;
  socket.destroy();
}

function endpointsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return [remoteAddress, remotePort, localAddress, localPort].join(' ');
}
