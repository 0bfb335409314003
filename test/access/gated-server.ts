/**
 * A real HTTP server with nothing behind the gate: it answers each request with the gate's verdict. Also a client that
 * sends exactly the bytes it is given.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGate } from '../../src/access/gate.js';
import type { GateOptions } from '../../src/access/gate.js';

export interface GateAnswer {
  readonly outcome: 'admitted' | 'preflight' | 'refused';
  readonly principal?: { id: string; kind: string; name: string };
  readonly code?: string;
  readonly message?: string;
}

export interface ServerReply {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly verdict: GateAnswer;
}

export class GatedServer {
  /** What the gate logged, in order. */
  readonly logged: string[] = [];
  readonly dataDir = mkdtempSync(join(tmpdir(), 'tenacitty-gate-'));
  readonly #server: Server;
  readonly #host: string;

  constructor(options: Partial<GateOptions> = {}, listenOn = '127.0.0.1') {
    this.#host = listenOn;
    const gate = createGate(gateOptions({ host: listenOn, dataDir: this.dataDir, ...options }), (_level, message) =>
      this.logged.push(message),
    );
    this.#server = createServer({ requireHostHeader: false }, (request, response) => {
      void gate.admit(request).then((admission) => {
        const { headers, ...outcome } = admission;
        const error = 'error' in outcome ? { code: outcome.error.code, message: outcome.error.message } : {};
        const status = outcome.outcome === 'refused' ? outcome.error.kind.status : 200;
        response.writeHead(status, headers).end(JSON.stringify({ ...outcome, error: undefined, ...error }));
      });
    });
  }

  async listen(): Promise<this> {
    await once(this.#server.listen(0, this.#host), 'listening');
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Sends one request on its own connection. The default headers are those of a local program. */
  async ask(headers: readonly string[] = [], line = 'GET / HTTP/1.1', address = '127.0.0.1'): Promise<ServerReply> {
    const socket = await this.connect(address);
    try {
      return await this.askOn(socket, headers, line);
    } finally {
      socket.destroy();
    }
  }

  async connect(address = '127.0.0.1'): Promise<Socket> {
    const socket = connect(this.port, address);
    await once(socket, 'connect');
    return socket;
  }

  /** Sends one request on a keep-alive connection. Adds a Host header unless one is given. */
  async askOn(socket: Socket, headers: readonly string[] = [], line = 'GET / HTTP/1.1'): Promise<ServerReply> {
    const hasHost = headers.some((header) => /^host:/i.test(header));
    const lines = hasHost ? headers : [`Host: localhost:${this.port}`, ...headers];
    socket.write([line, ...lines.filter((header) => header !== 'Host: none'), '', ''].join('\r\n'));
    return readReply(socket);
  }
}

export function gateOptions(options: Partial<GateOptions> & { dataDir: string }): GateOptions {
  return {
    host: '127.0.0.1',
    allowedHosts: [],
    corsOrigins: '*',
    apiKeyHashes: [],
    trustLocal: true,
    rateLimitPerMinute: 0,
    trustedProxies: [],
    ...options,
  };
}

async function readReply(socket: Socket): Promise<ServerReply> {
  let text = '';
  while (!/\r\n\r\n[\s\S]*\}/.test(text)) {
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    text += bytes.toString();
  }
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [statusLine = '', ...headerLines] = head.split('\r\n');
  const pairs = headerLines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.replace(/^[^:]*:\s*/, '')]);
  const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(pairs) as Record<string, string>,
    verdict: JSON.parse(json) as GateAnswer,
  };
}
