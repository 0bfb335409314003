/**
 * The sockets of the REST service: listening, timeouts, TLS, and a bounded stop. What is answered
 * is `app.ts`'s business.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { Connections } from '../access/connections.js';
import type { Gate } from '../access/gate.js';
import type { TerminalManager } from '../contract/manager.js';
import { createApp } from './app.js';
import type { Exchange } from './exchange.js';
import { Intakes } from './intake.js';
import type { IdempotencyKeys } from './idempotency.js';
import type { Mount } from './mount.js';
import { Metrics } from './metrics.js';
import { ROUTES } from './routes.js';
import type { Service } from './service.js';
import { inTurns } from './turns.js';
import { answerBrokenRequest, refuseTunnel } from './broken.js';

/** A chain and its private key. */
export interface Certificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export interface HttpDeps {
  readonly manager: TerminalManager;
  readonly gate: Gate;
  readonly log: Logger;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Given: HTTPS and nothing else. PEM text or bytes. */
  readonly tls?: Certificate;
  readonly maxBodyBytes: number;
  /** Most requests of one caller that may wait at one time. */
  readonly maxWaitingReads: number;
  /** Which requests were made with an `Idempotency-Key`. */
  readonly keys: IdempotencyKeys;
  readonly logReads: boolean;
  readonly trustedProxies: readonly string[];
  readonly version: string;
  readonly place: Service['place'];
  readonly placeProblems: Service['placeProblems'];
  /** Other protocols, on paths of their own. */
  readonly mounts?: readonly Mount[];
}

export interface HttpServer {
  /** Where it answers, as `http://127.0.0.1:3001`. */
  readonly url: string;
  readonly port: number;
  /** From now on new connections are given this certificate. @throws If it cannot be used: the old one stays. */
  renew(certificate: Certificate): void;
  /**
   * Takes no more connections, lets requests in flight finish, ends long reads with what there is, closes its mounts,
   * and resolves when all connections are closed: within about two seconds. Safe to call twice. The
   * terminals are left alone.
   */
  close(): Promise<void>;
}

/** Far beyond any honest header of this API, keys and cookies of a proxy included. */
const MAX_HEADER_BYTES = 16 << 10;
/** A caller who needs longer than this for the head of a request is no caller. */
const HEADERS_TIMEOUT_MS = 5000;
/** Time for the largest body over a slow line. */
const REQUEST_TIMEOUT_MS = 60_000;
/** How often the two limits above are looked after. */
const CONNECTIONS_CHECK_MS = 2000;
/** Longer than the pause of a caller who polls each minute, so that he seldom meets a closing socket. */
const KEEP_ALIVE_MS = 75_000;
/** A socket on which nothing moves is closed, unless a request has said that it waits longer. */
const IDLE_SOCKET_MS = 180_000;
/** Leaves descriptors for terminals under the usual limits, whoever opens connections. */
const CONNECTION_LIMITS = {
  maxAdmitted: 2048,
  // More than the system hands over at once (Node asks for 511), so that no burst turns out its own.
  maxStrangers: 600,
  maxStrangersOfAddress: 64,
  // Longer than the head may take, which is answered, not cut off.
  strangerMs: 10_000,
};
const TLS_HANDSHAKE_MS = 10_000;
/** How long requests in flight may take to finish when the server stops. */
const CLOSE_GRACE_MS = 2000;
const MS_PER_SECOND = 1000;

/**
 * Starts the REST service.
 *
 * @throws The error of `listen`, as `EADDRINUSE`, or of a certificate that cannot be used.
 */
export async function startHttp(deps: HttpDeps): Promise<HttpServer> {
  const running = new RunningServer(deps);
  await running.listen();
  return running;
}

class RunningServer implements HttpServer {
  url = '';
  readonly #deps: HttpDeps;
  readonly #server: Server;
  readonly #open = new Set<Exchange>();
  readonly #startedMs = performance.now();
  #closed: Promise<void> | undefined;
  #unwatch = (): void => {};

  constructor(deps: HttpDeps) {
    this.#deps = deps;
    const connections = new Connections(CONNECTION_LIMITS);
    const intakes = new Intakes();
    const app = createApp({
      ...deps,
      routes: ROUTES,
      service: this.#service(),
      isTls: deps.tls !== undefined,
      gate: connections.judgedBy(deps.gate, (socket) => intakes.open(socket)),
      onExchange: (exchange) => this.#track(exchange),
    });
    this.#server = createSocketServer(deps, intakes.before(inTurns(app)));
    connections.watch(this.#server);
    intakes.watch(this.#server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? this.#deps.port;
  }

  async listen(): Promise<void> {
    const { host, port, tls, log } = this.#deps;
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    this.#server.on('error', (error) => log.error({ err: error }, 'A connection could not be accepted'));
    this.#unwatch = this.#deps.gate.onRevoked((id) => this.#cutOff(id));
    this.url = `${tls ? 'https' : 'http'}://${reachable(host)}:${this.port}`;
  }

  renew(certificate: Certificate): void {
    if (this.#server instanceof TlsServer) this.#server.setSecureContext({ ...certificate });
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#unwatch();
    const closed = new Promise<void>((resolve) => void this.#server.close(() => resolve()));
    for (const exchange of this.#open) exchange.finish();
    for (const mount of this.#deps.mounts ?? []) void mount.close();
    this.#server.closeIdleConnections();
    const force = setTimeout(() => this.#server.closeAllConnections(), CLOSE_GRACE_MS);
    await closed;
    clearTimeout(force);
  }

  #cutOff(principalId: string): void {
    this.#deps.log.info({ principal: principalId }, 'A key is good no more: what it opened is ended');
    for (const exchange of this.#open) if (exchange.principal?.id === principalId) exchange.cutOff();
    for (const mount of this.#deps.mounts ?? []) mount.forget?.(principalId);
  }

  #track(exchange: Exchange): void {
    this.#open.add(exchange);
    exchange.response.once('close', () => this.#open.delete(exchange));
    if (this.#closed) exchange.finish();
  }

  #service(): Service {
    return {
      manager: this.#deps.manager,
      metrics: new Metrics(),
      version: this.#deps.version,
      place: this.#deps.place,
      placeProblems: this.#deps.placeProblems,
      url: () => this.url,
      uptimeSeconds: () => Math.floor((performance.now() - this.#startedMs) / MS_PER_SECOND),
      isClosing: () => this.#closed !== undefined,
    };
  }
}

function createSocketServer({ tls, log }: HttpDeps, app: RequestListener): Server {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The gate refuses a missing Host, in the form of every other refusal.
    requireHostHeader: false,
  };
  const server = tls
    ? createTlsServer({ ...options, ...tls, handshakeTimeout: TLS_HANDSHAKE_MS }, app)
    : createServer(options, app);
  // Node hides headers beyond the thousandth, Origin among them; the limit on bytes bounds them all.
  server.maxHeadersCount = 0;
  server.setTimeout(IDLE_SOCKET_MS);
  // Without these, Node would answer by itself and past the gate.
  server.on('checkContinue', app).on('checkExpectation', app).on('connect', refuseTunnel);
  server.on('clientError', answerBrokenRequest);
  server.on('tlsClientError', (error) => log.debug({ err: error }, 'A TLS handshake failed'));
  return server;
}

/** A name that reaches the server from its own machine. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
