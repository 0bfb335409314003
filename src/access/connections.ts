/**
 * Which connections a server keeps. Those of which no request has been admitted have a small pot of their own and little
 * time: who opens many displaces others like it, and never one that was admitted. It knows no protocol.
 */
import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';
import { limitReached } from '../errors.js';
import type { Admission, Gate } from './gate.js';
import { isLoopbackAddress } from './loopback.js';
import { sourceOf } from './rate-limits.js';

/** For all strangers together: an answer and its line in the log cost more than all else of a refused request. */
const MAX_REFUSALS_PER_SECOND = 100;
const MS_PER_SECOND = 1000;

export interface ConnectionLimits {
  /** Of which a request has been admitted. */
  readonly maxAdmitted: number;
  /** Of which none has. */
  readonly maxStrangers: number;
  /** The same of one address (a /64 of IPv6). Callers on this machine, and behind a proxy on it, share theirs. */
  readonly maxStrangersOfAddress: number;
  /** Until one must have been admitted. */
  readonly strangerMs: number;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Ends it when it has been a stranger for too long. */
  readonly timer: NodeJS.Timeout;
  /** Whether a request of it is being judged. */
  isAsking: boolean;
}

export class Connections {
  readonly #limits: ConnectionLimits;
  /** In the order of their arrival. */
  readonly #strangers = new Set<Connection>();
  readonly #admitted = new Set<Connection>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  /** Answered in this second. */
  #refusals = 0;
  #second = 0;
  /** Only so that a TLS socket is known by the socket below it. */
  readonly #byEnds = new Map<string, Connection>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Has a server tell of each connection as it is accepted. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#take(socket));
    server.on('secureConnection', (socket: Socket) => {
      const connection = this.#byEnds.get(endsOf(socket));
      if (connection) this.#bySocket.set(socket, connection);
    });
  }

  /**
   * The gate, but that each connection counts by what becomes of its requests. A stranger's is over with the refusal.
   *
   * @param onAdmitted - Told of each connection of which a request was admitted, each time.
   */
  judgedBy(gate: Gate, onAdmitted: (socket: Socket) => void = () => {}): Gate {
    const admit: Gate['admit'] = async (request, isPublic) => {
      const connection = this.#bySocket.get(request.socket);
      if (connection === undefined) return gate.admit(request, isPublic);
      connection.isAsking = true;
      const admission = await gate.admit(request, isPublic);
      connection.isAsking = false;
      if (admission.outcome !== 'admitted')
        return this.#admitted.has(connection) ? admission : this.#refuse(request, admission);
      if (!this.admit(request.socket)) return this.#refuse(request, this.#tooMany(admission));
      onAdmitted(request.socket);
      return admission;
    };
    return { ...gate, admit };
  }

  /** What else has been sent on the connection is not worth a look; and where strangers ask too often in all, no answer is. */
  #refuse({ socket }: IncomingMessage, admission: Admission): Admission {
    if (admission.outcome !== 'refused') return admission;
    const second = Math.floor(performance.now() / MS_PER_SECOND);
    if (second !== this.#second) [this.#second, this.#refusals] = [second, 0];
    if (++this.#refusals > MAX_REFUSALS_PER_SECOND) socket.destroy();
    return { ...admission, headers: { ...admission.headers, Connection: 'close' } };
  }

  #tooMany({ headers }: Admission): Admission {
    const error = limitReached('MAX_CONNECTIONS', this.#limits.maxAdmitted, 'Too many connections are open already');
    return { outcome: 'refused', error, headers };
  }

  /** Somebody who may has asked by this connection. Returns false if there are too many already. */
  admit(socket: Socket): boolean {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined || !this.#strangers.has(connection)) return true;
    if (this.#admitted.size >= this.#limits.maxAdmitted) return false;
    clearTimeout(connection.timer);
    this.#strangers.delete(connection);
    this.#admitted.add(connection);
    return true;
  }

  #take(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    this.#makeRoom(address);
    const timer = setTimeout(() => socket.destroy(), this.#limits.strangerMs).unref();
    const connection: Connection = { socket, address, timer, isAsking: false };
    const ends = endsOf(socket);
    this.#strangers.add(connection);
    this.#bySocket.set(socket, connection);
    this.#byEnds.set(ends, connection);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#strangers.delete(connection);
      this.#admitted.delete(connection);
      // The same ends may be another connection's by now.
      if (this.#byEnds.get(ends) === connection) this.#byEnds.delete(ends);
    });
  }

  #makeRoom(address: string): void {
    const { maxStrangers, maxStrangersOfAddress } = this.#limits;
    const source = sourceOf(address);
    const isBounded = !isLoopbackAddress(address);
    const neighbours = [...this.#strangers].filter((stranger) => isBounded && sourceOf(stranger.address) === source);
    if (neighbours.length >= maxStrangersOfAddress) turnOut(neighbours);
    else if (this.#strangers.size >= maxStrangers) turnOut([...this.#strangers]);
  }
}

/** The oldest that asks for nothing: an honest caller has sent its request by then. */
function turnOut(strangers: readonly Connection[]): void {
  const { socket } = strangers.find(({ isAsking }) => !isAsking) ?? strangers[0]!;
  socket.destroy();
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return [remoteAddress, remotePort, localAddress, localPort].join(' ');
}
