/**
 * Manages the HTTP server's sockets: listening, timeouts, TLS, and stopping within a time limit. `app.ts` handles the
 * requests.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import { once } from 'node:events';
import { createServer as createNetServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Connections } from '../access/connections.js';
import type { Gate } from '../access/gate.js';
import type { TerminalManager } from '../contract/manager.js';
import { createApp } from './app.js';
import { DownloadTickets } from './download-tickets.js';
import { LinkAnswers } from './link-answers.js';
import { Exchange } from './exchange.js';
import { ParserPacing } from './parser-pacing.js';
import type { IdempotencyKeys } from './idempotency.js';
import type { Mount } from './mount.js';
import { Metrics } from './metrics.js';
import { ROUTES } from './routes.js';
import type { Service } from './service.js';
import { oneAtATime } from './one-at-a-time.js';
import { listenForUpgrades } from './upgrade.js';
import { answerBrokenRequest, refuseTunnel } from './broken.js';

/** A certificate chain and its private key. */
export interface Certificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export interface HttpDeps {
  readonly manager: TerminalManager;
  readonly hooks: Service['hooks'];
  readonly gate: Gate;
  readonly log: Logger;
  readonly host: string;
  /** With 0, the system chooses a port. */
  readonly port: number;
  /** If set, the server accepts only HTTPS. PEM, as text or bytes. */
  readonly tls?: Certificate;
  /** Directory that contains the built page for browsers. */
  readonly pageDir: string;
  readonly maxBodyBytes: number;
  /** Maximum number of requests per caller that can wait at the same time. */
  readonly maxWaitingReads: number;
  /** Records of requests with an `Idempotency-Key`. */
  readonly keys: IdempotencyKeys;
  readonly logReads: boolean;
  readonly trustedProxies: readonly string[];
  readonly version: string;
  readonly place: Service['place'];
  readonly placeProblems: Service['placeProblems'];
  /** Default: there are no hosts. */
  readonly hosts?: Service['hosts'];
  /** Protocols other than REST, each at its own path. */
  readonly mounts?: readonly Mount[];
}

export interface HttpServer {
  /** The server's URL, such as `http://127.0.0.1:3001`. */
  readonly url: string;
  readonly port: number;
  /**
   * Uses this certificate for new connections.
   *
   * @throws If the certificate is unusable; the server then keeps the old one.
   */
  renew(certificate: Certificate): void;
  /**
   * Stops accepting connections, lets requests in progress finish, ends long reads early with the output that they
   * have, and closes the mounts. Resolves when all connections are closed, within about two seconds. Can be called more
   * than once. Does not affect the terminals.
   */
  close(): Promise<void>;
}

/** Far larger than any legitimate headers of this API, including keys and a proxy's cookies. */
const MAX_HEADER_BYTES = 16 << 10;
/** Legitimate callers send the head of a request faster than this. */
const HEADERS_TIMEOUT_MS = 5000;
/** Enough for the largest body over a slow connection. */
const REQUEST_TIMEOUT_MS = 60_000;
/** How often Node checks `HEADERS_TIMEOUT_MS` and `REQUEST_TIMEOUT_MS`. */
const CONNECTIONS_CHECK_MS = 2000;
/** Longer than a minute, so that a caller that polls every minute rarely meets a closing socket. */
const KEEP_ALIVE_MS = 75_000;
/** Time after which an idle socket is closed, unless a request has announced a longer wait. */
const IDLE_SOCKET_MS = 180_000;
/** Leave enough descriptors for terminals under the usual limits, however many connections are opened. */
const CONNECTION_LIMITS = {
  maxAdmitted: 2048,
  maxOfPrincipal: 512,
  // More than the system's backlog (Node requests 511), so that the connections of a burst do not displace each other.
  maxUnauthenticated: 600,
  maxUnauthenticatedPerAddress: 64,
  // Longer than the header timeout, after which the caller receives a response instead of being cut off.
  unauthenticatedMs: 10_000,
};
const IPV4_LOOPBACK = '127.0.0.1';
const TLS_HANDSHAKE_MS = 10_000;
/** Time that requests in progress have to finish when the server stops. */
const CLOSE_GRACE_MS = 2000;
const MS_PER_SECOND = 1000;

/**
 * Starts the HTTP server.
 *
 * @throws The error of `listen`, such as `EADDRINUSE`, or the error of an unusable certificate.
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
  /** Listens at the other address of `localhost`. */
  readonly #twin: NetServer;
  readonly #open = new Set<Exchange>();
  readonly #startedMs = performance.now();
  #closed: Promise<void> | undefined;
  #unwatch = (): void => {};

  constructor(deps: HttpDeps) {
    this.#deps = deps;
    const connections = new Connections(CONNECTION_LIMITS, (socket) => Exchange.on(socket)?.isAnswered === true);
    const intakes = new ParserPacing();
    const app = createApp({
      ...deps,
      routes: ROUTES,
      service: this.#service(),
      isTls: deps.tls !== undefined,
      gate: connections.checkedBy(deps.gate, (socket) => intakes.open(socket)),
      onExchange: (exchange) => this.#track(exchange),
    });
    this.#server = createSocketServer(deps, intakes.before(oneAtATime(app)), connections);
    connections.watch(this.#server);
    intakes.watch(this.#server);
    this.#twin = createNetServer({ allowHalfOpen: deps.tls === undefined, noDelay: true }, (socket) =>
      this.#server.emit('connection', socket),
    );
  }

  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? this.#deps.port;
  }

  async listen(): Promise<void> {
    const { host, port, tls, log } = this.#deps;
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    this.#server.on('error', (error) => log.error({ err: error }, 'A connection could not be accepted'));
    if (host === IPV4_LOOPBACK) this.#listenOnTwin();
    this.#unwatch = this.#deps.gate.onRevoked((id) => this.#cutOff(id));
    this.url = `${tls ? 'https' : 'http'}://${reachable(host, tls !== undefined)}:${this.port}`;
  }

  /**
   * Listens on IPv6 too: browsers and clients that connect to `localhost` may try it first, and another user of this
   * machine who listened there would receive their keys and cookies.
   */
  #listenOnTwin(): void {
    const { port } = this;
    this.#twin.on('error', (error: NodeJS.ErrnoException) => {
      const message = `Another program listens on [::1]:${port}: use http://${IPV4_LOOPBACK}:${port}, not http://localhost:${port}`;
      if (error.code === 'EADDRINUSE') this.#deps.log.warn({ port }, message);
    });
    this.#twin.listen({ port, host: '::1', ipv6Only: true });
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
    this.#twin.close();
    const closed = new Promise<void>((resolve) => void this.#server.close(() => resolve()));
    for (const exchange of this.#open) exchange.finish();
    for (const mount of this.#deps.mounts ?? []) void mount.close();
    this.#server.closeIdleConnections();
    const force = setTimeout(() => {
      this.#server.closeAllConnections();
      // Node no longer counts a WebSocket as one of its connections.
      for (const exchange of this.#open) exchange.cutOff();
    }, CLOSE_GRACE_MS);
    await closed;
    clearTimeout(force);
  }

  #cutOff(principalId: string): void {
    this.#deps.log.info({ principal: principalId }, 'A key or sign-in is no longer valid; its connections are closed');
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
      hooks: this.#deps.hooks,
      signIns: this.#deps.gate.signIns,
      tickets: new DownloadTickets(),
      linkAnswers: new LinkAnswers(this.#deps.manager),
      metrics: new Metrics(),
      version: this.#deps.version,
      place: this.#deps.place,
      placeProblems: this.#deps.placeProblems,
      hosts: this.#deps.hosts ?? (async () => []),
      url: () => this.url,
      uptimeSeconds: () => Math.floor((performance.now() - this.#startedMs) / MS_PER_SECOND),
      isClosing: () => this.#closed !== undefined,
    };
  }
}

function createSocketServer({ tls, log }: HttpDeps, app: RequestListener, connections: Connections): Server {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The gate refuses a missing Host header itself, in the same form as every other refusal.
    requireHostHeader: false,
  };
  const server = tls
    ? createTlsServer({ ...options, ...tls, handshakeTimeout: TLS_HANDSHAKE_MS }, app)
    : createServer(options, app);
  // By default, Node hides headers after the thousandth, which may include Origin. The byte limit still applies to all
  // of them.
  server.maxHeadersCount = 0;
  server.setTimeout(IDLE_SOCKET_MS);
  // Without these handlers, Node would respond itself, and bypass the gate.
  const countRefusal = (socket: Duplex) => connections.countRefusal(socket as Socket);
  server.on('checkContinue', app).on('checkExpectation', app);
  listenForUpgrades(server, app, countRefusal);
  server.on('connect', (request, socket) => refuseTunnel(request, socket, countRefusal));
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, countRefusal));
  server.on('tlsClientError', (error) => log.debug({ err: error }, 'A TLS handshake failed'));
  return server;
}

/** Returns a host name under which the server is reachable from its own machine. */
function reachable(host: string, isTls: boolean): string {
  // Another user may listen on the other address of `localhost`, but with TLS, that user has no certificate for it.
  if (host === '0.0.0.0' || host === '::' || host === '') return isTls ? 'localhost' : '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
