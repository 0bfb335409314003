/** A TCP proxy between live clients and a server: it cuts connections at a given byte, or all at once. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { SocketConstructor } from '../../src/client/live-terminal.js';

/** How many bytes of a connection pass in each direction before it is cut. */
export interface Cut {
  readonly toServer: number;
  readonly toClient: number;
}

export const NO_CUT: Cut = { toServer: Infinity, toClient: Infinity };

export class LiveProxy {
  /** Where the next connection is cut. */
  cut: () => Cut = () => NO_CUT;
  /** The port of the server, which may change; null while there is none. */
  target: number | null;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(target: number) {
    this.target = target;
    this.#server = createServer((client) => this.#forward(client));
  }

  static async open(target: number): Promise<LiveProxy> {
    const proxy = new LiveProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The header by which the server accepts a connection through the proxy. */
  get headers(): Readonly<Record<string, string>> {
    return { Host: `127.0.0.1:${this.target}` };
  }

  /** A WebSocket that goes through the proxy, wherever it was to go. */
  get Through(): SocketConstructor {
    const through = (url: string) => url.replace(/\/\/[^/]+/, this.url.replace('http:', ''));
    const headers = () => this.headers;
    return class extends WebSocket {
      constructor(url: string, protocols: string[], options: { headers?: object } = {}) {
        super(through(url), protocols, { ...options, headers: { ...options.headers, ...headers() } });
      }
    } as unknown as SocketConstructor;
  }

  cutAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  close(): void {
    this.cutAll();
    this.#server.close();
  }

  #forward(client: Socket): void {
    if (this.target === null) return void client.destroy();
    const server = connect(this.target, '127.0.0.1');
    const { toServer, toClient } = this.cut();
    this.#open.add(client);
    client.once('close', () => this.#open.delete(client));
    pass(client, server, toServer);
    pass(server, client, toClient);
  }
}

/** Passes bytes on. After `limit` of them, both ends are closed; the last bytes still arrive. */
function pass(from: Socket, to: Socket, limit: number): void {
  let left = limit;
  from.on('error', () => {}).on('close', () => to.destroySoon());
  to.on('drain', () => from.resume());
  from.on('data', (bytes: Buffer) => {
    if (left <= 0) return;
    const isFull = !to.write(bytes.subarray(0, Math.min(left, bytes.length)));
    left -= bytes.length;
    if (left <= 0) from.destroy();
    else if (isFull) from.pause();
  });
}
