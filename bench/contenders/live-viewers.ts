/** Measures a flood in a terminal that several clients view over WebSockets: how fast the program can write it. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { answer, request } from '../contender.js';
import { ServerProcess } from '../server-process.js';

export interface ViewersRequest {
  readonly file: string;
  readonly viewers: number;
}

export interface ViewedFlood {
  /** Until the program had written everything. */
  readonly ms: number;
  /** Bytes that all clients together received meanwhile. */
  readonly received: number;
  /** Memory of server and host at the end. */
  readonly memoryMb: number;
}

const READ_BUFFER_BYTES = 64 << 10;
/** The longest wait of the API. */
const MAX_WAIT_MS = 600_000;

const { file, viewers } = request<ViewersRequest>();
const server = await ServerProcess.start();
let received = 0;
let onFirst = (): void => {};

/** Reads what the server sends and discards it, so that clients cost little beside the server. */
async function view(id: string): Promise<Socket> {
  const { hostname: host, port } = new URL(server.url);
  const buffer = Buffer.alloc(READ_BUFFER_BYTES);
  const upgraded = new Promise<void>((resolve) => (onFirst = resolve));
  const callback = (bytes: number): boolean => {
    received += bytes;
    onFirst();
    return true;
  };
  const socket = connect({ host, port: Number(port), onread: { buffer, callback } });
  const head = [
    `GET /api/terminals/${id}/live?role=viewer HTTP/1.1`,
    `Host: ${host}:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await upgraded;
  return socket;
}

async function flood(): Promise<number> {
  const script = `stty -echo; printf '!'; read go; exec cat '${file}'`;
  const id = await server.createTerminal({ command: '/bin/sh', args: ['-c', script] });
  const sockets: Socket[] = [];
  for (let i = 0; i < viewers; i++) sockets.push(await view(id));
  received = 0;
  const start = performance.now();
  const ended = server.call('POST', `/api/terminals/${id}/wait`, { timeoutMs: MAX_WAIT_MS });
  await server.call('POST', `/api/terminals/${id}/input`, { input: 'go' });
  await ended;
  const ms = performance.now() - start;
  await Promise.all(sockets.map((socket) => once(socket.destroy(), 'close')));
  return ms;
}

// The first time is the warm-up.
await flood();
const ms = await flood();
const memoryMb = server.memoryMb();
const result: ViewedFlood = { ms, received, memoryMb };
await server.stop();
answer(result);
